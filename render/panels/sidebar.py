"""The sidebar: the hero, monsters and items in view, and the keys.

If the frame is too narrow for it, `monster_line` shows the monsters in one line, and the top line
uses the first functions here for short texts on the state of the hero.
"""

import numpy as np

from engine.creatures.levelling import experience_for_level, experience_of, talents_owed
from engine.items.aiming import ammunition
from engine.monsters.wandering_monsters import LevelAlert, level_alert, turns_until_next_alert
from engine.pathfinding.threats import enemies_in_view
from engine.state.game_state import GameState
from engine.state.identification import item_ref
from entities.creature_kinds import creature_kinds
from entities.data_files import for_variant
from entities.entity import Entity
from entities.equipment import defense_of, equipped_items, power_of
from entities.statuses import status_kinds
from entities.terrain import Tile
from render.map.map_view import creature_icon, item_icon, tile_icon
from render.map.whole_level import draw_small_map
from render.messages.names import item_label, item_name_bare, stacked_refs
from render.session.session import STIRS_SOON, Session
from render.ui.buttons import Hint, hint, hint_list, write_hint
from render.ui.frame import Frame, Rect
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings
from render.ui.palette import colors
from render.ui.text import Line, bar, clipped, plain_text, write, write_icon, write_parts
from render.ui.texts import texts


def gold_and_keys(state: GameState) -> Line:
    """Return the gold, and the keys of this level if there are any."""
    line: Line = [("gold ", "dim"), (f"{state.gold:,}", "accent")]
    if state.map.keys:
        line += [("  keys ", "dim"), (f"{state.map.keys}", "accent")]
    return line


def alert_line(state: GameState) -> Line:
    """Return the alert or, if hunters come soon, the turns until then; else an empty line."""
    stage, left = level_alert(state), turns_until_next_alert(state)
    if stage is not LevelAlert.QUIET:
        return [(stage.value, "bad")]
    return [(f"hunters in {left}", "warn")] if left is not None and left < STIRS_SOON else []


def status_lines(state: GameState) -> list[Line]:
    """Return the hero's statuses with the turns left, two per line, those that harm first."""
    kinds = [(status_kinds()[name], turns) for name, turns in state.hero.statuses.items()]
    kinds.sort(key=lambda pair: pair[0].color == "good")
    parts: Line = [(f"{kind.name} {turns}  ", kind.color) for kind, turns in kinds]
    return [parts[start : start + 2] for start in range(0, len(parts), 2)]


def status_row(state: GameState, width: int) -> Line:
    """Return the hero's statuses in one line, with numbers and equipment as far as they fit."""
    gained, needed = _experience_gained(state.hero)
    numbers: Line = [*_strength(state.hero), ("  XP ", "dim"), (f"{gained}/{needed}   ", "text")]
    statuses = [part for line in status_lines(state) for part in line]
    gear = [item_label(item_ref(state, item)) for item in equipped_items(state.hero)]
    shown = (", ".join(gear[:count]) for count in range(len(gear), -1, -1))
    forms = [[*numbers, *statuses, (some, "dim")] for some in shown]
    forms.append([*_strength(state.hero), ("   ", "dim"), *statuses])
    return next((line for line in forms if len(plain_text([line])) <= width), statuses)


def _strength(hero: Entity) -> Line:
    power, defense = f"{power_of(hero)}", f"{defense_of(hero)}"
    return [("power ", "dim"), (power, "text"), ("  defence ", "dim"), (defense, "text")]


def _experience_gained(hero: Entity) -> tuple[int, int]:
    """Return the experience gained since the last level, and that from it to the next."""
    growth = experience_of(hero)
    first = experience_for_level(growth.level)
    return growth.points - first, experience_for_level(growth.level + 1) - first


def state_of(creature: Entity) -> tuple[str, str]:
    """Return the AI state and the statuses of ``creature``, and the colour to write them in."""
    statuses = [status_kinds()[name] for name in creature.statuses]
    doing, color = ai_state_of(creature)
    color = color if doing or not statuses else statuses[0].color
    return ", ".join(filter(None, [doing, *(status.name for status in statuses)])), color


def ai_state_of(creature: Entity) -> tuple[str, str]:
    """Return what ``creature`` is doing, such as "hunts you", and the colour to write it in."""
    if creature.ai is None or not all(status_kinds()[name].acts for name in creature.statuses):
        return "", "dim"
    behaviour = creature_kinds()[creature.kind].behaviour or ""
    return for_variant(texts().ai_states, creature.ai.state, behaviour) or ("", "dim")


def monster_list(frame: Frame, rect: Rect, session: Session) -> int:
    """Draw the list of monsters in view, nearest first, with health; return the row after."""
    foes = _listed_creatures(frame, session)
    room = rect.height - 1
    if not foes or room < 2:
        return rect.y - 1
    write(frame.text, rect.x, rect.y, "On the map" if session.view.reveal else "In view", "dim")
    groups = [[foe] for foe in foes] if 2 * len(foes) <= room else _grouped(foes)
    listed = groups if len(groups) <= room else groups[: room - 1]
    y, bars = rect.y + 1, room - len(listed) - (listed is not groups)
    for group in listed:
        _group_line(frame, Rect(rect.x, y, rect.width, 1), group, session)
        y += 1
        if bars and any(foe.fighter.hp < foe.fighter.max_hp for foe in group):
            _health_bars(frame, Rect(rect.x + 3, y, rect.width - 3, 1), group)
            y, bars = y + 1, bars - 1
    if listed is not groups:
        left = sum(map(len, groups[len(listed) :]))
        write(frame.text, rect.x + 3, y, f"and {left} more", "dim")
        y += 1
    return y


def point_at(frame: Frame, rect: Rect, session: Session, x: int, y: int) -> None:
    """Make the mouse on ``rect`` point at the tile (x, y): hovering describes it, a click acts."""
    spot = x - session.view.left, y - session.view.top
    frame.buttons.append((rect, Pointer("move", rect.x, rect.y, spot)))


def monster_line(frame: Frame, rect: Rect, session: Session) -> None:
    """Write glyph, name, health and state of the monsters in view into one line, nearest first.

    If they do not fit, they are grouped, then states become a word, then full health is left out.
    """
    foes, x = _listed_creatures(frame, session), rect.x
    groups, alone = _grouped(foes), [[foe] for foe in foes]
    full = [_in_line(group, brief=True) for group in groups]
    wounds = [_in_line(group, healthy=False, brief=True) for group in groups]
    forms = [(listed, [_in_line(group) for group in listed]) for listed in (alone, groups)]
    forms += [(groups, full[:n] + wounds[n:]) for n in range(len(groups), -1, -1)]
    fit = (form for form in forms if len(plain_text(form[1])) + 4 * len(form[1]) <= rect.width + 1)
    listed, lines = next(fit, (groups, wounds))
    left = len(foes)
    for group, line in zip(listed, lines, strict=True):
        width, left = 3 + len(plain_text([line])), left - len(group)
        if x > rect.x and x + width + (9 if left else 0) > rect.x + rect.width:
            write(frame.text, x, rect.y, f"{left + len(group)} more", "warn")
            return
        point_at(frame, Rect(x, rect.y, width, 1), session, group[0].x, group[0].y)
        write_icon(frame, x, rect.y, creature_icon(group[0].kind))
        x = write_parts(frame.text, x + 3, rect.y, line) + 2


def _in_line(group: list[Entity], *, healthy: bool = True, brief: bool = False) -> Line:
    """Return name, number, the worst health and the state, ``brief`` or in full."""
    name, (state, color) = creature_kinds()[group[0].kind].name, state_of(group[0])
    worst, count = min((foe.fighter for foe in group), key=lambda it: it.hp), len(group)
    number = f" x{count}" if count > 1 else ""
    health = f" {worst.hp}/{worst.max_hp}" if healthy or worst.hp < worst.max_hp else ""
    state = state.partition(" ")[0].rstrip(",") if brief else state
    return [(name, "text"), (number, "accent"), (health, "dim"), (f" {state}", color)]


def _grouped(foes: list[Entity]) -> list[list[Entity]]:
    """Return ``foes`` grouped by kind and state, in the order of the first of each group."""
    groups: dict[tuple[str, str], list[Entity]] = {}
    for creature in foes:
        groups.setdefault((creature.kind, state_of(creature)[0]), []).append(creature)
    return list(groups.values())


def _group_line(frame: Frame, rect: Rect, group: list[Entity], session: Session) -> None:
    """Write the glyph, name, number and state of a group."""
    name, x, y, width = creature_kinds()[group[0].kind].name, rect.x, rect.y, rect.width
    label, color = state_of(group[0])
    point_at(frame, rect, session, group[0].x, group[0].y)
    write_icon(frame, x, y, creature_icon(group[0].kind))
    count = f" x{len(group)}" if len(group) > 1 else ""
    room = width - 4 - len(count)
    if len(name + label) > room:  # Drop an epithet, but keep what a monster carries.
        name = name.partition(" the ")[0].replace(" with a ", ", ")
    if len(name + label) > room:  # The name is more important than the state.
        first, *more = label.split(", ")
        words = [first.partition(" ")[0], *more]
        given = more * (words[0] in ("hunts", "searches"))  # What is given to it is the news.
        forms = [", ".join(words), ", ".join(given)]
        forms += [f"{', '.join(words[:n])}…" for n in range(len(more), 1, -1)]
        forms += [f"{text}…" for text in (*given[:1], words[0]) if more]
        fit = (form for form in forms if form and len(name + form) <= room)
        label = next(fit, words[0])
    end = write(frame.text, x + 3, y, name, "text", room - len(label))
    write(frame.text, end, y, count, "accent")
    write(frame.text, x + width - len(label), y, label, color)


def _health_bars(frame: Frame, rect: Rect, group: list[Entity]) -> None:
    """Draw the health bars of a group, half a cell high, side by side, or the first's only."""
    each = (rect.width + 1) // len(group) - 1
    if each < 1:
        group, each = group[:1], rect.width
    for number, creature in enumerate(group):
        share = creature.fighter.hp / creature.fighter.max_hp
        for n in range(each):
            color = colors()["bar_full" if n < each * share else "bar_empty"]
            frame.text.print(rect.x + number * (each + 1) + n, rect.y, "▀", fg=color)


def _listed_creatures(frame: Frame, session: Session) -> list[Entity]:
    """Return the monsters in view, nearest first; on a revealed level, those on screen."""
    state = session.run.state
    if not session.view.reveal:
        return enemies_in_view(state)
    others = (creature for creature in state.map.entities.values() if creature is not state.hero)
    foes = [creature for creature in others if _on_screen(frame, session, creature.x, creature.y)]
    return sorted(foes, key=state.hero.distance_to)


def _on_screen(frame: Frame, session: Session, x: int, y: int) -> bool:
    """Return True if the tile (x, y) is on the map console; an infinite map extends beyond it."""
    return frame.map is not None and session.view.cell_on(frame.map, (x, y)) is not None


MOST_ITEMS = 6
HEALTH_COLORS = ((0.6, "bar_good"), (0.3, "bar_warn"), (0.0, "bar_full"))
"""The least share of hit points for each colour of the health bar."""


def health_bar(frame: Frame, rect: Rect, creature: Entity) -> int:
    """Draw a bar with hit points in numbers; return the column after it."""
    fighter = creature.fighter
    share = fighter.hp / fighter.max_hp
    full = next(name for least, name in HEALTH_COLORS if share >= least)
    bar(frame.text, rect, share, full, "bar_empty")
    points = f"HP {fighter.hp}/{fighter.max_hp}"
    write(frame.text, rect.x + 1, rect.y, points, "text", rect.width - 1)
    return rect.x + rect.width


def death_hints(frame: Frame) -> list[Hint]:
    """Return the hints for looking at the map after a death; none under the end screen."""
    return [] if frame.above else [hint("play", "look", "examine"), hint("play", "menu", "go on")]


def sidebar(frame: Frame, rect: Rect, session: Session) -> None:
    """Draw the sidebar."""
    x, width = rect.x + 2, rect.width - 4
    place = session.run.state.code.place
    section = "workshop" if session.workshop else "adventure"
    unused = "play.throw" if ammunition(session.run.state.hero) else "play.fire"
    usual = hint_list(section, without=["play.overlays" if place else "play.map", unused])
    usual = usual if session.run.state.hero.alive else death_hints(frame)
    hints = usual if session.hints is None else session.hints
    floor = rect.y + rect.height - len(hints) - 1
    y = _hero(frame, Rect(x, rect.y + 1, width, floor), session)
    room = floor - y - (7 if session.view.reveal else 2)  # Five rows for some of the items.
    y = monster_list(frame, Rect(x, y + 1, width, room), session)
    y = _item_list(frame, Rect(x, y + 1, width, floor - y - 2), session)
    if floor - y - 2 >= FEWEST_MAP_ROWS and not session.view.fitted:
        rows = min(floor - y - 2, MOST_MAP_ROWS)
        small = Rect(x, floor - 1 - rows, width, rows)
        draw_small_map(frame, small, session.run.state, session.view)
    # Under a cursor their keys do not work; their rows stay free, or the small map would jump.
    for row, each in enumerate(hints if session.view.pointing_at is None else []):
        write_hint(frame, x, floor + row, each, width, pad=6)


def _hero(frame: Frame, rect: Rect, session: Session) -> int:
    """Draw the hero; return the row after."""
    console, state = frame.text, session.run.state
    x, y, width = rect.x, rect.y, rect.width
    write_icon(frame, x, y, creature_icon(state.hero.kind))
    write(console, x + 3, y, "You", "accent")
    level = f"level {experience_of(state.hero).level}"
    write(console, x + width - len(level), y, level, "text")
    health_bar(frame, Rect(x, y + 1, width, 1), state.hero)
    gained, needed = _experience_gained(state.hero)
    bar(console, Rect(x, y + 2, width, 1), gained / max(1, needed), "bar_gain", "line")
    write(console, x + 1, y + 2, f"XP {gained}/{needed}", "text", width - 1)
    y += 3
    lines = [_strength(state.hero), gold_and_keys(state), alert_line(state)]
    for line in [*lines, *status_lines(state)]:
        if line and y < rect.y + rect.height:
            write_parts(console, x, y, [(clipped(text, width), color) for text, color in line])
            y += 1
    stats = y
    for item in equipped_items(state.hero):
        if y < rect.y + rect.height:
            write_icon(frame, x, y, item_icon(item.kind, state.setup.seed))
            write(console, x + 3, y, item_label(item_ref(state, item)), "dim", width - 3)
            y += 1
    if session.hints is None and session.view.pointing_at is None:
        for top, bottom, name in ((rect.y, stats, "character"), (stats, y, "inventory")):
            key = Key.read(bindings()["play"][name].keys[0])
            frame.buttons.append((Rect(x, top, width, bottom - top), key))
    if noun := talent_to_choose(session):
        works = session.view.pointing_at is None
        write_hint(frame, x, y, hint("play", "talent", f"choose a {noun}"), width if works else 0)
        y += 1
    return y


def talent_to_choose(session: Session) -> str:
    """Return what the hero may choose now, "background" or "talent", or "" if nothing."""
    hero = session.run.state.hero
    asks = hero.alive and session.hints is None and not session.workshop
    if not asks or talents_owed(hero) <= 0:
        return ""
    return "talent" if experience_of(hero).talents else "background"


def _item_list(frame: Frame, rect: Rect, session: Session) -> int:
    """Draw the list of keys and items in view; return the row after."""
    state, hero = session.run.state, session.run.state.hero
    by_distance = sorted(
        (max(abs(x - hero.x), abs(y - hero.y)), x, y)
        for x, y in state.map.shown_items()
        if state.map.visible[y, x] or (session.view.reveal and _on_screen(frame, session, x, y))
    )
    piles = [state.map.items[x, y][-1] for _, x, y in by_distance]
    nearest: dict[str, tuple[int, int]] = {}
    for (_, x, y), top in zip(by_distance, piles, strict=True):
        nearest.setdefault(item_name_bare(item_ref(state, top)), (x, y))
    keys = np.argwhere((state.map.tiles == Tile.KEY) & (state.map.visible | session.view.reveal))
    every = [(tile_icon(Tile.KEY, state.map.theme), "key", (x, y)) for y, x in keys.tolist()]
    for item in stacked_refs(state, piles):
        look, place = item_icon(item.kind, state.setup.seed), nearest[item_name_bare(item)]
        every.append((look, item_label(item), place))
    if not every or rect.height < 1:
        return rect.y - 1
    listed = every[: min(MOST_ITEMS, rect.height - 1)]
    heading = "Items on the map" if session.view.reveal else "Items in view"
    share = f" ({len(listed)} of {len(every)})" if len(listed) < len(every) else ""
    write(frame.text, rect.x, rect.y, heading + share, "dim", rect.width)
    for row, (look, label, place) in enumerate(listed, 1):
        write_icon(frame, rect.x, rect.y + row, look)
        write(frame.text, rect.x + 3, rect.y + row, label, "text", rect.width - 3)
        point_at(frame, Rect(rect.x, rect.y + row, rect.width, 1), session, *place)
    return rect.y + len(listed) + 1


FEWEST_MAP_ROWS, MOST_MAP_ROWS = 5, 9
"""The fewest and the most rows of text for the small map."""
