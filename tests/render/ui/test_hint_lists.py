"""The lists of hints in data/texts.toml."""

import pytest

from render.ui.buttons import draw_keys, hint_list, keys_with_texts
from render.ui.frame import Frame
from render.ui.keymap import bindings, key_label
from render.ui.texts import texts


@pytest.mark.parametrize("name", texts().hints)
def test_every_hint_is_of_commands_that_exist(name):
    for commands, text in texts().hints[name].items():
        section, _, names = commands.partition(".")
        assert text
        assert set(names.split()) <= bindings()[section].keys(), commands


def test_keys_stand_side_by_side_and_some_hints_may_be_left_out():
    keys = bindings()["tuning"]
    found = {text: key for key, text in keys_with_texts("tuning", ("tuning.reset",))}
    assert found["change"] == [keys[name].keys[0] for name in ("less", "more")]
    assert "reset" not in found
    assert "stop" in {text for _, text in keys_with_texts("build", pause="stop")}


@pytest.mark.parametrize("columns", [200, 60])
def test_each_key_of_a_hint_is_a_button_that_presses_it(columns):
    frame = Frame(columns, 1)
    keys = [(["left", "right"], "turn"), (["shift+f1"], "help")]
    draw_keys(frame, 0, keys)
    assert [str(key) for _, key in frame.buttons] == ["left", "right", "shift+f1"]
    line = "".join(map(chr, frame.text.ch[0]))
    for rect, key in frame.buttons:
        assert line[rect.x :].startswith(key_label(str(key)))


def test_hints_beside_the_map_have_one_key_each():
    for name in ("workshop", "adventure", "replay"):
        assert [each.text for each in hint_list(name)] == list(texts().hints[name].values())
