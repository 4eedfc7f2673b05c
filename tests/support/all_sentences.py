"""Print every sentence the game can say, one to a line, to be read by an editor.

Run it from the project folder: `python tests/support/all_sentences.py`. Messages of every event
type with sample creatures and items, item descriptions, statuses, refusals, help, options.
"""

import sys
from collections.abc import Iterator
from itertools import product
from pathlib import Path

if __name__ == "__main__":
    sys.path[:0] = [str(Path(__file__).parents[2]), str(Path(__file__).parents[1])]

from engine.monsters.wandering_monsters import LevelAlert
from engine.saves.run import Run
from engine.state import events as ev
from engine.state.events import CreatureRef, Event, ItemRef
from engine.terrain.growth import FLOOD_TURNS
from entities.creature_kinds import HERO, creature_kinds, make_creature
from entities.item_kinds import item_class_of, item_kinds
from entities.light_levels import light_levels
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.talents import talents
from entities.terrain import TILES
from entities.trap_kinds import trap_kinds
from procgen.blueprint import Point
from render.messages.event_messages import attack_message, event_message, event_texts
from render.messages.item_descriptions import describe_item
from render.messages.message_log import turn_messages
from render.messages.names import verb_table
from render.messages.refusal_messages import refusal_message
from render.panels.character_sheet import character_lines
from render.panels.examine import examine_lines, short_description
from render.session.session import Session, arrival_lines, level_start
from render.ui.keymap import bindings
from render.ui.options import presets
from render.ui.palette import palettes, themes
from render.ui.text import Line
from render.ui.texts import texts
from support.items import give
from support.scenes import scene

HERE = Point(1, 1)
CELL = """
    #########
    #@......#
    #.......#
    #....o..#
    #########
"""


def creature(kind: str, number: int = 1) -> CreatureRef:
    """Return a creature as events name it."""
    return CreatureRef(0 if kind == HERO else number, kind, HERE)


def item(kind: str, count: int = 1, bonus: int = 0) -> ItemRef:
    """Return an item as events name it."""
    return ItemRef(9, kind, count, bonus, 3, bool(bonus), "c", None)


YOU, ORC, MOTHER = creature(HERO), creature("orc"), creature("broodmother")


def variants(event: str) -> list[str]:
    """Return the variants of an event that have sentences of their own."""
    return [name[len(event) + 1 :] for name in event_texts() if name.startswith(f"{event}.")]


def sample_events() -> Iterator[Event]:
    """Yield events of every type; of some types all that differ in words."""
    for who in (YOU, ORC, MOTHER):
        for status in status_kinds():
            yield ev.StatusApplied(who, status, 5)
            yield ev.StatusEnded(who, status)
        for cause in variants("hurt"):
            yield ev.Hurt(who, cause, 2)
        for how in variants("displaced"):
            yield ev.Displaced(who, HERE, how)
        for amount in (0, 5):
            yield ev.Healed(who, "healing_potion", amount)
        yield ev.Healed(who, "life_potion", 5)
        yield ev.Died(who, "trap" if who is YOU else HERO)
        yield ev.Struggled(who, free=False)
        yield ev.Stumbled(who)
    for kind in creature_kinds():
        if kind == HERO:
            continue
        who = creature(kind)
        yield from (
            ev.CalledForHelp(who),
            ev.Spotted(who),
            ev.Died(YOU, kind),
            ev.Died(who, "trap"),
        )
        yield from (ev.Noticed(who), ev.Woke(who), ev.LostTrack(who))
    for trap in trap_kinds():
        yield ev.TrapTriggered(YOU, trap)
    yield ev.PickedUp(YOU, item("digging_wand"), 0)
    for what in (item("dagger"), item("dart", 3), item("healing_potion", 2), item("fruit")):
        yield from (ev.PickedUp(YOU, what, 1), ev.PickedUp(YOU, what, what.count))
        yield from (ev.Dropped(YOU, what), ev.Dropped(MOTHER, what), ev.Shattered(what, (HERE,)))
        yield from (ev.Burnt(what, HERE), ev.Improved(what), ev.NoRoom(what), ev.Wilted(what))
        yield from (ev.Threw(YOU, what, ()), ev.Threw(YOU, what, (), "bow"), ev.Stole(ORC, what))
    for kind, data in item_kinds().items():
        what = item(kind)
        yield from (ev.Fizzled(what), ev.Identified(what), ev.Shattered(what, (HERE,)))
        slot = item_class_of(kind).slot
        yield from (
            (ev.Equipped(YOU, what), ev.TookOff(YOU, what))
            if slot
            else (ev.Used(YOU, what, (), ()),)
            if data.effect
            else ()
        )
    yield from hero_events()


def hero_events() -> Iterator[Event]:
    """Yield events of the hero and of single creatures."""
    for talent in talents():
        yield ev.Learned(YOU, talent)
    for alert in (LevelAlert.STIRRING, LevelAlert.HUNTED, LevelAlert.BESIEGED):
        yield ev.LevelAlerted(alert.value)
    for again, unscored in product((False, True), repeat=2):
        yield ev.Arrived("caves.1:3:2@80x45", 2, again=again, unscored=unscored)
        yield ev.Arrived("caves.1:3:2@80x45", 2, grown=True)
        yield ev.Arrived("wilds.1:5:1@128,128@160x90", 1, again=again, unscored=unscored)
    for missile, damage in (("arrow", 2), ("thorn", 0), ("gaze", 0)):
        yield ev.ShotFired(ORC, YOU, missile, damage)
    yield from (ev.Healed(YOU, "shrine", 9), ev.Healed(YOU, "shrine", 0))
    yield ev.StatusApplied(YOU, "poisoned", 3, again=True)
    yield from (
        ev.Struggled(YOU, free=True),
        ev.Fled(ORC),
        ev.Stole(ORC, None, 12),
        ev.Summoned(ORC, MOTHER),
    )
    yield from (
        ev.Charged(ORC, HERE),
        ev.Blinked(ORC, HERE),
        ev.Divided(ORC, ORC),
        ev.Appeared(ORC),
    )
    yield from (ev.Polymorphed(ORC, "rat"), ev.Followed(ORC), ev.LeveledUp(YOU, 2), ev.Won(YOU, 9))
    yield from (
        ev.HunterArrived(ORC, above=True),
        ev.HunterArrived(ORC, above=False),
        ev.AlarmRang(HERE),
    )
    yield from (ev.FoundDoor(HERE), ev.TookKey(YOU), ev.Unlocked(YOU, HERE), ev.Mapped())
    yield from (ev.MechanismUsed(name, HERE) for name in ("lever", "winch", "brazier"))
    yield from (
        ev.Ripened(HERE, HERE),
        ev.Ripened(HERE, Point(HERE.x, HERE.y + 3)),
        ev.Grew("flood", (HERE,), FLOOD_TURNS),
        ev.Grew("flood", (HERE,), 3),
        ev.Grew("overgrow", (HERE,), 0),
        ev.DroppedKey(ORC, HERE),
    )
    yield from (ev.Remembered(1), ev.Remembered(2), ev.Remembered(3))
    yield from (ev.GrewHollow("caves.1+overgrown.1:42:3@80x45"), ev.CameHome())
    yield from (ev.TookGold(YOU, 12), ev.FoundGoal(HERE))
    yield from (ev.Planted(kind) for kind in seed_kinds())
    yield from (ev.Struck(YOU, ORC, 3), ev.Moved(YOU, HERE), ev.Shifted(1, 0))


def attacks() -> Iterator[str]:
    """Yield the messages of hits, by every weapon and every kind of creature."""
    for weapon in verb_table().weapons:
        for damage in (0, 1, 4, 9):
            yield attack_message(ev.Struck(YOU, ORC, damage), weapon=weapon)[0]
            yield attack_message(ev.Struck(YOU, MOTHER, damage), weapon=weapon, kills=True)[0]
    for kind in creature_kinds():
        if kind != HERO:
            yield from (text for text, _ in turn_messages([ev.Struck(creature(kind), YOU, 3)]))


def plain(lines: list[Line]) -> Iterator[str]:
    """Yield lines without their colours."""
    yield from ("".join(text for text, _ in line) for line in lines)


def items() -> Iterator[str]:
    """Yield the description of every item, unidentified and identified."""
    engine = scene(CELL)
    state = engine.state
    for kind in item_kinds():
        engine.state.hero.inventory.clear()
        thing = give(engine, kind)
        for known in (False, True):
            thing.identified = known
            if known and kind not in state.identified_kinds:
                state.identified_kinds.append(kind)
            yield f"{kind}: {' '.join(describe_item(state, thing))}"


def places() -> Iterator[str]:
    """Yield what looking at every kind of creature and tile says, and the arrival cards."""
    engine = scene(CELL)
    session, state = Session(Run(engine)), engine.state
    for number, kind in enumerate(creature_kinds(), 900):
        if kind != HERO:
            state.map.add_entity(make_creature(kind, number, 4, 1))
            yield short_description(session, 4, 1)
            yield from plain(examine_lines(session, 4, 1, 70))
            state.map.remove_entity(state.map.entities[number])
    for tile in TILES:
        state.map.set_tile(3, 2, tile)
        yield from plain(examine_lines(session, 3, 2, 70))
    for light in ("", *light_levels()):
        state.map.light = light
        yield from plain(arrival_lines(state, level_start(state)))
    yield from (message.text for message in session.log.messages)
    yield from plain(character_lines(state, 78))


def tables() -> Iterator[str]:
    """Yield texts that stand in tables: refusals, journeys, keys, options, talents, traps."""
    yield from map(refusal_message, texts().refusals)
    yield from (
        text.format(descend=">", climb="<", step="Press o", name="it", way="east")
        for text in texts().stops.values()
    )
    yield from (alert.value for alert in LevelAlert)
    for section, commands in bindings().items():
        yield from (f"[{section}] {binding.help}" for binding in commands.values())
    yield from (f"{one.name}: {one.help}" for one in presets().values())
    yield from (f"{one.name}: {one.help}" for one in palettes().values())
    yield from (theme.name for theme in themes().values())
    for table in (talents(), status_kinds(), trap_kinds(), creature_kinds()):
        yield from (f"{entry.name}: {entry.text}" for entry in table.values())


def all_sentences() -> list[str]:
    """Return every sentence once, in the order of the list."""
    events = (said[0] for event in sample_events() if (said := event_message(event)))
    found = [*events, *attacks(), *items(), *places(), *tables()]
    return [text for text in dict.fromkeys(line.strip() for line in found) if text]


if __name__ == "__main__":
    sys.stdout.write("\n".join(all_sentences()) + "\n")
