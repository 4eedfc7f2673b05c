"""Commands that hand levels to each other, and what a search says that found nothing."""

import io
import json

import pytest
from PIL import Image

from cli.arguments import level_codes
from entities.program import PROGRAM
from main import main
from procgen.recipes import current_recipes
from support.bot_runs import played

FIND = ["find", "--seeds", "0:4", "--size", "40x30", "--workers", "1"]


def told(capsys, *arguments):
    """Return the exit code of a command, its lines, and what it says on standard error."""
    code = main([str(argument) for argument in arguments])
    out, err = capsys.readouterr()
    return code, out.splitlines(), err


@pytest.fixture
def fed(monkeypatch):
    """Return a function that puts lines on standard input."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


def test_several_generators_can_be_named_in_either_way(capsys):
    asked = ["--where", "path > 0", "--format", "codes"]
    code, one, _ = told(capsys, *FIND, *asked, "--generator", "rooms,walk")
    assert code == 0
    assert [line.partition(".")[0] for line in one] == ["rooms"] * 4 + ["walk"] * 4
    again = ["--generator", "rooms", "--generator", "walk", "--generator", "rooms"]
    assert told(capsys, *FIND, *asked, *again)[1] == one
    code, _, err = told(capsys, *FIND, *asked, "--generator", "rooms,wlk")
    assert (code, err[:34]) == (2, "main.py: there is no generator 'wl")


def test_a_table_that_was_found_can_be_drawn(capsys, fed, tmp_path):
    _, table, _ = told(capsys, *FIND, "--generator", "walk", "--sort", "path", "--limit", "3")
    fed("\n".join(table))
    code, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    assert code == 0
    codes = [row.split()[0] for row in table[1:]]
    assert [json.loads(line)["code"] for line in drawn] == codes
    _, table, _ = told(capsys, *FIND, "--generator", "walk", "--sort", "path", "--json")
    fed("\n".join(table))
    _, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    assert [json.loads(line)["code"] for line in drawn[:3]] == codes
    fed(f"walk:1\n[{drawn[0]}]\n")
    assert len(told(capsys, "map", "-", "--format", "jsonl")[1]) == 2
    fed("\n".join(table))
    sheet = tmp_path / "sheet.png"
    assert told(capsys, "gallery", "rooms:7", "-", "--output", sheet)[0] == 0
    with Image.open(sheet) as picture:
        assert picture.info["Title"] == "Seedhollow: 5 levels"
        assert all(code in picture.info["Command"] for code in codes)


@pytest.mark.parametrize("table", ["code,seed\nwalk:1,1\n", "walk:1\n", '[{"code": "walk:1"}]'])
def test_a_table_saved_with_a_byte_order_mark_can_be_drawn(capsys, fed, table):
    fed(f"\ufeff{table}")
    code, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    assert (code, len(drawn)) == (0, 1)


def test_what_is_shared_of_a_run_is_taken_as_the_code_in_it(capsys, fed):
    shared = "Seedhollow walk.1:2:1@80x45: depth 1, 16 points, abandoned"
    fed(f"{shared}\nwalk > rooms (2)\n{shared}\nwalk\n{shared}\nwalk:3\n")
    code, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    first = "walk.1:2:1@80x45"
    codes = [json.loads(line)["code"] for line in drawn]
    assert (code, codes) == (0, [*[first] * 3, "walk.1:3:1@80x45"])
    for command in ("map", "describe"):
        code, lines, _ = told(capsys, command, shared)
        assert code == 0
        assert first in "\n".join(lines)


@pytest.mark.parametrize(
    ("lines", "codes"),
    [
        ("alice: {}: depth 1, 16 points\nwalk > rooms\nwalk:3\n", ["walk:2", "walk:3"]),
        ("> {}: depth 1\n> walk > rooms (2)\n  {}: depth 1\n  walk\n", ["walk:2"] * 2),
        ("`{}`\nlook at (walk.1:4:1@80x45).\n", ["walk:2", "walk:4"]),
        ("code   path\nwalk:gold mine\n1 walk.1:4:1@80x45 7\n", ["walk:gold mine", "walk:4"]),
    ],
)
def test_a_line_on_standard_input_is_read_as_an_argument_is(lines, codes, fed):
    fed(lines.replace("{}", "Seedhollow walk.1:2:1@80x45"))
    assert level_codes(["-"], None, None, 9) == level_codes(codes, None, None, 9)


@pytest.mark.parametrize(
    "table",
    [
        "seed,code\n2,walk.1:2:1@80x45\n",
        "seed,code\r\n2,walk.1:2:1@80x45\r\n",
        '"","seed","code","x"\n"1",2,"walk.1:2:1@80x45",0.5\n',
        "code,seed\nwalk:2,2\n",
        "code\nwalk:2\n",
    ],
)
def test_any_column_of_csv_may_be_that_of_the_codes(table, fed):
    world = "wilds.1:7:1@-3,5@80x45"
    fed(f"{table}{world}\n" if table.startswith("code\n") else table)
    codes = ["walk:2", world] if table.startswith("code\n") else ["walk:2"]
    assert level_codes(["-"], None, None, 9) == level_codes(codes, None, None, 9)


def test_a_line_on_standard_input_with_two_codes_is_refused(capsys, fed):
    fed("caves.1:42:3@80x45, or walk.1:2:1@80x45\n")
    code, _, err = told(capsys, "map", "-")
    assert (code, "has 2 level codes: give one" in err) == (2, True)


@pytest.mark.parametrize(
    "words",
    [
        ("find", "--illuminate", "loops,path", "--generator", "walk", "--levels", "1"),
        ("catalog", "--seed", "3", "--generator", "walk", "--depths", "1", "--format", "csv"),
        ("catalog", "--seed", "3", "--generator", "walk", "--depths", "1", "--format", "json"),
        ("describe", "walk:1", "walk:2", "--format", "csv"),
        ("describe", "walk:1", "walk:2", "--format", "json"),
    ],
)
def test_every_table_of_levels_can_be_drawn(capsys, fed, words):
    _, table, _ = told(capsys, *words)
    fed("\n".join(table))
    code, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    assert code == 0
    assert all(json.loads(line)["code"] in "\n".join(table) for line in drawn)
    rows = json.loads("".join(table)) if words[-1] == "json" else table[1:]
    assert len(drawn) == len(rows) > 0


def test_the_record_of_a_level_is_taken_as_its_code(capsys, fed):
    _, record, _ = told(capsys, "map", "walk:1", "--format", "json")
    assert len(record) > 100
    fed("\n".join(["rooms:1", *record]))
    code, drawn, _ = told(capsys, "map", "-", "--format", "jsonl")
    assert code == 0
    codes = [json.loads(line)["code"] for line in drawn]
    assert codes == ["rooms.1:1:1@80x45", json.loads("".join(record))["code"]]


@pytest.mark.parametrize(
    ("lines", "sentence"),
    [
        ("", "standard input has no level code"),
        ("code  loops\n\n", "standard input has no level code"),
        ("walk:1\nnonsense\n", "'nonsense' is not a level code"),
        ("walk:1\0bsp:3\n", r"'walk:1\x00bsp:3' is not a level code"),
        ("[]\n", "standard input has no level code"),
        ("\ufeff\N{NO-BREAK SPACE}\n", "standard input has no level code"),
        ("\ufeff", "standard input has no level code"),
        ("[1,\n2]\n", "is not a JSON record with a level code"),
        ('[{"seed": 1}]\n', "is not a JSON record with a level code"),
        ("walk:1\n" * 401, "more than 400 level codes are too many"),
    ],
)
def test_piped_codes_are_checked_before_anything_is_drawn(capsys, fed, tmp_path, lines, sentence):
    fed(lines)
    code, _, err = told(capsys, "gallery", "-", "--output", tmp_path / "sheet.png")
    assert code == 2
    assert sentence in err
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


def test_a_last_row_without_a_code_does_not_hide_those_before_it(capsys, fed):
    fed('{"code": "walk:1"}\n{"code": null}\n')
    code, drawn, err = told(capsys, "map", "-", "--format", "jsonl")
    assert (code, len(drawn), err) == (0, 1, f"{PROGRAM}: 1 row without a level code\n")


@pytest.mark.parametrize("name", ["sheet.gif", "sheet.txt"])
def test_a_gallery_is_no_other_file_than_a_png(capsys, tmp_path, name):
    code, _, err = told(capsys, "gallery", "walk:1", "--output", tmp_path / name)
    assert (code, err.count("\n")) == (2, 1)
    assert err.endswith("a gallery is a PNG file\n")
    assert not list(tmp_path.iterdir())
    assert told(capsys, "gallery", "walk:1", "--output", tmp_path / "SHEET.PNG")[0] == 0


def test_codes_and_generators_are_not_given_at_once(capsys, tmp_path):
    asked = ["gallery", "walk:1", "--generator", "walk", "--output", tmp_path / "sheet.png"]
    assert told(capsys, *asked)[0] == 2


def test_a_search_without_hits_says_what_there_is(capsys):
    code, lines, err = told(capsys, *FIND, "--generator", "walk", "--where", "loops == 9999")
    assert code == 0
    assert len(lines) == 1
    assert "no match in 4 levels; 4 levels of walk:" in err
    assert "  loops " in err
    assert "--closest loops=N shows near misses; --evolve loops=N " in err
    assert " path " not in err
    code, _, err = told(capsys, *FIND, "--where", "loops == 9999", "--seeds", "0:1")
    assert f"of {len(current_recipes())} generators" in err
    one = ("--generator", "walk", "--seeds", "0:1")
    err = told(capsys, *FIND, *one, "--where", "loops == 9999")[2]
    assert "no match in 1 level; 1 level of walk:" in err
    err = told(capsys, *FIND, *one, "--sort", "path / 0")[2]
    assert "1 hit, but --sort path / 0 is not a number for any" in err
    assert told(capsys, *FIND, "--generator", "walk", "--where", "path > 0")[2] == ""


@pytest.mark.parametrize("form", ["csv", "json"])
def test_a_table_of_runs_is_drawn_without_those_that_have_no_code(capsys, fed, own_home, form):
    folder = own_home / "runs"
    played(folder / "one, two.jsonl", 5, generator="walk")
    (folder / "empty.jsonl").touch()
    _, table, _ = told(capsys, "runs", folder, "--format", form)
    fed("\n".join([*table, "walk:5"]) if form == "csv" else "\n".join(["walk:5", *table]))
    code, drawn, err = told(capsys, "map", "-", "--format", "jsonl")
    assert (code, err) == (0, f"{PROGRAM}: 1 row without a level code\n")
    codes = sorted(json.loads(line)["code"] for line in drawn)
    assert codes == ["walk.1:3:1@80x45", "walk.1:5:1@80x45"]
    (folder / "one, two.jsonl").unlink()
    _, table, _ = told(capsys, "runs", folder, "--format", form)
    fed("\n".join(table))
    code, _, err = told(capsys, "map", "-")
    assert (code, "standard input has no level code" in err) == (2, True)


@pytest.mark.parametrize("rows", ['[{"code": null}, {"code": "walk:5"}]', '{"code": null}\nwalk:5'])
def test_a_row_of_json_may_have_null_for_a_code(capsys, fed, rows):
    fed(rows)
    code, drawn, err = told(capsys, "map", "-", "--format", "jsonl")
    assert (code, len(drawn), err) == (0, 1, f"{PROGRAM}: 1 row without a level code\n")
