"""Scenes for rules whose numbers are tested: an open field, creatures on it, things worn."""

from components import AiState
from components.inventory import Item
from entities.creature_kinds import make_creature
from support.items import bare
from support.scenes import scene

ROOM = "\n".join(["#" * 22, *["#" + "." * 20 + "#"] * 13, "#" * 22])


def field(x=10, y=7, drawing=ROOM, **more):
    """Return an engine whose bare hero stands at (x, y) of an open room."""
    rows = drawing.splitlines()
    rows[y] = f"{rows[y][:x]}@{rows[y][x + 1 :]}"
    return bare(scene("\n".join(rows), **more))


def put(engine, kind, x, y, state=AiState.HUNTING):
    """Return a new monster at (x, y)."""
    creature = make_creature(kind, engine.state.new_id(), x, y)
    engine.state.map.add_entity(creature)
    creature.ai.state = state
    return creature


def wear(engine, slot, kind):
    """Let the hero wear or wield a new thing."""
    hero = engine.state.hero
    hero.inventory.append(Item(engine.state.new_id(), kind))
    hero.equipment[slot] = hero.inventory[-1].id


def silent(_event):
    """Take an event and tell nobody."""
