"""Every recipe of CONTRIBUTING.md is carried out on a copy of the project, and its commands run."""

import re
import shlex
import shutil
import subprocess
import sys

import pytest

from support.paths import ROOT

PAGE = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
CHAPTERS = dict(re.findall(r"^## (.+?)\n(.*?)(?=^## |\Z)", PAGE, re.MULTILINE | re.DOTALL))
RECIPES = [name for name in CHAPTERS if name.startswith(("A ", "An "))]
ORDER = re.compile(
    r"^(?P<verb>Append to|Create|In|Run)(?: `(?P<path>[^`]+)`)?"
    r"(?:, after `(?P<after>[^`]+)`)?(?:, replace `(?P<before>[^`]+)` with)?:\n\n"
    r"```\w+\n(?P<text>.*?)```",
    re.MULTILINE | re.DOTALL,
)
"""A sentence that says what to do, and the block below it."""
BETWEEN = {".toml": "\n", ".py": "\n\n"}
"""What stands between two entries of a file."""
PARTS = (
    "cli", "components", "data", "engine", "entities", "main.py", "procgen", "pyproject.toml",
    "render", "tests", "workbench",
)  # fmt: skip


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project that the recipes change, one after another."""
    folder = tmp_path_factory.mktemp("project")
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            shutil.copytree(source, folder / part, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, folder / part)
    return folder


def carry_out(order, folder):
    """Do what one sentence of the page says."""
    verb, path, text = order["verb"], order["path"], order["text"]
    if verb == "Run":
        for line in text.splitlines():
            run(line, folder)
        return
    file = folder / path
    if verb == "Create":
        assert not file.exists()
        file.write_text(text, encoding="utf-8")
        return
    old = file.read_text(encoding="utf-8")
    if verb == "Append to":
        file.write_text(old + BETWEEN[file.suffix] + text, encoding="utf-8")
        return
    begin = old.index(order["after"]) if order["after"] else 0
    before = re.escape(order["before"])
    place = re.compile(f"^{before}$", re.MULTILINE).search(old, begin)  # a whole line, if there is
    place = place or re.compile(before).search(old, begin)
    assert place, f"{path} has no {order['before']!r}"
    new = old[: place.start()] + text.removesuffix("\n") + old[place.end() :]
    file.write_text(new, encoding="utf-8")


def run(line, folder):
    command = shlex.split(line, comments=True)
    assert command[0] == "python"
    done = subprocess.run(
        [sys.executable, *command[1:]], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{line}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


def test_the_list_at_the_top_names_every_recipe():
    linked = re.findall(r"\[(an? [^\]]+)\]\(#", PAGE, re.IGNORECASE)
    assert {name.lower() for name in RECIPES} == {name.lower() for name in linked}
    assert len(RECIPES) >= 8
    assert all(ORDER.search(CHAPTERS[name]) for name in RECIPES)


@pytest.mark.parametrize("name", RECIPES)
def test_a_recipe_of_the_cookbook_works(name, copy):
    orders = list(ORDER.finditer(CHAPTERS[name]))
    assert len(orders) == CHAPTERS[name].count("```") / 2, "a block that no sentence explains"
    for order in orders:
        carry_out(order, copy)
