"""Keys and files of options: presets, faults, what is kept."""

import ast
import subprocess
import sys

import msgspec
import pytest

from entities.data_files import DataError
from render.ui.input import Key
from render.ui.keymap import bindings, command_of, first_key, key_label
from render.ui.options import (
    Options,
    apply_and_save,
    apply_options,
    current,
    load_options,
    options_path,
    presets,
    save_options,
)
from render.ui.texts import texts
from support.paths import ROOT
from support.play_screens import playing


def written(text):
    options_path().parent.mkdir(parents=True, exist_ok=True)
    options_path().write_text(text, encoding="utf-8")


@pytest.mark.parametrize("preset", presets())
def test_every_preset_leaves_every_command_a_key(preset):
    apply_options(Options(preset=preset))
    for section in texts().key_sections:
        for name, binding in bindings()[section].items():
            assert binding.keys, name
            assert command_of(section, Key.read(binding.keys[0])) == name


def test_every_command_of_play_is_carried_out_by_a_screen():
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "render/screens").glob("*.py")]
    nodes = [node for source in sources for node in ast.walk(ast.parse(source))]
    handled = {ast.unparse(node.value) for node in nodes if isinstance(node, ast.MatchValue)}
    assert {repr(name) for name in bindings()["play"]} <= handled


def test_a_key_is_read_as_it_is_written():
    for text in ("a", "+", "ctrl++", "ctrl+p", "shift+up", "ctrl+alt+shift+f1", "ctrl+-"):
        assert str(Key.read(text)) == text


def test_a_key_types_its_character_on_the_keypad_too():
    keys = ("a", "+", "space", "kp_0", "kp_9", "kp_enter", "up", "ctrl+a", "alt+a", "ctrl+kp_1")
    assert [Key.read(text).typed for text in keys] == ["a", "+", " ", "0", "9", *[""] * 5]


def test_letters_with_ctrl_are_written_as_on_the_keys():
    assert (key_label("ctrl+p"), key_label("p"), key_label("P")) == ("Ctrl+P", "p", "P")


def test_a_preset_changes_keys_and_the_help_that_shows_them():
    apply_options(Options(preset="brogue"))
    assert command_of("play", Key("x")) == "explore"
    assert first_key("play", "explore") == "x"
    assert "x     explore" in playing().reads()


def test_a_key_of_ones_own_is_taken_from_whoever_had_it():
    apply_options(Options(keys={"play": {"explore": ("x", "o")}}))
    assert command_of("play", Key("x")) == "explore"
    assert "x" not in bindings()["play"]["look"].keys


@pytest.mark.parametrize(
    ("options", "words"),
    [
        (Options(preset="emacs"), "preset: there is no preset 'emacs'; it can be brogue"),
        (Options(palette="mauve"), "no palette 'mauve'; it can be colour_blind, "),
        (Options(keys={"play": {"dance": ("d",)}}), "[play]: there is no command 'dance'"),
        (Options(keys={"play": {"explore": ("o", "F5")}}), "explore]: keys: there is no key 'F5'"),
        (
            Options(keys={"play": {"explore": ("o", "\x1b")}}),
            r"explore]: keys: there is no key '\\x1b'",
        ),
        (Options(keys={"play": {"explore": ("pgup",)}}), "explore]: keys: there is no key 'pgup'"),
        (
            Options(keys={"play": {"explore": ("o", "f13")}}),
            "explore]: keys: there is no key 'f13'",
        ),
        (Options(keys={"play": {"rest": ("Ctrl+P",)}}), "rest]: keys: there is no key 'Ctrl.P'"),
        (Options(keys={"play": {"rest": ("shift+ctrl+up",)}}), "no key 'shift.ctrl.up'"),
        (Options(keys={"play": {"explore": ("O",)}}), "[play.options]: keys: none is left"),
        (Options(keys={"play": {"wait": ("w",), "rest": ("w",)}}), "'w' is already bound to"),
    ],
)
def test_options_that_cannot_be_are_refused_by_name(options, words):
    with pytest.raises(DataError, match=words.replace("[", r"\[")):
        apply_options(options, "mine.toml")
    assert current() == Options()


def test_what_is_kept_comes_back_and_comments_stay():
    written("# mine\npalette = 'high_contrast'  # for the evening\n")
    assert load_options() == ""
    assert current().palette == "high_contrast"
    save_options(Options(palette="colour_blind", flashes=False, keys={"play": {"rest": ("R",)}}))
    text = options_path().read_text()
    assert "# mine" in text
    assert "# for the evening" in text
    assert load_options() == ""
    assert current() == Options(
        palette="colour_blind", flashes=False, keys={"play": {"rest": ("R",)}}
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("palette = 3", "palette: Expected text"),
        ("pallete = 'x'", "pallete"),
        ("not toml", "not valid TOML"),
        ("[keys.play]\nexplore = []", "explore"),
        ("\udcff", "is not text in UTF-8"),
    ],
)
def test_a_broken_file_is_said_and_left_alone(text, words):
    written("")
    options_path().write_bytes(text.encode("utf-8", "surrogateescape"))
    assert words in load_options()
    assert current() == Options()
    assert options_path().read_bytes() == text.encode("utf-8", "surrogateescape")


def test_a_file_may_begin_with_a_byte_order_mark():
    written("\ufeffflashes = false\n[keys.play]\nexplore = ['f5']\n")
    assert load_options() == ""
    assert not current().flashes
    assert save_options(msgspec.structs.replace(current(), motion=False)) is None
    assert load_options() == ""
    assert current().keys == {"play": {"explore": ("f5",)}}


def test_a_broken_file_is_kept_beside_the_new_one():
    written("not toml")
    assert "kept as options.toml.bad" in apply_and_save(Options(flashes=False))
    assert options_path().with_suffix(".toml.bad").read_text() == "not toml"
    assert load_options() == ""
    assert not current().flashes


def test_a_typo_in_the_file_never_costs_the_keys_of_one_s_own():
    for words in ('explore = ["F1"]\nnosuchcommand = ["F3"]', 'rest = ["F2"]'):
        mine = f'palette = "lamplig"\n[keys.play]\n{words}\n'
        written(mine)
        assert "lamplig" in load_options()
        assert "kept as options.toml.bad" in apply_and_save(Options(flashes=False))
        assert load_options() == ""
        kept = [path.read_text() for path in options_path().parent.glob("options.toml.bad*")]
        assert mine in kept
    assert len(kept) == 2, "a second copy does not replace the first"


@pytest.mark.parametrize("other", ["", "bell = true\n", "bell = true\nkeys.play.wait = ['.']\n"])
def test_a_file_with_dotted_keys_is_written_so_that_it_can_be_read(other):
    options_path().parent.mkdir(parents=True, exist_ok=True)
    options_path().write_text(f"keys.play.explore = ['o']\n{other}")
    assert not load_options()
    before = current()
    keys = {"play": {"explore": ("o", "f9")}}
    changed = msgspec.structs.replace(before, keys=keys, animations=False)
    assert save_options(changed, before) is None
    assert not load_options()
    assert (current().keys, current().animations) == (keys, False)
    assert current().bell == before.bell


def test_a_file_that_is_a_link_stays_one(tmp_path):
    written("")
    options_path().unlink()
    kept = tmp_path / "dotfiles.toml"
    kept.write_text("# mine\nbell = true\n")
    options_path().symlink_to(kept)
    assert load_options() == ""
    assert apply_and_save(Options(flashes=False, bell=True)) == ""
    assert options_path().is_symlink()
    assert kept.read_text() == "# mine\nbell = true\nflashes = false\n"


def test_two_windows_do_not_undo_each_others_options():
    assert apply_and_save(Options(flashes=False)) == ""
    written(options_path().read_text() + 'palette = "high_contrast"\n')  # the other window
    assert apply_and_save(Options(flashes=False, motion=False)) == ""
    assert load_options() == ""
    assert current() == Options(palette="high_contrast", flashes=False, motion=False)


WRITER = """
import sys; from render.ui.options import Options, save_options
for number in range(60):
    save_options(Options(flashes=bool(number % 2)))
"""


def test_two_windows_that_write_at_once_never_tear_the_file(own_home):
    written('palette = "high_contrast"\n')
    writers = [subprocess.Popen([sys.executable, "-c", WRITER], cwd=ROOT) for _ in range(2)]
    while any(writer.poll() is None for writer in writers):
        assert load_options() == ""
        assert options_path().stat().st_size
    assert [writer.returncode for writer in writers] == [0, 0]


def test_the_plus_key_keeps_what_is_held_with_it():
    assert (key_label("ctrl++"), key_label("+")) == ("Ctrl++", "+")


def test_options_lie_where_the_documents_say(own_home, tmp_path, monkeypatch):
    for name in ("config", "data"):
        folder = tmp_path / name
        monkeypatch.setattr(f"platformdirs.user_{name}_path", lambda *_, place=folder, **__: place)
    assert apply_and_save(Options(flashes=False)) == ""
    assert (own_home / "options.toml").exists()
    monkeypatch.delenv("SEEDHOLLOW_DATA")
    assert apply_and_save(Options(motion=False)) == ""
    assert (tmp_path / "config" / "options.toml").exists()
    assert not (tmp_path / "data").exists()
    page = (ROOT / "docs" / "files-and-formats.md").read_text(encoding="utf-8")
    assert "| `options.toml` | configuration folder |" in page
    assert "SEEDHOLLOW_DATA" in page
