"""Every recipe of CONTRIBUTING.md is carried out on a copy of the project, and its commands run."""

import json
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
GOES_ON = {"A behaviour": "A creature"}
"""Chapters that change what another has made."""
ORDER = re.compile(
    r"^(?P<verb>Append to|Create|In|Run)(?: `(?P<path>[^`]+)`)?"
    r"(?:, after `(?P<after>[^`]+)`)?"
    r"(?:, replace (?P<line>the line )?`(?P<before>[^`]+)` with)?:\n\n"
    r"```\w+\n(?P<text>.*?)```",
    re.MULTILINE | re.DOTALL,
)
"""A sentence that says what to do, and the block below it."""
BETWEEN = {".toml": "\n", ".py": "\n\n"}
"""What stands between two entries of a file."""
PARTS = (
    "CHANGELOG.md", "README.md", "cli", "components", "data", "docs", "engine", "entities",
    "main.py", "procgen",
    "pyproject.toml", "render", "seedhollow.py", "tests", "workbench",
)  # fmt: skip


def copied(folder):
    """Copy the project to ``folder`` and return it."""
    for part in PARTS:
        source = ROOT / part
        if source.is_dir():
            # Compiled modules too, which saves half a minute.
            shutil.copytree(source, folder / part)
        else:
            shutil.copy(source, folder / part)
    return folder


@pytest.fixture(scope="module")
def copy(tmp_path_factory):
    """A copy of the project that the recipes change, one after another."""
    return copied(tmp_path_factory.mktemp("project"))


def carry_out(order, folder, *, alone):
    """Do what one sentence of the page says, each command ``alone`` in a process or all in one."""
    verb, path, text = order["verb"], order["path"], order["text"]
    if verb == "Run":
        lines = text.splitlines()
        for together in [[line] for line in lines] if alone else [lines]:
            run(together, folder)
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
    place = place_to_replace(order, old)
    new = old[: place.start()] + text.removesuffix("\n") + old[place.end() :]
    file.write_text(new, encoding="utf-8")


def place_to_replace(order, old):
    """Find what ``order`` replaces in the text ``old``: a reader must find just one such place."""
    before, begin = re.escape(order["before"]), 0
    if order["after"]:
        assert old.count(order["after"]) == 1, f"{order['path']}: where is {order['after']!r}?"
        begin = old.index(order["after"])
    pattern = re.compile(f"^{before}$" if order["line"] else before, re.MULTILINE)
    places = list(pattern.finditer(old, begin))
    assert len(places) == 1 or (places and order["after"]), (order["path"], order["before"], places)
    return places[0]


ONE_AFTER_ANOTHER = """
import json, os, runpy, sys
for command in json.loads(sys.argv[1]):
    module = command[0] == "-m"
    sys.argv = command[module:]
    sys.path[0] = os.getcwd() if module else os.path.abspath(os.path.dirname(command[0]))
    try:
        (runpy.run_module if module else runpy.run_path)(command[module], run_name="__main__")
    except SystemExit as left:
        assert not left.code, (command, left.code)
"""
"""A program that runs Python commands in one process, to import the libraries once."""


def run(lines, folder):
    """Run commands, in one process if there are several."""
    commands = [shlex.split(line, comments=True) for line in lines]
    assert {command[0] for command in commands} == {"python"}
    words = commands[0][1:]
    if len(commands) > 1:
        words = ["-c", ONE_AFTER_ANOTHER, json.dumps([command[1:] for command in commands])]
    done = subprocess.run(
        [sys.executable, *words], cwd=folder, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, f"{lines}\n{done.stdout[-3000:]}{done.stderr[-3000:]}"


def test_the_list_at_the_top_names_every_recipe():
    linked = re.findall(r"\[(an? [^\]]+)\]\(#", PAGE, re.IGNORECASE)
    assert {name.lower() for name in RECIPES} == {name.lower() for name in linked}
    assert len(RECIPES) >= 8
    assert all(ORDER.search(CHAPTERS[name]) for name in RECIPES)


@pytest.mark.parametrize(
    ("sentence", "places"),
    [
        ("replace `[one]`", [1]),
        ("replace `[two]`", []),  # It could be the one in the comment.
        ("replace the line `[two]`", [3]),
        ("after `[one]`, replace `[two]`", [3]),
        ("replace `[three]`", []),
    ],
)
def test_what_is_to_be_replaced_is_found_as_a_reader_finds_it(sentence, places):
    order = ORDER.search(f"In `a.toml`, {sentence} with:\n\n```toml\nx\n```")
    old = "# [two] follows\n[one]\na = 1\n[two]\n"
    if not places:
        with pytest.raises(AssertionError):
            place_to_replace(order, old)
        return
    assert [old[: place_to_replace(order, old).start()].count("\n")] == places


@pytest.mark.parametrize("name", [name for name in RECIPES if name not in GOES_ON.values()])
def test_a_recipe_of_the_cookbook_works(name, copy):
    for chapter in [GOES_ON[name], name] if name in GOES_ON else [name]:
        orders = list(ORDER.finditer(CHAPTERS[chapter]))
        assert len(orders) == CHAPTERS[chapter].count("```") / 2, "a block without a sentence"
        for order in orders:
            carry_out(order, copy, alone=chapter == RECIPES[0])


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A copy of the project with the changes of all recipes, and no command run; the changes."""
    folder = copied(tmp_path_factory.mktemp("whole"))
    orders = [order for name in RECIPES for order in ORDER.finditer(CHAPTERS[name])]
    orders = [order for order in orders if order["verb"] != "Run"]
    for order in orders:
        carry_out(order, folder, alone=False)
    return folder, orders


@pytest.mark.slow  # Newer versions of ruff and mypy may ask for more than the page does.
def test_code_made_by_the_recipes_passes_the_checks(whole):
    folder, orders = whole
    changed = sorted({order["path"] for order in orders if order["path"].endswith(".py")})
    product = [path for path in changed if not path.startswith("tests/")]
    run([f"python -m ruff check {' '.join(changed)}"], folder)
    run([f"python -m ruff format --check {' '.join(changed)}"], folder)
    run([f"python -m mypy {' '.join(product)}"], folder)
    run(["python -m pytest -q tests/project/test_architecture.py -k 'short or name'"], folder)


REST = {
    "commands": "cli/test_command_line.py cli/test_user_folder.py cli/test_user_folder_faults.py",
    "exports": "workbench/exports",
    "rules": "engine/items/test_planting_promises.py engine/monsters/test_fights_as_forecast.py",
    "runs": "engine/saves/test_ghosts.py engine/saves/test_golden_runs.py "
    "engine/saves/test_keyframes.py render/replays",
    "screens": "render/messages render/screens/test_inventory_screens.py "
    "render/screens/test_mouse_menu.py render/screens/test_overlay_menu.py",
}
"""Tests of the rest of the project that one recipe or another has failed."""


@pytest.mark.slow
@pytest.mark.parametrize("part", REST)
def test_the_recipes_together_leave_the_rest_of_the_tests_green(part, whole):
    folder, _ = whole
    if part == "runs":
        run(["python tests/keep.py runs"], folder)
    tests = " ".join(f"tests/{path}" for path in REST[part].split())
    run([f"python -m pytest -q -p no:cacheprovider {tests}"], folder)
