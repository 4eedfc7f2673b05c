"""The hero's state and others' in a few words, as the sidebar and the top line show them."""

from components import Mood
from engine.monsters.wandering_monsters import Unrest, unrest, until_worse
from engine.state.game_state import World
from entities.entity import Entity
from entities.equipment import defense_of, power_of
from entities.item_kinds import sort_of
from entities.pack import gear
from entities.statuses import statuses
from render.messages.event_messages import UNREST
from render.messages.names import bare_name
from render.ui.text import Line

MOODS = {
    Mood.HUNTING: ("hunts you", "warn"),
    Mood.ASLEEP: ("asleep", "good"),
    Mood.WANDERING: ("wanders", "dim"),
    Mood.SEARCHING: ("searches", "warn"),
    Mood.FLEEING: ("flees", "good"),
    Mood.IDLE: ("unaware", "dim"),
    Mood.HIDDEN: ("lurks", "warn"),
}


def strengths(world: World) -> Line:
    """Return power and defense, what is worn counted in."""
    power, defense = power_of(world.hero), defense_of(world.hero)
    return [("power ", "dim"), (f"{power}", "text"), ("  defense ", "dim"), (f"{defense}", "text")]


def burdens(world: World) -> Line:
    """Return gold and keys, and how much the level minds that one is there."""
    line: Line = [("gold ", "dim"), (f"{world.gold}", "accent")]
    if world.map.keys:
        line += [("  keys ", "dim"), (f"{world.map.keys}", "accent")]
    stage, left = unrest(world), until_worse(world)
    if stage is not Unrest.QUIET:
        line += [("  ", "dim"), (UNREST[stage], "bad")]
    elif left is not None and left < 150:
        line += [(f"  quiet for {left}", "warn")]
    return line


def worn_names(world: World) -> list[Line]:
    """Return what is worn, a line each."""
    return [
        [(f"{sort_of(item.kind).glyph} ", "dim"), (bare_name(world, item), "dim")]
        for item in gear(world.hero)
    ]


def ailments(world: World) -> list[Line]:
    """Return what ails or blesses the hero and for how many turns more, two to a line."""
    parts: Line = [
        (f"{statuses()[name].name} {turns}  ", statuses()[name].color)
        for name, turns in world.hero.statuses.items()
    ]
    return [parts[start : start + 2] for start in range(0, len(parts), 2)]


def mood_of(creature: Entity) -> tuple[str, str]:
    """Return what ``creature`` is about, and the colour to say it in."""
    worst = next(iter(creature.statuses), None)
    if worst:
        return statuses()[worst].name, statuses()[worst].color
    if creature.mind is None:
        return "", "dim"
    return MOODS[creature.mind.mood]
