"""The documents: what they name exists, their commands parse, and generated ones are fresh."""

import functools
import itertools
import re
import shlex

import pytest

from docs.generate import documents, missing_calls, with_numbers
from entities.creature_kinds import HERO, creature_kinds
from entities.item_kinds import item_kinds
from main import main, parser
from procgen.recipes import current_recipes
from procgen.step_registry import all_steps
from support.paths import ROOT

PAGES = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "tests/README.md",
]
PLAIN_PAGES = [page for page in PAGES if page.name != "MAP.md"]
LINK = re.compile(r"\]\(([^)#\s]+)(#[^)\s]*)?\)")
PATH = re.compile(r"`((?:[\w.-]+/)*[\w.-]+\.(?:py|toml|md|txt|svg|png|csv)|(?:[\w-]+/)+)`")
COMMAND = re.compile(r"^python main\.py(.*)$", re.MULTILINE)
BLOCK = re.compile(r"```(?:sh)?\n(.*?)```", re.DOTALL)
FOLDERS = ("cli", "workbench", "render", "engine", "procgen", "entities", "components", "data")


fresh_documents = functools.cache(documents)


def name(page):
    return page.relative_to(ROOT).as_posix()


def words(page):
    return page.read_text(encoding="utf-8")


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links_lead_to_files(page):
    targets = [match[0] for match in LINK.findall(words(page)) if "://" not in match[0]]
    assert [target for target in targets if not (page.parent / target).exists()] == []


@pytest.mark.parametrize("page", PLAIN_PAGES, ids=name)
def test_paths_in_the_project_exist(page):
    known = (*FOLDERS, "docs", "tests")
    paths = [path for path in PATH.findall(words(page)) if path.split("/")[0] in known]
    new = created_by_the_cookbook() if page.name == "CONTRIBUTING.md" else set()
    assert [path for path in paths if path not in new and not (ROOT / path).exists()] == []


def created_by_the_cookbook():
    page = words(ROOT / "CONTRIBUTING.md")
    return set(re.findall(r"^Create `([^`]+)`", page, re.MULTILINE))


@pytest.mark.parametrize("page", PLAIN_PAGES, ids=name)
def test_commands_have_the_options_they_use(page):
    blocks = "\n".join(BLOCK.findall(words(page)))
    for command in COMMAND.findall(blocks):
        try:
            parser().parse_args(arguments(command))
        except SystemExit:
            pytest.fail(f"main.py{command}")


def arguments(command):
    """Return the words of a shell command, without its comment, pipe or redirection."""
    lexer = shlex.shlex(command, posix=True, punctuation_chars="|<>")
    lexer.whitespace_split = True
    return list(itertools.takewhile(lambda word: word not in {"|", "<", ">"}, lexer))


def test_the_search_of_a_changed_generator_finds_levels(capsys):
    commands = COMMAND.findall(words(ROOT / "docs" / "workbench.md"))
    (search,) = [command for command in commands if " find " in command and " --set " in command]
    assert main(arguments(search)) == 0
    assert capsys.readouterr().out.count("\n") > 3


def test_every_name_in_the_glossary_is_defined_in_its_file():
    rows = re.findall(r"^\| (.+?) \| .+? \| `(.+?)` \|$", words(ROOT / "GLOSSARY.md"), re.MULTILINE)
    assert len(rows) > 60
    lost = []
    for term, path in rows:
        text = words(ROOT / path) if (ROOT / path).is_file() else ""
        defined = re.findall(r"^ *(?:(?:def|class) |self\.)?(\w+)\b(?:\(|:| =)", text, re.MULTILINE)
        lost += [f"{path}: {word}" for word in re.findall(r"`(\w+)`", term) if word not in defined]
        if not text:
            lost.append(path)
    assert lost == []


@pytest.mark.parametrize(
    "document",
    ["docs/MAP.md", "docs/turn.svg", "docs/level.svg", "README.md", "CHANGELOG.md"],
)
def test_generated_documents_are_fresh(document):
    path = ROOT / document
    fresh = path.exists() and words(path) == fresh_documents()[document]
    assert fresh, f"{document} is out of date; run: python docs/generate.py"


def test_numbers_of_the_data_are_written_into_pages_and_nothing_else_is(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(words(ROOT / "README.md").replace("48 level", "7 level"), encoding="utf-8")
    assert with_numbers(page) == words(ROOT / "README.md")
    page.write_text("There are 3 generators: 1 kinds of item, 2 generators", encoding="utf-8")
    numbers = len(current_recipes()), len(item_kinds())
    expected = "There are {} generators: {} kinds of item, 2 generators".format(*numbers)
    assert with_numbers(page) == expected


def test_the_drawn_turn_is_the_way_the_code_takes():
    assert missing_calls() == []


def test_the_readme_fits_on_a_page_or_two():
    assert len(words(ROOT / "README.md").splitlines()) <= 150


def test_the_numbers_of_generators_monsters_and_items_are_those_of_the_data():
    text = " ".join(words(ROOT / "README.md").split())
    monsters = [name for name in creature_kinds() if name != HERO]
    for phrase in (
        f"{len(current_recipes())} level generators",
        f"{len(monsters)} kinds of monster and {len(item_kinds())} kinds of item",
    ):
        assert phrase in text, f"README.md has not: {phrase}; run: python docs/generate.py"


def test_the_comments_of_data_files_name_files_that_exist():
    paths = re.compile(r"[\w/]+\.(?:py|toml|md)\b")
    for file in [path for path in (ROOT / "data").rglob("*") if path.suffix in {".toml", ".txt"}]:
        comments = [line for line in words(file).splitlines() if line.startswith("#")]
        for path in set(paths.findall(" ".join(comments))) - {"cli/NAME.py"}:
            beside = ROOT / path, ROOT / "data" / path, file.parent / path
            assert any(place.exists() for place in beside), f"{file.name}: {path}"


def test_the_page_explains_every_word_that_steps_need_and_give():
    chapter = words(ROOT / "CONTRIBUTING.md").partition("\n## A step\n")[2].partition("\n## ")[0]
    explained = {
        word
        for row in re.findall(r"^\| (`.+?) \|", chapter, re.MULTILINE)
        for word in re.findall(r"`(\w+)`", row)
    }
    assert explained == set().union(*(one.needs | one.gives for one in all_steps().values()))


def test_the_files_to_start_with_are_about_as_long_as_the_page_says():
    page = words(ROOT / "ARCHITECTURE.md")
    listed = page.partition("## Where to start reading")[2].partition("\n| ")[0]
    said = int(re.search(r"about ([\d,]+) lines", listed)[1].replace(",", ""))
    counted = sum(len(words(ROOT / path).splitlines()) for path in PATH.findall(listed))
    assert abs(counted - said) < said / 10, f"they have {counted} lines"


def test_the_names_in_the_table_of_questions_are_in_their_files():
    answers = re.findall(r"^\| [^|]+\? \| (.+) \|$", words(ROOT / "ARCHITECTURE.md"), re.MULTILINE)
    assert len(answers) > 10
    for path, names in re.findall(r"`([\w/]+\.\w+)`(?: \(([^)]+)\))?", " ".join(answers)):
        text = words(ROOT / path)
        assert [one for one in re.findall(r"`(\w+)`", names) if one not in text] == [], path


def test_everything_in_the_data_folder_is_in_the_table():
    rows = words(ROOT / "docs" / "files-and-formats.md").partition("## Data\n")[2]
    named = set(re.findall(r"`([\w./]+)`", rows.partition("\n## ")[0]))
    found = {one.name + "/" * one.is_dir() for one in (ROOT / "data").iterdir()}
    assert found == named & found


def test_the_check_of_every_push_runs_the_test_command_of_the_readme():
    blocks = BLOCK.findall(words(ROOT / "README.md"))
    command = next(block for block in blocks if "pytest" in block).strip()
    assert command in words(ROOT / ".ci" / "run").splitlines()
