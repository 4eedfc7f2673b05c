"""The lists of hints in data/texts.toml."""

import pytest

from render.ui.buttons import hint_list
from render.ui.keymap import bindings, key_label
from render.ui.texts import texts
from render.workshop.timeline import keys_with_texts


@pytest.mark.parametrize("name", texts().hints)
def test_every_hint_is_of_commands_that_exist(name):
    for commands, text in texts().hints[name].items():
        section, _, names = commands.partition(".")
        assert text
        assert set(names.split()) <= bindings()[section].keys(), commands


def test_keys_stand_side_by_side_and_some_hints_may_be_left_out():
    keys = bindings()["tuning"]
    found = {text: key for key, text in keys_with_texts("tuning", ("tuning.reset",))}
    first = [key_label(keys[name].keys[0]) for name in ("less", "more")]
    assert found["change"] == " ".join(first)
    assert "reset" not in found
    assert "stop" in {text for _, text in keys_with_texts("build", pause="stop")}


def test_hints_beside_the_map_have_one_key_each():
    for name in ("workshop", "adventure", "replay"):
        assert [each.text for each in hint_list(name)] == list(texts().hints[name].values())
