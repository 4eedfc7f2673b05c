"""What commands read and write: devices, pipes, links, standard streams, odd arguments."""

import io
import json
import os
import re
import shlex
import stat
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image

from cli.arguments import level_codes
from cli.output import create_file
from entities.data_files import DataError, read_toml
from main import main
from render.ui.options import load_options
from support.bot_runs import headed, played
from support.command_line import PLAIN, assert_refused, run
from support.kept_runs import golden_path
from support.paths import ROOT

NAMES = ["rooms.1:3:1@80x45", "rooms.1:4:1@80x45"]


@pytest.fixture
def fed(monkeypatch):
    """Return a function that puts text on standard input."""
    return lambda text: monkeypatch.setattr("sys.stdin", io.StringIO(text))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes in folders here")
def test_force_leaves_a_pipe_and_a_folder_as_they_are(tmp_path, capsys):
    pipe, folder = tmp_path / "pipe.txt", tmp_path / "folder"
    os.mkfifo(pipe)
    (folder / "survey.html").mkdir(parents=True)
    assert main(["map", "caves:1", "--output", str(pipe), "--force"]) == 2
    assert "is a device or pipe, not a file; --output -" in capsys.readouterr().err
    assert pipe.is_fifo()
    survey = ["survey", "--generator", "rooms", "--seeds", "0:2", "--workers", "1"]
    assert main([*survey, "--output", str(folder), "--force"]) == 2
    assert "is a folder, not a file" in capsys.readouterr().err


def test_two_processes_write_one_file_and_it_is_always_whole(tmp_path):
    target = tmp_path / "grid.json"
    with create_file(target, force=True) as ours:
        ours.write(b"ours")
        script = f"""
import sys; sys.path.insert(0, {str(ROOT)!r})
from pathlib import Path; from cli.output import create_file
with create_file(Path({str(target)!r}), force=True) as theirs:
    theirs.write(b"theirs")
"""
        subprocess.run([sys.executable, "-c", script], check=True)
        assert target.read_bytes() == b"theirs"
    assert target.read_bytes() == b"ours"
    assert [path.name for path in tmp_path.iterdir()] == ["grid.json"]


@pytest.mark.skipif(not hasattr(os, "mknod"), reason="no device files here")
def test_force_leaves_a_device_as_it_is(tmp_path, capsys):
    device = tmp_path / "null.txt"
    try:
        os.mknod(device, stat.S_IFCHR | 0o600, os.makedev(1, 3))
    except OSError:
        pytest.skip("only root makes devices")
    assert main(["map", "caves:1", "--output", str(device), "--force"]) == 2
    assert "is a device or pipe, not a file" in capsys.readouterr().err
    assert device.is_char_device()


def test_force_writes_what_a_link_leads_to(tmp_path):
    kept, link = tmp_path / "kept.txt", tmp_path / "link.txt"
    kept.write_text("old")
    link.symlink_to(kept)
    assert main(["map", "rooms:1", "--output", str(link), "--force"]) == 0
    assert link.is_symlink()
    assert kept.read_text().startswith("rooms.1:1:1@80x45")


def test_an_unfinished_file_is_never_written_through_a_link(tmp_path):
    victim, target = tmp_path / "victim", tmp_path / "level.txt"
    victim.write_text("mine")
    target.write_text("old")
    (tmp_path / f"level.txt.{os.getpid()}.part").symlink_to(victim)
    assert main(["map", "rooms:1", "--output", str(target), "--force"]) == 0
    assert victim.read_text() == "mine"
    assert not target.is_symlink()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["level.txt", "victim"]


def test_a_minus_is_standard_output():
    text = run("map", "rooms:3", "--output", "-")
    assert text.stdout.startswith("rooms.1:3:1@80x45")
    page = run("survey", "--generator", "rooms", "--seeds", "0:3", "--workers", 1, "--output", "-")
    assert page.stdout.lower().startswith("<!doctype html>")
    assert "diversity" in page.stderr
    refused = run("map", "rooms:3", "--format", "tmj", "--output", "-")
    assert refused.returncode == 2
    assert "more than one file" in refused.stderr
    assert run("simulate", "--runs", 1, "--workers", 1, "--output", "-").returncode == 2


@pytest.mark.parametrize("words", [["map", "rooms:3", "--format", "png"], ["gallery", "rooms:3"]])
def test_pictures_go_to_standard_output(words, capfdbinary):
    assert main([*words, "--output", "-"]) == 0
    assert Image.open(io.BytesIO(capfdbinary.readouterr().out)).format == "PNG"


@pytest.mark.parametrize(
    "form", ["text", "json", "jsonl", "gif", "html", "svg", "pdf", "ldtk", "xp", "npz"]
)
def test_every_format_of_one_file_goes_to_standard_output(form, inside, capfdbinary):
    code = main(["map", "rooms:3@30x20", "--format", form, "--output", "-"])
    told = capfdbinary.readouterr()
    if b"more than one file" in told.err:
        assert (code, form) == (2, "ldtk")
    else:
        assert (code, told.err) == (0, b"")
        assert b"rooms" in told.out or form in {"xp", "npz", "gif", "pdf"}
        assert len(told.out) > 500
    assert list(inside.iterdir()) == []


@pytest.mark.parametrize("form", ["text", "csv", "jsonl", "codes"])
def test_what_find_writes_can_be_read_again(form, fed, capsys):
    words = ["find", "--generator", "rooms", "--seeds", "3:5", "--where", "floor > 0"]
    assert main([*words, "--format", form, "--workers", "1"]) == 0
    fed(capsys.readouterr().out)
    assert [str(code) for code in level_codes(["-"], None, None, 10)] == NAMES


def test_a_window_on_an_infinite_world_can_be_read_too(fed):
    fed("wilds.1:1:1@5000,300@20x10\n")
    assert str(level_codes(["-"], None, None, 1)[0]) == "wilds.1:1:1@5000,300@20x10"


@pytest.mark.parametrize("line", ['{"seed": 3}', '{"x": ' + "[" * 9999 + "]" * 9999 + "}"])
def test_a_line_that_is_no_record_is_one_sentence(line, fed, capsys):
    fed(line + "\n")
    assert_refused(["map", "-"], "is not a JSON record with a level code", capsys)


def test_a_table_may_have_endless_cells(fed, capsys):
    fed(f"rooms.1:3:1@80x45,{'x' * 200_000}\n")
    assert list(map(str, level_codes(["-"], None, None, 1))) == NAMES[:1]
    fed(f'"{"x" * 200_000}"\n')
    assert_refused(["map", "-"], "is not a level code", capsys)


def test_an_earlier_benchmark_nested_too_deeply_is_one_sentence(tmp_path, capsys):
    earlier = tmp_path / "earlier.json"
    earlier.write_text('{"x": ' + "[" * 9999 + "]" * 9999 + "}")
    assert main(["bench", "--levels", "1", "--against", str(earlier)]) == 1
    assert "is not what `main.py bench --json` wrote" in capsys.readouterr().err


def test_a_stream_that_is_no_utf8_is_one_sentence(fed, capsys):
    fed("caves:1\ncaves:\udcff\n")
    assert_refused(["map", "-", "--format", "png"], "standard input is not valid UTF-8", capsys)


@pytest.mark.parametrize(
    ("option", "folder"), [("--data-dir", "a.txt"), ("--data-dir", ""), ("--mine", "none")]
)
def test_a_chosen_folder_that_is_none_is_refused(option, folder, tmp_path, capsys, monkeypatch):
    (tmp_path / "a.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    command = ["scores"] if option == "--data-dir" else ["list"]
    with pytest.raises(SystemExit) as left:
        main([*command, option, folder])
    assert left.value.code == 2
    assert f"{command[0]}: {option} {folder!r} is not a folder" in capsys.readouterr().err
    variable = {"--data-dir": "SEEDHOLLOW_DATA", "--mine": "SEEDHOLLOW_MINE"}[option]
    monkeypatch.setenv(variable, folder)
    if not folder:  # The same as without the variable.
        assert main(["list"]) == 0
        return
    with pytest.raises(SystemExit) as left:
        main(command)
    assert left.value.code == 2
    assert f"${variable} {folder!r} is not a folder" in capsys.readouterr().err


def test_a_catalog_of_one_depth_has_the_grounds_of_one_depth(capsys):
    assert main(["catalog", "--seed", "1", "--depth", "3"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert [row.split(",")[1:4] for row in rows[1:]] == [["1", "3", ground] for ground in "123"]


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    ("words", "unbuffered"),
    [
        (["map", "caves:1"], ""),
        (["map", "caves:1"], "1"),
        (["--help"], ""),
        (["--help"], "1"),
        (["find", "--help"], ""),
    ],
)
def test_a_full_disk_is_one_sentence(words, unbuffered):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *words],
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered},
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert re.fullmatch(r".*: the output cannot be written \(.*\)\n", done.stderr)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full device here")
@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["map", "nosuch"], 2),
        (["list", "--nonsense"], 2),
        # The search must end before the interpreter does, which would wait for it for ever.
        (["find", "--where", "loops >= 0", "--seeds", "0:3", "--workers", "2"], 1),
    ],
)
def test_where_nothing_can_be_written_the_exit_code_still_tells(words, code):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, str(ROOT / "main.py"), *words],
            stdout=full,
            stderr=full,
            timeout=60,
            check=False,
        )
    assert done.returncode == code


@pytest.mark.skipif(os.name == "nt", reason="streams are closed by a shell")
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ("map -", 2, "standard input has no level code"),
        ("play --terminal", 5, "there is no display and no terminal to play in"),
        ("play", 5, "there is no display and no terminal to play in"),
        ("replay RUN", 5, "or `replay FILE --verify`"),
    ],
)
def test_a_closed_input_is_one_sentence(words, code, said):
    if "RUN" in words:
        words = words.replace("RUN", shlex.quote(str(golden_path("adventure"))))
    shell = f"{shlex.quote(sys.executable)} {shlex.quote(str(ROOT / 'main.py'))} {words} <&-"
    done = subprocess.run(
        shell, shell=True, capture_output=True, text=True, env=PLAIN, timeout=60, check=False
    )
    assert done.returncode == code
    assert said in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["map", "rooms:1"], ["gallery", "rooms:1"]])
def test_a_missing_folder_is_made(words, tmp_path):
    target = tmp_path / "new" / "folder" / "a.png"
    assert main([*words, "--output", str(target)]) == 0
    assert Image.open(target).format == "PNG"


def test_an_ending_of_another_format_is_refused(tmp_path, capsys):
    assert_refused(
        ["map", "rooms:1", "--format", "gif", "--output", tmp_path / "a.png"],
        "ends in .png, but the format is gif",
        capsys,
    )
    txt = ["map", "rooms:1", "--format", "png", "--output", tmp_path / "a.txt"]
    assert_refused(txt, "ends in .txt, but the format is png", capsys)
    assert main(["map", "rooms:1", "--format", "tmj", "--output", str(tmp_path / "a.json")]) == 0


@pytest.mark.parametrize(
    ("words", "command"),
    [
        (["check", "--form", "json"], "check"),
        (["list", "--seeds", "4"], "list"),
        (["survey", "--jsn"], "survey"),
        (["simulate", "--words", "a"], "simulate"),
        (["map", "--form", "json"], "map"),
    ],
)
def test_a_wrong_word_gets_one_sentence_that_names_its_command(words, command, capsys):
    with pytest.raises(SystemExit) as left:
        main(words)
    said = capsys.readouterr().err
    assert left.value.code == 2
    assert said.startswith(f"main.py {command}: unrecognized arguments: ")
    assert said.endswith(" (see --help)\n")
    assert said.count("\n") == 1


def test_a_wrong_word_is_printed_shortened_and_without_control_characters(capsys):
    for word in ("--\x1b[31m", "--" + "x" * 5000):
        with pytest.raises(SystemExit) as left:
            main(["runs", word])
        said = capsys.readouterr().err
        assert left.value.code == 2
        assert said.startswith("main.py runs: unrecognized arguments: --")
        assert "\x1b" not in said
        assert len(said) < 2100


def test_a_replay_is_found_by_the_name_that_runs_lists(own_home, capsys):
    played(own_home / "runs" / "20261122-071221-3.jsonl", 5)
    assert main(["replay", "20261122-071221-3", "--verify"]) == 0
    assert "turns   5" in capsys.readouterr().out


@pytest.mark.parametrize(
    "words",
    [
        ["map", "caves:\udcff"],
        ["map", "--seed", "\udcff"],
        ["play", "--seed", "\udcff"],
        ["map", "caves:1", "--output", "\udcff.txt"],
        ["replay", "\udcff"],
    ],
)
def test_words_that_are_no_utf8_are_one_sentence(words, capsys):
    with pytest.raises(SystemExit) as left:
        main(words)
    assert left.value.code == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert re.search(r"the argument '.*\\xff.*' is not valid UTF-8", said)


@pytest.mark.parametrize(
    "words",
    [
        ["map", "rooms:" + "9" * 5000],
        ["map", "--seeds", "0:" + "9" * 5000],
        ["map", "rooms:1:" + "9" * 5000],
        ["map", "--depth", "9" * 5000],
        ["simulate", "--runs", "0" * 9 + "9" * 5000],
        ["find", "--generator", "rooms", "--seeds", "0:1", "--where", "floor > " + "9" * 900],
        ["gallery", "--size", "9" * 5000 + "x3", "--output", "x.png"],
        ["map", "--generator", "wilds", "--at", "9" * 5000 + ",3"],
    ],
)
def test_huge_numbers_are_one_sentence(words, capsys):
    code = main(words)
    said = capsys.readouterr().err
    assert code == 2 or words[0] == "find"
    assert "fault of the program" not in said
    assert len(said) < 400


def test_a_machine_without_a_home_is_one_sentence(monkeypatch, capsys):
    def homeless(*_, **__):
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("SEEDHOLLOW_DATA", raising=False)
    monkeypatch.setattr("platformdirs.user_data_path", homeless)
    assert main(["runs"]) == 1
    said = capsys.readouterr().err
    assert "SEEDHOLLOW_DATA" in said
    assert said.count("\n") == 1
    assert "fault of the program" not in said


def test_json_escapes_what_a_terminal_would_obey(own_home, capsys):
    hostile = "\x9b31m\u202eevil\x1b[0m"
    path = played(own_home / "runs" / "a.jsonl", 5).recorder.path
    headed(path, list(map(json.loads, path.read_text().splitlines())), typed_seed=hostile)
    assert main(["runs", "--json"]) == 0
    said = capsys.readouterr().out
    assert not re.search("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]", said)
    assert json.loads(said)[0]["seed"] == hostile


def test_data_nested_too_deeply_is_one_sentence(tmp_path):
    (tmp_path / "themes.toml").write_text("a = " + "[" * 20_000)
    with pytest.raises(DataError, match="not valid TOML"):
        read_toml("themes.toml", tmp_path)


def test_data_may_begin_with_a_byte_order_mark(tmp_path):
    (tmp_path / "themes.toml").write_text("a = 1\n", encoding="utf-8-sig")
    assert read_toml("themes.toml", tmp_path) == {"a": 1}


@pytest.mark.parametrize("text", ["a = " + "[" * 20_000, "a = " + "9" * 5000])
def test_options_that_cannot_be_read_are_one_sentence(own_home, text):
    own_home.mkdir()
    (own_home / "options.toml").write_text(text)
    assert "not valid TOML" in load_options()
