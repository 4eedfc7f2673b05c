"""Who is in view, beside the map: alike ones share a line where there is little room."""

from itertools import groupby

from engine.journeys import enemies_in_view
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from render.draw import thin_bar, write
from render.frame import Frame, Rect
from render.palette import creature_colors
from render.reports.state import mood_of
from render.session import Session
from render.view import shown

MOST = 12
"""How many are listed where everything is shown."""


def company(frame: Frame, rect: Rect, session: Session) -> int:
    """Draw who is in view, the nearest first, and how they are; return the row after."""
    seen = _in_sight(session.run.world, session)
    room = rect.height - 1
    if not seen or room < 2:
        return rect.y
    write(frame.text, rect.x, rect.y, "In view", "dim")
    groups = [[one] for one in seen] if 2 * len(seen) <= room else _alike(seen)
    listed = groups if len(groups) <= room else groups[: room - 1]
    bars = room - len(listed) - (listed is not groups)
    y = rect.y + 1
    for number, group in enumerate(listed):
        _line(frame, Rect(rect.x, y, rect.width, 1), group)
        y += 1
        if number < bars:
            _health(frame, Rect(rect.x + 2, y, rect.width - 2, 1), group)
            y += 1
    if listed is not groups:
        left = sum(map(len, groups[len(listed) :]))
        write(frame.text, rect.x + 2, y, f"and {left} more", "dim")
        y += 1
    return y


def _alike(seen: list[Entity]) -> list[list[Entity]]:
    """Return ``seen`` in groups of a kind and about the same thing, in order of their first."""

    def likeness(creature: Entity) -> tuple[str, str]:
        return creature.kind, mood_of(creature)[0]

    order: dict[tuple[str, str], int] = {}
    for creature in seen:
        order.setdefault(likeness(creature), len(order))
    together = sorted(seen, key=lambda creature: order[likeness(creature)])
    return [list(group) for _, group in groupby(together, likeness)]


def _line(frame: Frame, rect: Rect, group: list[Entity]) -> None:
    """Write what those of a group are called, how many they are and what they are about."""
    kind, x, y, width = creatures()[group[0].kind], rect.x, rect.y, rect.width
    mood, color = mood_of(group[0])
    frame.text.print(x, y, kind.glyph, fg=creature_colors()[kind.color])
    count = f" x{len(group)}" if len(group) > 1 else ""
    end = write(frame.text, x + 2, y, kind.name, "text", width - 3 - len(mood) - len(count))
    write(frame.text, end, y, count, "accent")
    write(frame.text, x + width - len(mood), y, mood, color)


def _health(frame: Frame, rect: Rect, group: list[Entity]) -> None:
    """Draw how hale each of a group is, side by side as far as there is room for all."""
    each = (rect.width + 1) // len(group) - 1
    if each < 1:
        group, each = group[:1], rect.width
    for number, creature in enumerate(group):
        share = creature.fighter.hp / creature.fighter.max_hp
        place = Rect(rect.x + number * (each + 1), rect.y, each, 1)
        thin_bar(frame.text, place, share, "bad", "bar_empty")


def _in_sight(world: World, session: Session) -> list[Entity]:
    """Return who is listed: whom the hero sees, or some of all where everything is shown."""
    if session.view.reveal:
        everyone = world.map.entities.values()
        listed = [one for one in everyone if shown(world, one, session.view)][:MOST]
        return [one for one in listed if one is not world.hero]
    return enemies_in_view(world)
