"""The morgue file: a plain text summary of a finished run; and the end of a run.

`record_run_end` enters the run on the score boards and writes its morgue file.
"""

from pathlib import Path
from textwrap import dedent

import numpy as np
from msgspec import Struct

from engine.levels.dungeon import levels_on_the_way
from engine.saves.files import write_atomically
from engine.saves.high_scores import HighScore, add_score, high_score_of, score_board, setup_fault
from engine.saves.run_file import RULES
from engine.state.game_state import CAME_HOME, GameState
from entities.creature_kinds import creature_kinds
from entities.folders import command_line, data_folder
from entities.program import VERSION
from entities.terrain import Tile, terrain
from entities.wording import pluralise
from procgen.build import recipe_of
from procgen.level_code import FROM_FILE
from render.map.place_names import depth_label, level_code_around
from render.map.viewport import visible_level
from render.messages.names import creature_name, item_name
from render.panels.character_sheet import character_lines
from render.session.session import Session
from render.ui.palette import theme
from render.ui.text import plain_text, printable


def map_rows(state: GameState, *, monsters: bool = True) -> list[str]:
    """Return the rows of the map as text, blank where unexplored, with the ``monsters`` in view."""
    level, codes = visible_level(state), terrain().codes.copy()
    codes[Tile.SECRET_DOOR] = codes[Tile.WALL]
    chars = np.where(level.explored, codes[level.tiles], ord(" "))
    for place, char in ((level.start, "<"), (level.exit, ">")):
        if place and level.contains(*place) and level.explored[place.y, place.x]:
            chars[place.y, place.x] = ord(char)
    for creature in (*(state.map.entities_in_view() if monsters else ()), state.hero):
        chars[creature.y, creature.x] = ord(creature_kinds()[creature.kind].glyph)
    # Decoded as a whole, since calling `chr` for every tile takes longer than the rest of a turn.
    text, width = chars.astype("<u4").tobytes().decode("utf-32-le"), level.width
    return [text[left : left + width].rstrip() for left in range(0, len(text), width)]


WIDTH = 78
LAST_MESSAGES = 25
"""The number of messages in the morgue file."""


def ending_text(end: str, *, won: bool = False) -> str:
    """Return how a run ended, from the word in its file: ``killed by a cave troll``."""
    if won and end not in ("won", CAME_HOME):
        return f"won, then {ending_text(end)}"
    what, by, killer = end.partition("killed by ")
    if by and not what and killer.isidentifier():  # A word of the rules, not a sentence made of it.
        return f"killed by {creature_name(killer, definite=False)}"
    return end or "unfinished"


def ending_sentence(state: GameState, end: str) -> str:
    """Return how, where and when a run ended: "Killed by a bat on depth 2, turn 90."."""
    word, number = depth_label(state)
    where = f" {'on' if word == 'Depth' else 'at'} {word.lower()} {number}"
    where = "" if state.end == CAME_HOME else where
    text = f"{ending_text(end, won=state.won is not None)}{where}, turn {state.turn}."
    return text[:1].upper() + text[1:]


def morgue_text(session: Session, score: HighScore, place: str) -> str:
    """Return the text of the morgue file; ``place`` is the rank on the boards, or empty."""
    state = session.run.state
    points = f"{pluralise(score.points, 'point')}{f': {place}' if place else ''}."
    why = setup_fault(state.setup) or "its hero went to a level code"
    score_text = points if state.scored else f"This run was not scored:\n{printable(why)}."
    last = [message for message in session.log.messages if not message.answers][-LAST_MESSAGES:]
    parts = [
        f"Seedhollow {VERSION} (rules {RULES}){score.ended[:16].replace('T', ' '):>44} UTC",
        f"{ending_sentence(state, score.end)}\n{score_text}",
        plain_text(character_lines(state, WIDTH)),
        _pack(session),
        f"{' '.join(map(str, depth_label(state)))}: {level_code_around(state)}\n\n"
        + dedent("\n".join(map_rows(state))).strip("\n"),
        _path(state),
        _in_view(session),
        "\n".join(["Last messages", *(f"{message.turn:>7}  {message}" for message in last)]),
        _commands(session),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _pack(session: Session) -> str:
    state = session.run.state
    carried = [f"  {item.letter}  {item_name(state, item)}" for item in state.hero.inventory]
    return "In the pack\n" + "\n".join(carried) if carried else "The pack is empty."


def _path(state: GameState) -> str:
    """Return the levels of the run by depth, with a mark on those that were not offered first."""
    lines = [
        f"  {code.depth:>2}  {theme(recipe_of(code).theme).name:<24}{code}{CHOICES.get(choice, '')}"
        for code, choice in levels_on_the_way(state)
    ]
    hollow = f"\nYour hollow: {state.hollow}" if state.hollow else ""
    return "The way down\n" + "\n".join(lines) + hollow


def share_text(session: Session, score: HighScore) -> str:
    """Return two lines to share a run: its first level's code, depth, points and end; its path."""
    way, (word, danger) = levels_on_the_way(session.run.state), depth_label(session.run.state)
    deep = f"danger {danger}" if word == "Danger" else f"depth {score.depth}"
    points = pluralise(score.points, "point") if session.run.state.scored else "not scored"
    beside = (printable(session.setup.taken_over), "with a ghost" * score.ghost)
    facts = [deep, points, *filter(None, beside), ending_text(score.end, won=score.won)]
    name = f"Seedhollow, dungeon of {score.daily}" if score.daily else f"Seedhollow {way[0][0]}"
    path = [f"{code.recipe}{f' ({choice + 1})' if choice > 0 else ''}" for code, choice in way]
    return f"{name}: {', '.join(facts)}\n{' > '.join(path)}"


def _in_view(session: Session) -> str:
    state = session.run.state
    lines = [
        f"  {creature_kinds()[foe.kind].name} ({foe.fighter.hp}/{foe.fighter.max_hp} hit points)"
        for foe in state.map.entities_in_view()
        if foe is not state.hero
    ]
    return "In view\n" + "\n".join(lines) if lines else ""


def _commands(session: Session) -> str:
    """Return the commands that replay the run, show its last level, and start the same dungeon."""
    state, recorder = session.run.state, session.run.recorder
    setup = state.setup
    size = f"{setup.size[0]}x{setup.size[1]}" if setup.size else ""
    options = [("--seed", setup.typed_seed), ("--generator", setup.generator)]
    options += [("--set", setting) for setting in setup.settings] + [("--size", size)]
    options += [("--depth", str(setup.depth))] if setup.depth > 1 else []
    begin = [word for name, value in options if value for word in (name, value)]
    lines = ["To see it again"]
    if recorder:
        lines.append(f"  the run     {command_line('replay', str(recorder.path))}")
        if setup.drawn:  # Only the run's file contains the level.
            begin = ["--ghost", str(recorder.path)]
    if state.code.recipe != FROM_FILE:
        lines.append(f"  this level  {command_line('map', str(level_code_around(state)))}")
    lines.append(f"  its dungeon {command_line('play', *begin)}")
    return "\n".join(lines)


CHOICES = {-1: "  visited by its code", 1: "  second on offer", 2: "  third on offer"}
ORDINALS = {1: "st", 2: "nd", 3: "rd"}


class Ending(Struct, frozen=True):
    """The end of a run: its score, rank on the boards, and the path of its morgue file.

    ``fault`` says what could not be written, "" if everything was.
    """

    score: HighScore
    place: str
    morgue: Path | None
    fault: str


def record_run_end(session: Session, end: str) -> Ending:
    """Enter the run on the boards if it is scored, and write its morgue file.

    A run abandoned before it earned a point is not entered.
    """
    recorder, state, place, faults = session.run.recorder, session.run.state, "", list[str]()
    name, identity = (recorder.path.stem, recorder.identity.hex()) if recorder else ("", "")
    score = high_score_of(state, end, name, identity)
    entered = state.scored and name and not (end == "abandoned" and not score.points)
    # A copy of its file may have been played on, after its end or under another name.
    again = identity in {old.identity for old in score_board(ghosts=score.ghost)}
    if entered and (why := "it is there already" if again else setup_fault(state.setup)):
        faults.append(f"Not added to the high scores: {why}.")
    elif entered:
        try:
            add_score(score)
            place = _board_places(score)
        except OSError as problem:
            faults.append(f"The score could not be written ({problem.strerror}).")
    path = morgue_folder() / f"{name}.txt" if name and not session.workshop else None
    if path:
        try:
            write_atomically(path, morgue_text(session, score, place).encode())
        except OSError as problem:
            faults.append(f"The morgue file could not be written ({problem.strerror}).")
            path = None
    return Ending(score, place, path, " ".join(faults))


def morgue_folder() -> Path:
    """Return the folder of morgue files."""
    return data_folder() / "morgue"


def ordinal(number: int) -> str:
    """Return ``1st``, ``2nd``, ``11th`` …."""
    teens = number % 100 in {11, 12, 13}
    return f"{number}{'th' if teens else ORDINALS.get(number % 10, 'th')}"


def _board_places(score: HighScore) -> str:
    """Return the rank of ``score`` and, for a daily run, that on the board of its day."""
    board = score_board(ghosts=score.ghost)
    if score not in board:  # the file is too long to be read to its end
        return ""
    note = " of the runs with a ghost" if score.ghost else ""
    words = f"{ordinal(board.index(score) + 1)} of {len(board)}{note}"
    if score.daily:
        day = score_board(score.daily)
        words += f", {ordinal(day.index(score) + 1)} of {len(day)} on the board of {score.daily}"
    return words
