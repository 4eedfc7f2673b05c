"""The column beside the map: the hero, who and what is in view, the keys."""

from engine.growth import growth_of, needed, owed
from entities.entity import Entity
from render.company import company
from render.draw import bar, clipped, fill, thin_bar, write, write_parts
from render.frame import Frame, Rect
from render.hints import Hint, hint, write_hint
from render.reports.state import ailments, burdens, strengths, worn_names
from render.session import Session
from render.things import gathered, named, plain_name, thing_look

MOST_THINGS = 6


def health(frame: Frame, rect: Rect, creature: Entity) -> int:
    """Draw hit points as a bar with numbers; return the cell after it."""
    fighter = creature.fighter
    bar(frame.text, rect, fighter.hp / fighter.max_hp, "bar_full", "bar_empty")
    write(
        frame.text, rect.x + 1, rect.y, f"HP {fighter.hp}/{fighter.max_hp}", "text", rect.width - 1
    )
    return rect.x + rect.width


def sidebar(frame: Frame, rect: Rect, session: Session) -> None:
    """Draw the sidebar."""
    fill(frame.text, rect, "panel")
    x, width = rect.x + 2, rect.width - 4
    hints = _hints(session) if session.hints is None else session.hints
    floor = rect.y + rect.height - len(hints) - 1
    y = _hero(frame, Rect(x, rect.y + 1, width, floor), session)
    y = company(frame, Rect(x, y + 1, width, floor - y - 2), session)
    _things(frame, Rect(x, y + 1, width, floor - y - 2), session)
    for row, each in enumerate(hints):
        write_hint(frame, x, floor + row, each, width, pad=6)


def _hero(frame: Frame, rect: Rect, session: Session) -> int:
    """Draw the hero; return the row after."""
    console, world = frame.text, session.run.world
    x, y, width = rect.x, rect.y, rect.width
    growth = growth_of(world.hero)
    write(console, x, y, "You", "accent")
    level = f"level {growth.level}"
    write(console, x + width - len(level), y, level, "text")
    health(frame, Rect(x, y + 1, width, 1), world.hero)
    first, last = needed(growth.level), needed(growth.level + 1)
    share = (growth.experience - first) / max(1, last - first)
    thin_bar(console, Rect(x, y + 2, width, 1), share, "cold", "bar_empty")
    y += 3
    lines = [strengths(world), burdens(world), *worn_names(world), *ailments(world)]
    for line in lines:
        if line and y < rect.y + rect.height:
            write_parts(console, x, y, [(clipped(text, width), color) for text, color in line])
            y += 1
    if owed(world.hero) > 0 and session.hints is None:
        write_hint(frame, x, y, hint("play", "talent", "choose a talent"), width)
        y += 1
    return y


def _things(frame: Frame, rect: Rect, session: Session) -> None:
    """Draw what lies in view."""
    world = session.run.world
    piles = [
        pile[-1]
        for (x, y), pile in world.map.items.items()
        if world.map.seen[y, x] or session.view.reveal
    ]
    most = min(MOST_THINGS, rect.height - 1)
    if not piles or most < 1:
        return
    write(frame.text, rect.x, rect.y, "Lying in view", "dim")
    for row, thing in enumerate(gathered(world, piles)[:most], 1):
        glyph, color = thing_look(thing.kind, world.setup.seed)
        frame.text.print(rect.x, rect.y + row, glyph, fg=color)
        name = named(thing) if thing.count > 1 else plain_name(thing)
        write(frame.text, rect.x + 2, rect.y + row, name, "text", rect.width - 2)


def _hints(session: Session) -> list[Hint]:
    if session.workshop:
        rows = [
            ("previous", "generator before"),
            ("next", "next generator"),
            ("seed", "next seed"),
            ("overlay", "overlays"),
            ("explore", "explore"),
            ("watch", "watch it grow"),
            ("code", "level code"),
        ]
    else:
        rows = [
            ("explore", "explore"),
            ("rest", "rest"),
            ("descend", "way down"),
            ("pick_up", "pick up"),
            ("inventory", "pack"),
            ("fire", "shoot, throw"),
            ("look", "look"),
        ]
    rows += [("help", "help"), ("menu", "everything else")]
    return [hint("play", name, text) for name, text in rows]
