"""A lane for bots: what they do on it is one step, to one side or the other."""

from entities.creature_kinds import make_creature
from support.items import bare
from support.scenes import scene


def lane(drawing, **more):
    """Return the state of a lane that the hero knows, between two walls."""
    row = f"#{drawing}#"
    state = bare(scene(f"{'#' * len(row)}\n{row}\n{'#' * len(row)}", **more)).state
    state.map.explored[:] = True
    return state


def put_on(world, kind, x, state):
    """Return a monster put on a lane, which the hero has looked at."""
    creature = make_creature(kind, world.new_id(), x, 1)
    creature.ai.state = state
    world.map.add_entity(creature)
    world.look()
    return creature
