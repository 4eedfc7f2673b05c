"""The character sheet: numbers, statuses, equipment, talents, run and kills of the hero."""

from collections import Counter

from msgspec.structs import replace

from engine.creatures.health import turns_per_hit_point
from engine.creatures.levelling import experience_for_level, experience_of, talents_owed
from engine.state.game_state import GameState
from engine.state.score import score
from entities.creature_kinds import creature_kinds
from entities.equipment import defense_of, equipped_items, power_of
from entities.statuses import status_kinds
from entities.talents import talents
from entities.wording import pluralise
from render.map.place_names import depth_label
from render.messages.item_descriptions import describe_item
from render.messages.names import item_name
from render.ui.text import Line, paragraphs, wrapped_line

INDENT, NAMES, VALUES = 3, 12, 10
NOTES = INDENT + NAMES + VALUES + 2  # The first column of the notes.
SCORE_PARTS = "depths", "the First Seed", "further depths", "gold", "experience"
"""The names of the parts of `engine.state.score.Score`, in their order."""


def character_lines(state: GameState, width: int) -> list[Line]:
    """Return the whole sheet in lines of ``width`` cells."""
    lines = [*_stat_lines(state, width), []]
    kinds = ((status_kinds()[name], turns) for name, turns in state.hero.statuses.items())
    rows = [(f"{one.name}, {pluralise(left, 'turn')}", one.text, one.color) for one, left in kinds]
    lines += _section("Statuses", rows, width, "none")
    worn = equipped_items(state.hero)
    gear = [(item_name(state, item), " ".join(describe_item(state, item)), "text") for item in worn]
    lines += _section("Equipped", gear, width, "nothing")
    none = "none: each level brings one, the first a background"
    lines += _section("Talents", _talents(state), width, none)
    lines += [[("The run", "accent")], *_run(state, width), []]
    lines += _section("Kills", _kills(state), width, "none yet")
    return [part for line in lines[:-1] for part in wrapped_line(line, width)]


def _stat_lines(state: GameState, width: int) -> list[Line]:
    hero, fighter, growth = state.hero, state.hero.fighter, experience_of(state.hero)
    further = experience_for_level(growth.level + 1) - growth.points
    bare = replace(hero, equipment={})
    power = f"{power_of(bare)} without equipment; a hit does about this, minus defence"
    defense = f"{fighter.defense} without equipment; taken off each hit, at most half"
    pace = turns_per_hit_point(hero)
    heal = f"you heal 1 every {pluralise(pace, 'turn')}" if pace else "you don't heal at the moment"
    rows = [
        ("level", f"{growth.level}", f"{further} more experience to the next level"),
        ("hit points", f"{fighter.hp} of {fighter.max_hp}", heal),
        ("power", f"{power_of(hero)}", power),
        ("defence", f"{defense_of(hero)}", defense),
    ]
    lines = _rows(rows, width)
    if hero.alive and (owed := talents_owed(hero)) > 0:
        what = pluralise(owed, "talent") if growth.talents else "a background"
        text = f"You have {what} to choose."
        lines.insert(1, [(" " * INDENT, "text"), (text, "good")])
    return lines


def _kills(state: GameState) -> list[tuple[str, str, str]]:
    """Return the kills by kind, those with the most hit points first."""
    kills, kinds = state.kills_by_kind, creature_kinds()
    ranked = sorted(kills, key=lambda kind: (-kinds[kind].hp, kind))
    return [(kinds[kind].name, f"{kills[kind]}", "text") for kind in ranked]


def _talents(state: GameState) -> list[tuple[str, str, str]]:
    counts = Counter(experience_of(state.hero).talents).items()
    chosen = [(talents()[name], f" ×{times}, each:" if times > 1 else "") for name, times in counts]
    return [(talent.name + times, talent.text, "text") for talent, times in chosen]


def _run(state: GameState, width: int) -> list[Line]:
    score_parts = score(state)
    scored = f"{score_parts.total:,}" if state.scored else "not scored"
    word, number = depth_label(state)
    deepest = "" if state.map.is_infinite else f"deepest: {state.deepest}"
    named = zip(SCORE_PARTS, score_parts, strict=True)
    parts = [f"{points:,} for {name}" for name, points in named if points]
    rows = [
        ("seed", state.setup.typed_seed, state.setup.dungeon),
        (word.lower(), f"{number}", deepest),
        ("turn", f"{state.turn}", ""),
        ("kills", f"{state.kills}", ""),
        ("gold", f"{state.gold:,}", "each piece is worth a point" if state.scored else ""),
        ("score", scored, ", ".join(parts)),
    ]
    return _rows(rows, width)


def _section(title: str, rows: list[tuple[str, str, str]], width: int, none: str) -> list[Line]:
    """Return a heading, then ``rows`` with their explanations, or ``none`` if there are none."""
    lines: list[Line] = [[(title, "accent")]]
    for name, text, color in rows:
        wrapped = paragraphs(text, width - NOTES)
        lines.append([(f"{'':{INDENT}}{name:<{NOTES - INDENT - 1}} ", color), (wrapped[0], "dim")])
        lines += [[(" " * NOTES + line, "dim")] for line in wrapped[1:]]
    if not rows:
        lines.append([(f"{'':{INDENT}}{none}", "dim")])
    return [*lines, []]


def _rows(rows: list[tuple[str, str, str]], width: int) -> list[Line]:
    """Return a line for each name, value and note, or several lines if a note is long."""
    lines: list[Line] = []
    for name, value, note in rows:
        head: Line = [(f"{'':{INDENT}}{name:<{NAMES}}", "dim"), (f"{value:<{VALUES}}  ", "text")]
        indent = sum(len(text) for text, _ in head)
        wrapped = paragraphs(note, width - indent) if indent + 10 < width else [note]
        lines.append([*head, (wrapped[0], "dim")])
        lines += [[(" " * indent + line, "dim")] for line in wrapped[1:]]
    return lines
