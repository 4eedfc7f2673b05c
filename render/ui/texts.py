"""Texts of the interface, from data/texts.toml: help, dialogs, options, answers to keys, words."""

from functools import cache
from typing import Literal

import msgspec

from entities.data_files import check_names, read_table
from render.ui.palette import Interface

HelpPage = Literal["game", "replay", "workshop", "world", "generators", "build", "tuning", "atlas"]
Word = tuple[str, str]
"""A word or two, and the interface colour to write it in."""


class OptionText(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A row of the options; ``values`` are the names and help texts of its values."""

    label: str
    key: str
    help: str = ""
    values: dict[str, tuple[str, str]] = {}


class Texts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The contents of data/texts.toml.

    ``refusals`` are answers to a `Refused` by its reason, ``tiles`` notes by the tile's name;
    ``hints`` are lists of short texts by commands, such as ``player.back forward``.
    """

    help: dict[HelpPage, tuple[str, ...]]
    key_sections: dict[str, str]
    key_labels: dict[str, str]
    victory: dict[Literal["found", "go_on", "plant"], str]
    dialogs: dict[str, str]
    options: dict[str, OptionText]
    ai_states: dict[str, Word]
    danger: dict[str, Word]
    tiles: dict[str, str]
    refusals: dict[str, str]
    stops: dict[str, str]
    hints: dict[str, dict[str, str]]


@cache
def texts() -> Texts:
    """Return data/texts.toml; raise `DataError` for text in an unknown colour."""
    table = read_table("texts.toml", Texts)
    for name, (_, color) in (table.ai_states | table.danger).items():
        check_names(f"data/texts.toml: {name}", [color], Interface.__struct_fields__, "colour")
    return table
