"""Everything there is to do, as a menu: for the mouse, and for whoever forgot a key."""

from collections.abc import Callable

from render.inputs import Key
from render.keys import bindings, shown
from render.screen import Pop, Reply
from render.screens.menu import KEYS, Choice, Menu

OF_WORKSHOP = frozenset({"previous", "next", "seed", "reveal", "overlay"})


def commands_menu(*, workshop: bool, skip: frozenset[str] = frozenset()) -> Menu:
    """Return the menu of the keys of play; choosing does what the key would."""
    choices = []
    for name, binding in bindings()["play"].items():
        if name in skip or name == "menu" or (name in OF_WORKSHOP and not workshop):
            continue
        label = f"{binding.help[:1].upper()}{binding.help[1:]}"
        key = binding.keys[0]
        letter = key if len(shown(key)) <= KEYS else ""
        choices.append(Choice(label, letter, _pressing(key), "" if letter else shown(key)))
    return Menu("What to do", choices)


def _pressing(key: str) -> Callable[[], Reply]:
    return lambda: Pop(lambda below: below.hear(Key.read(key)))
