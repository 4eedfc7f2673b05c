"""The animations of events without a turn around them."""

from render.session.motion import Motions
from render.session.turn_animations import TurnAnimations


def staged(events, *, flights, glows):
    """Return the animations of ``events``, starting at time 0."""
    return TurnAnimations(Motions(), events, flights=flights, glows=glows)
