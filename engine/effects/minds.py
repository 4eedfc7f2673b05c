"""Effects on minds and on what one knows."""

from components import Mood
from engine.effects.registry import Cast, effect
from engine.events import Rang
from engine.noise import Noise
from engine.statuses import afflict
from engine.things.lore import learn
from entities.reach import Shape
from procgen.blueprint import Point


@effect(Shape.SELF)
def enlighten(cast: Cast) -> None:
    """Tell the user what everything in the pack is."""
    for item in cast.user.pack:
        item.known = True
        learn(cast.world, item, cast.tell)


@effect(Shape.SELF, Shape.BALL)
def ring(cast: Cast) -> None:
    """Make a noise that carries ``strength`` steps from where it falls."""
    x, y = cast.place
    cast.world.noises.append(Noise(x, y, cast.kind.strength))
    cast.tell(Rang(Point(x, y)))


@effect(Shape.PLACE)
def decoy(cast: Cast) -> None:
    """Hide the user for a while; whoever was after it goes for the place aimed at."""
    afflict(cast.user, "invisible", cast.kind.strength, cast.tell)
    for creature in cast.world.map.entities.values():
        mind = creature.mind
        if mind and mind.mood in (Mood.HUNTING, Mood.SEARCHING):
            mind.mood, mind.goal = Mood.SEARCHING, (cast.place.x, cast.place.y)
            mind.attention = cast.kind.strength
