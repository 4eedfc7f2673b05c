"""The column beside the map: the hero, who is in view, the keys."""

from engine.journeys import enemies_in_view
from engine.world import World
from entities.entity import Entity
from entities.kinds import creatures
from render.draw import bar, fill, thin_bar, write
from render.frame import Frame, Rect
from render.hints import Hint, hint, write_hint
from render.palette import creature_colors
from render.session import Session
from render.view import shown


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
    console, world = frame.text, session.run.world
    fill(console, rect, "panel")
    x, y, width = rect.x + 2, rect.y + 1, rect.width - 4
    write(console, x, y, "You", "accent")
    health(frame, Rect(x, y + 1, width, 1), world.hero)
    fighter = world.hero.fighter
    write(console, x, y + 2, f"power {fighter.power}  defense {fighter.defense}", "dim", width)
    write(console, x, y + 3, f"gold {world.gold}  kills {world.kills}", "dim", width)
    y += 6
    hints = _hints(session) if session.hints is None else session.hints
    floor = rect.y + rect.height - len(hints) - 1
    seen = [e for e in _in_sight(world, session) if e is not world.hero]
    if seen:
        write(console, x, y - 1, "In view", "dim")
    for creature in seen[: max(0, (floor - y) // 2)]:
        kind = creatures()[creature.kind]
        console.print(x, y, kind.glyph, fg=creature_colors()[kind.color])
        mood = "" if creature.mind and creature.mind.mood == "hunting" else "unaware"
        write(console, x + 2, y, kind.name, "text", width - 2)
        write(console, x + width - len(mood), y, mood, "faint")
        share = creature.fighter.hp / creature.fighter.max_hp
        thin_bar(console, Rect(x + 2, y + 1, width - 2, 1), share, "bad", "bar_empty")
        y += 2
    for row, each in enumerate(hints):
        write_hint(frame, x, floor + row, each, width, pad=6)


def _in_sight(world: World, session: Session) -> list[Entity]:
    if session.view.reveal:
        return [e for e in world.map.entities.values() if shown(world, e, session.view)][:12]
    return enemies_in_view(world)


def _hints(session: Session) -> list[Hint]:
    rows = [("explore", "explore"), ("descend", "way down"), ("rest", "rest"), ("look", "look")]
    if session.workshop:
        rows = [
            ("previous", "generator before"),
            ("next", "next generator"),
            ("seed", "next seed"),
            ("overlay", "overlays"),
            *rows,
        ]
    rows += [("watch", "watch it grow"), ("code", "level code"), ("help", "help")]
    rows.append(("menu", "everything else"))
    return [hint("play", name, text) for name, text in rows]
