"""Statuses: how they come, how long they last, how they go."""

import pytest

from engine.creatures.health import tick_statuses
from engine.creatures.status_effects import apply_status
from engine.saves.saved_state import load_state, pack_state, save_state, unpack_state
from engine.state.actions import Wait
from engine.state.compression import InvalidSave
from engine.state.events import Died, Hurt, StatusApplied, StatusEnded
from entities.data_files import DATA, DataError
from entities.statuses import LONGEST_STATUS, speed, status_kinds
from entities.terrain import Tile
from render.ui.palette import colors
from support.other_data import read_from
from support.rule_scenes import field, put
from support.scenes import kinds
from support.status_scenes import begun


def test_every_status_has_a_colour_and_harmless_ones_wear_off():
    for name, status in status_kinds().items():
        assert status.color in colors()
        assert status.text.endswith(".")
        engine, told = begun(name, 3)
        assert StatusApplied(told[-1].who, name, 3) == told[-1]
        events = [event for _ in range(6) for event in engine.step(Wait())]
        assert any(isinstance(e, StatusEnded) and e.status == name for e in events), name
        assert engine.state.hero.statuses == {}


def test_a_longer_one_replaces_a_shorter_one_and_not_the_other_way_round():
    engine, told = begun("slowed", 5)
    hero = engine.state.hero
    apply_status(hero, "slowed", 3, told.append)
    assert hero.statuses == {"slowed": 5}
    apply_status(hero, "slowed", 10**9, told.append)
    assert hero.statuses == {"slowed": LONGEST_STATUS}
    assert told[-1].again


def test_haste_drives_out_slowness():
    engine, told = begun("slowed", 5)
    hero = engine.state.hero
    assert speed(hero) == 50
    apply_status(hero, "hasted", 5, told.append)
    assert (speed(hero), list(hero.statuses)) == (200, ["hasted"])


def test_swift_is_a_tenth_faster_whatever_else_holds_and_nothing_stands_still():
    engine, told = begun("slowed", 5)
    hero = engine.state.hero
    hero.experience.talents.append("swift")
    assert speed(hero) == 55
    apply_status(hero, "hasted", 5, told.append)
    assert speed(hero) == 220
    hero.statuses.clear()
    assert speed(hero) == 110
    hero.energy.speed, hero.statuses["slowed"] = 1, 5
    assert speed(hero) == 1


def test_statuses_go_through_plain_data_and_absurd_ones_are_refused():
    engine, _ = begun("hasted", 9)
    state = engine.state
    saved = unpack_state(pack_state(save_state(state)))
    assert next(e for e in saved.entities if e.kind == "hero").statuses == {"hasted": 9}
    for wrong in ({"hasted": 0}, {"hasted": LONGEST_STATUS + 1}, {"dull": 3}):
        state.hero.statuses = wrong
        with pytest.raises(InvalidSave):
            load_state(state.setup, unpack_state(pack_state(save_state(state))))


def test_a_cure_that_leads_nowhere_is_refused(tmp_path):
    text = (DATA / "statuses.toml").read_text().replace('cures = ["hasted"]', 'cures = ["hast"]')
    (tmp_path / "statuses.toml").write_text(text)
    with pytest.raises(DataError, match=r"statuses.toml: \[slowed\]: cures"):
        read_from(tmp_path, status_kinds)


@pytest.mark.parametrize(("statuses", "hp", "ground", "left", "lost", "told"), [
    ({"slowed": 2}, 9, Tile.FLOOR, {"slowed": 1}, 0, []),
    ({"slowed": 1}, 9, Tile.FLOOR, {}, 0, [StatusEnded]),
    ({"burning": 2}, 9, Tile.FLOOR, {"burning": 1}, 2, [Hurt]),
    ({"burning": 1}, 9, Tile.FLOOR, {}, 2, [Hurt, StatusEnded]),
    ({"burning": 9}, 9, Tile.SHALLOWS, {}, 2, [Hurt, StatusEnded]),
    ({"poisoned": 9}, 9, Tile.SHALLOWS, {"poisoned": 8}, 1, [Hurt]),
    ({"burning": 5, "poisoned": 5}, 9, Tile.FLOOR, {"burning": 4, "poisoned": 4}, 3, [Hurt, Hurt]),
    ({"poisoned": 5, "asleep": 5}, 9, Tile.FLOOR, {"poisoned": 4}, 1, [Hurt, StatusEnded]),
    ({"asleep": 5, "poisoned": 5}, 9, Tile.FLOOR, {"poisoned": 4}, 1, [Hurt, StatusEnded]),
    ({"burning": 1}, 2, Tile.FLOOR, {}, 2, [Hurt, Died]),
    ({"burning": 5}, 1, Tile.FLOOR, {"burning": 4}, 1, [Hurt, Died]),
    ({"poisoned": 1, "slowed": 1}, 1, Tile.FLOOR, {"slowed": 1}, 1, [Hurt, Died]),
    ({"slowed": 1, "poisoned": 1}, 1, Tile.FLOOR, {}, 1, [StatusEnded, Hurt, Died]),
])  # fmt: skip
def test_a_turn_of_a_status_harms_then_ends_and_nothing_happens_to_the_dead(
    statuses, hp, ground, left, lost, told
):
    engine, events = field(3, 3), []
    troll = put(engine, "troll", 8, 8)
    engine.state.map.set_tile(8, 8, ground)
    troll.statuses, troll.fighter.hp = dict(statuses), hp
    tick_statuses(engine.state, troll, events.append)
    assert (troll.statuses, hp - troll.fighter.hp) == (left, lost)
    assert kinds(events)[: len(told)] == told
    assert StatusEnded not in kinds(events)[len(told) :]
