"""Everything the game can say, read at once."""

import ast
import re
from pathlib import Path
from typing import get_args

from components import AiState
from engine.monsters.combat_forecast import Danger
from engine.pathfinding.auto_travel import Stop
from engine.state.events import event_types
from entities.terrain import TILE_NAMES
from render.messages.refusal_messages import refusal_message
from render.ui.options import Figures, Options
from render.ui.texts import texts
from support.all_sentences import all_sentences, sample_events

HOUSE = Path(__file__).parents[3]
OF_MONSTERS = {
    "friend",
    "no room",
    "nobody hears",
    "not for you",
    "nothing to shoot",
    "nowhere to run",
}
"""Refusals that only a monster can meet."""
SILENT_STOPS = {Stop.ARRIVED, Stop.HURT}
"""Ends of a journey that need no sentence: the place is reached, or the log tells of the wound."""


def test_the_events_that_are_read_are_of_every_type():
    assert {type(event) for event in sample_events()} == {*event_types().values()}


def test_no_sentence_is_odd():
    odd = re.compile(r"\bwhoever\b|\bharm\b|armless|\{|\bYou [a-z]+s you\b")

    found = [text for text in all_sentences() if odd.search(text)]
    assert found == []


def test_every_refusal_of_the_rules_has_a_sentence():
    words = set()
    for path in (HOUSE / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Refused":
                words |= {
                    part.value
                    for part in ast.walk(node)
                    if isinstance(part, ast.Constant) and isinstance(part.value, str)
                }
    assert words - OF_MONSTERS - set(texts().refusals) == set()


def test_a_reason_of_the_rules_is_written_as_it_is_and_a_known_one_names_keys():
    assert refusal_message("the recipe {own} fits nowhere") == "The recipe {own} fits nowhere."
    assert refusal_message("nothing to fire") == "You have nothing to shoot: t throws any item."


def test_every_short_word_is_of_something_that_exists_and_none_is_missing():
    assert {name.partition(".")[0] for name in texts().ai_states} == set(AiState)
    assert set(texts().danger) == set(Danger)
    notes = {
        "nothing else",
        "full pack",
        "locked door",
        "key left",
        "seed left",
        "memory left",
        "asleep",
        "no key",
        "way home",
    }
    assert set(texts().stops) - notes == set(Stop) - SILENT_STOPS
    assert set(texts().tiles) < set(TILE_NAMES)
    assert set(texts().options) == set(Options.__struct_fields__) - {"keys"}
    assert set(texts().options["figures"].values) == set(get_args(Figures))
