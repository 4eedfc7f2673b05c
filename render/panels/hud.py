"""The HUD of the play screen: top line, map, sidebar, message log and foot line."""

from dataclasses import dataclass
from itertools import takewhile

from components import AiState
from engine.creatures.levelling import experience_of
from engine.pathfinding.threats import enemies_in_view
from entities.creature_kinds import creature_kinds
from entities.statuses import is_asleep
from procgen.blueprint import Point
from render.map.map_view import draw_world
from render.map.place_names import code_here, depth_label, location_label
from render.map.viewport import is_shown
from render.messages.message_log import Message
from render.messages.names import creature_name, place_name
from render.panels.examine import short_description
from render.panels.sidebar import (
    alert_line,
    death_hints,
    gold_and_keys,
    health_bar,
    monster_line,
    sidebar,
    status_row,
    talent_to_choose,
)
from render.session.session import Session, level_notes
from render.session.turn_sounds import ambience_of
from render.tiles.glyphs import CURSOR
from render.ui.buttons import button_at, hint, hints_width, write_hint, write_hints
from render.ui.frame import Frame, Heading, Rect, Sprite
from render.ui.input import Key, Pointer
from render.ui.keymap import bindings
from render.ui.options import current
from render.ui.palette import colors
from render.ui.text import bar, clipped, fill, panel, paragraphs, plain_text, write, write_parts

SIDEBARS = ((160, 36), (108, 30))
"""The columns from which there is a sidebar, and its width."""
CARD_TITLE = 2
"""The height of the title of a card, in text cells, if the backend draws pixels."""
BOSS_BAR = 50
"""Columns of the bar of a boss, if there is room."""
GRAVE_BARS = {"bad": "bar_full", "good": "bar_good", "warn": "bar_warn"}
"""The bar behind a grave message that is new, by the colour of its text."""
GRAVE_TURNS, LOOK_BACK = 10, 40
"""Turns for which a grave message stays in view; the least number of messages considered."""
MORE_WIDTH = 12
"""Columns reserved for the hint whose key shows the messages that do not fit."""
RANKS = {"dim": 0, "text": 1, "warn": 2, "bad": 3}
"""If a turn has too many messages, those of the lowest rank by colour are left out first; other
colours stay longest, and the first message of the turn nearly as long."""


@dataclass(frozen=True)
class HudLayout:
    """The areas of the screen; ``sidebar`` is None if the frame is too narrow for it."""

    top: Rect
    map: Rect
    sidebar: Rect | None
    statuses: Rect | None
    """The line that replaces the sidebar's numbers and statuses, None with a sidebar."""
    monsters: Rect | None
    """The line that replaces the sidebar's list of monsters, None with a sidebar."""
    log: Rect
    foot: Rect


def layout(columns: int, rows: int) -> HudLayout:
    """Return the areas of a frame of ``columns`` by ``rows`` text cells, at least 80x24."""
    side = next((width for least, width in SIDEBARS if columns >= least), 0)
    log_rows = 3 if rows < 36 else 5 if rows < 50 else 7
    wide, line = columns - side, 0 if side else 1
    return HudLayout(
        top=Rect(0, 0, wide, 1),
        map=Rect(0, 1, wide, max(1, rows - log_rows - 3 - line)),
        sidebar=Rect(wide, 0, side, rows - 1) if side else None,
        statuses=Rect(1, rows - log_rows - 3, wide - 2, 1) if line else None,
        monsters=Rect(1, rows - log_rows - 2, wide - 2, 1) if line else None,
        log=Rect(1, rows - log_rows - 1, wide - 2, log_rows),
        foot=Rect(0, rows - 1, columns, 1),
    )


def draw_play(
    frame: Frame,
    session: Session,
    hover: str = "",
    status: str = "",
    pointed: Pointer | None = None,
    *,
    free: int = 0,
) -> None:
    """Draw the play screen; ``hover`` describes the tile pointed at, ``status`` names the mode.

    The last ``free`` rows stay empty. ``pointed`` is where the mouse is, on the map or on a name
    beside it; what is there now is described, not what was there when it last moved. The card of
    the level is not drawn below another screen, which would cover part of its text.
    """
    fill(frame.text, Rect(0, 0, frame.columns, frame.rows), "panel")
    areas, state = layout(frame.columns, max(1, frame.rows - free)), session.run.state
    # A map that scrolls smoothly needs tiles out of view, which scroll in while the hero walks.
    session.view.margin = 1 if frame.fluid and not whole_level_size(session) else 0
    console = frame.open_map(areas.map, whole_level_size(session), session.view.margin)
    session.view.follow(state, console)
    frame.ground = draw_world(console, state, session.view)
    session.animations.compose(frame, state, session.view)
    frame.sprites += _marks(session)
    frame.sounds, session.sounds = session.sounds, []
    frame.ambience = ambience_of(state)
    _top(frame, areas.top, session, stats=areas.sidebar is None)
    if areas.sidebar:
        sidebar(frame, areas.sidebar, session)
    if areas.statuses:
        row = status_row(state, areas.statuses.width)
        write_parts(frame.text, areas.statuses.x, areas.statuses.y, row)
    if areas.monsters:
        monster_line(frame, areas.monsters, session)
    if pointed and (spot := _spot_under(frame, pointed)):
        hover = short_description(session, *session.view.tile(spot), areas.foot.width - 2)
        if not areas.map.contains(pointed.x, pointed.y):  # Mark what the name stands for.
            frame.sprites.append(Sprite(CURSOR, colors()["accent"], *spot))
    _log(frame, areas.log, session)
    _foot(frame, areas.foot, session, hover, status, hinted=areas.sidebar is not None)
    _place_cursor(frame, areas.map, session)
    _boss_bar(frame, areas.map, session)
    if session.card and not frame.above and not (hover or session.view.pointing_at):
        _arrival_card(frame, areas.map, session)


def _marks(session: Session) -> list[Sprite]:
    """Return marks over sleeping monsters; on a level that is shown whole, over hero and stairs."""
    state, view, marks = session.run.state, session.view, list[Sprite]()
    if whole_level_size(session):  # Tiles this small are hard to find.
        hero = Point(state.hero.x, state.hero.y)
        for place, color in ((state.map.start, "cold"), (state.map.exit, "cold"), (hero, "lamp")):
            at = place.x - view.left - 0.5, place.y - view.top - 0.5
            marks.append(Sprite(CURSOR, colors()[color], *at, size=2))
    elif current().figures != "letters":
        for one in state.map.entities.values():
            if is_asleep(one) and is_shown(state, one, view):
                at = one.x - view.left + 0.55, one.y - view.top - 0.15
                marks.append(Sprite(ord("z"), colors()["cold"], *at, size=0.6))
    return marks


def _spot_under(frame: Frame, pointer: Pointer) -> tuple[int, int] | None:
    """Return the map cell at ``pointer``, or that of the name under it if it is not on the map."""
    if frame.map_rect and frame.map_rect.contains(pointer.x, pointer.y):
        return pointer.spot
    button = button_at(frame.buttons, pointer.x, pointer.y)
    return button[1].spot if button and isinstance(button[1], Pointer) else None


def _boss_bar(frame: Frame, area: Rect, session: Session) -> None:
    """Draw name and health of a boss in view across the map, once it is awake."""
    state, view = session.run.state, session.view
    foes = [foe for foe in enemies_in_view(state) if creature_kinds()[foe.kind].lair]
    boss = next((foe for foe in foes if foe.ai and foe.ai.state is not AiState.ASLEEP), None)
    if boss is None or session.card or frame.above or view.pointing_at:
        return
    width = min(BOSS_BAR, area.width - 4)
    # A row below the edge, since at the edge it would look like part of the top line.
    rect = Rect(area.x + (area.width - width) // 2, area.y + 1, width, 2)
    if (min(boss.y, state.hero.y) - view.top) * frame.tile[1] < 2 * rect.height:
        rect = rect._replace(y=area.y + area.height - 3)  # At the top it would hide the fight.
    frame.overlays.append(rect)
    fill(frame.text, rect, "panel")
    name = creature_name(boss.kind, start=True)
    health = f"{boss.fighter.hp}/{boss.fighter.max_hp}"
    write(frame.text, rect.x + 1, rect.y, name, "accent", width - len(health) - 3)
    write(frame.text, rect.x + width - len(health) - 1, rect.y, health, "text")
    share = boss.fighter.hp / boss.fighter.max_hp
    bar(frame.text, Rect(rect.x, rect.y + 1, width, 1), share, "bar_full", "bar_empty")


def whole_level_size(session: Session) -> tuple[int, int] | None:
    """Return the level's columns and rows if the view must show all of it, else None."""
    view, game_map = session.view, session.run.state.map
    fitted = view.fitted and view.reveal and not game_map.is_infinite
    return (game_map.width, game_map.height) if fitted else None


def _arrival_card(frame: Frame, area: Rect, session: Session) -> None:
    """Draw the card that introduces a level, in the half of the map without the hero."""
    lines, hero = session.card, session.run.state.hero
    title = plain_text(lines[:1])
    widest = max(sum(len(text) for text, _ in line) for line in lines)
    large = int(bool(frame.tile_pixels) and CARD_TITLE * len(title) + 6 <= area.width)
    width = max(widest, large * CARD_TITLE * len(title)) + 6
    height = len(lines) + 2 + large
    low = frame.map is not None and hero.y - session.view.top + 0.5 > frame.map.height / 2
    y = area.y + 1 if low else area.y + area.height - height - 1
    rect = Rect(area.x + (area.width - width) // 2, y, width, height)
    if rect.x < 0 or rect.height > area.height // 2:
        return
    inner = panel(frame, rect)
    if large:
        frame.headings.append(Heading(title, colors()["accent"], inner.x, rect.y + 2.0, CARD_TITLE))
    for row, line in enumerate(lines):
        write_parts(frame.text, inner.x, rect.y + 1 + row + (large if row else 0), line)


def _top(frame: Frame, rect: Rect, session: Session, *, stats: bool) -> None:
    """Write depth, place, turn and mode in one line; with ``stats`` health, alert and level too."""
    state = session.run.state
    x = health_bar(frame, Rect(1, rect.y, 16, 1), state.hero) + 2 if stats else 1
    label, deep = depth_label(state)
    turn = f"turn {state.turn} "
    x = write_parts(frame.text, x, rect.y, [(f"{label} ", "dim"), (f"{deep}", "accent")])
    room, place = rect.width - len(turn) - 2, place_name(state.code, state.map.theme)
    level = [(f"level {experience_of(state.hero).level}", "text")]
    facts = [line for line in (alert_line(state), gold_and_keys(state), level) if line and stats]
    used = x + sum(2 + len(plain_text([line])) for line in facts)
    mode = "Workshop" if session.workshop else "" if state.scored else "unscored"
    mode, color = ("not being saved", "bad") if session.warned else (mode, "cold")
    # If space is short, the place is shortened, since the mode and the facts are more important:
    # its overlays are left out first, then its article.
    used += 2 + (len(mode) + 3 if mode else 0)
    base = place.partition(",")[0]
    names = [name for name in (place, base, base.removeprefix("the ")) if used + len(name) <= room]
    for line in [*([(name, "text")] for name in names[:1]), *facts]:
        if x + 2 + len(plain_text([line])) <= room:
            x = write_parts(frame.text, x + 2, rect.y, line)
    write(frame.text, rect.width - len(turn), rect.y, turn, "dim")
    if where := location_label(state, rect.width - len(turn) - x - len(mode) - 7):
        x = write_parts(frame.text, x + 2, rect.y, [(where, "dim")])
    if x + len(mode) + 4 < rect.width - len(turn):
        write(frame.text, x + 3, rect.y, mode, color)


def _log(frame: Frame, rect: Rect, session: Session) -> None:
    """Write the last messages; add a hint if the last turn had more than fit."""
    turn, messages = session.run.state.turn, session.log.messages
    section = "play" if session.hints is None else "replay"
    new_count = sum(1 for _ in takewhile(lambda message: message.turn == turn, reversed(messages)))
    newest = messages[-max(new_count, LOOK_BACK) :]
    for width in (rect.width, rect.width - MORE_WIDTH):
        entries = _shown_messages(newest, turn, width, rect.height)
        left_out = new_count - sum(message.turn == turn for message, _ in entries)
        if not left_out:
            break
    else:
        more = hint(section, "history", f"{left_out} more")
        x = rect.x + rect.width - hints_width([more])
        write_hint(frame, x, rect.y, more, rect.x + rect.width - x)
    lines = [(message, line) for message, wrapped in entries for line in wrapped]
    history = Key.read(bindings()[section]["history"].keys[0])
    for y, (message, line) in enumerate(lines, rect.y + rect.height - len(lines)):
        # Only the newest turn that said anything: its blows must not be taken for older ones.
        recent = message.turn == messages[-1].turn >= turn - 1 or message is messages[-1]
        ink = message.color if recent or message.grave else "dim"
        if recent and message.grave:
            fill(frame.text, Rect(rect.x, y, len(line), 1), GRAVE_BARS[ink])
            ink = "text"
        end = write(frame.text, rect.x, y, line, ink, rect.width)
        frame.buttons.append((Rect(rect.x, y, end - rect.x, 1), history))


def _shown_messages(
    messages: list[Message], turn: int, width: int, rows: int
) -> list[tuple[Message, list[str]]]:
    """Return the newest messages that fit into ``rows``, and the grave ones of the last turns.

    A theft must not scroll away in a fight. If ``turn`` alone has too many messages, the most
    important are shown, and always the last: it may say which potion that was. Good news, and the
    first message, on what the hero did, go before the blows that answer it.
    """
    grave = [message for message in messages if message.grave and message.turn > turn - GRAVE_TURNS]
    pinned = [message for message, _ in _last_messages(grave, width, rows // 2)]
    others = [message for message in messages if message not in pinned]
    entries = _last_messages([*others, *pinned], width, rows)
    fresh = [message for message in others if message.turn == turn]
    if len(fresh) > len(entries) - len(pinned):
        chosen = fresh[-2::-1]  # Reversed: of equally important ones, the first is shown.
        chosen.sort(key=lambda it: (it.grave, max(RANKS.get(it.color, 5), 4 * (it is fresh[0]))))
        entries = _last_messages([*chosen, fresh[-1], *pinned], width, rows, ranked=True)
    return sorted(entries, key=lambda entry: messages.index(entry[0]))


def _last_messages(
    log: list[Message], width: int, rows: int, *, ranked: bool = False
) -> list[tuple[Message, list[str]]]:
    """Return the newest messages that fit completely into ``rows``, oldest first, with lines.

    If they are ``ranked``, one that does not fit is left out; otherwise so are all before it.
    """
    entries: list[tuple[Message, list[str]]] = []
    left = rows
    for message in reversed(log):
        wrapped = paragraphs(str(message), width)[:rows]
        if len(wrapped) <= left:
            left -= len(wrapped)
            entries.insert(0, (message, wrapped))
        elif not ranked:
            break
    return entries


def _foot(
    frame: Frame, rect: Rect, session: Session, hover: str, status: str, *, hinted: bool
) -> None:
    """Write facts on the level, then hover or status or, unless ``hinted``, the keys for help."""
    state, x = session.run.state, 1
    hints = [hint("play", "menu", "menu"), hint("play", "help", "help")]
    if noun := talent_to_choose(session):
        hints.insert(0, hint("play", "talent", noun))
    hints = [] if hinted or frame.above else hints if state.hero.alive else death_hints(frame)
    facts = level_notes(state)
    if sum(len(part[0][0]) + 3 for part in facts) + hints_width(hints) + 3 > rect.width:
        facts = level_notes(state, brief=True)
    if session.workshop:
        facts = [[(state.code.name, "cold")], [(clipped(code_here(state), 60), "dim")]]
    for part in facts:
        if x + len(part[0][0]) + hints_width(hints) + 5 <= rect.width:
            x = write_parts(frame.text, x, rect.y, part) + 3
    right, room = hover or status, rect.width - x - 2
    if len(right) > room:  # The description is more important than the facts.
        fill(frame.text, rect, "panel")
        room = rect.width - 2
    if right:
        right = clipped(right, room)
        write(frame.text, rect.width - len(right) - 1, rect.y, right, "accent" if hover else "dim")
    elif session.hints is None and session.view.pointing_at is None:
        write_hints(frame, rect.width - hints_width(hints) - 1, rect.y, hints, room)


def _place_cursor(frame: Frame, area: Rect, session: Session) -> None:
    """Put the frame's cursor on the map cursor or the hero, since screen readers read there."""
    hero, view = session.run.state.hero, session.view
    column, row = view.pointing_at or (hero.x, hero.y)
    x = area.x + int((column - view.left) * frame.tile[0])
    y = area.y + int((row - view.top) * frame.tile[1])
    if area.contains(x, y):
        frame.cursor = (x, y)
