"""The morgue file: a run in plain text, to keep, to post, and to see again."""

import shlex

from engine.records.boards import Result
from engine.records.version import PROGRAM, RULES
from entities.kinds import creatures
from render.lines import plain
from render.naming import name_of
from render.reports.drawing import map_text
from render.reports.hero import hero_lines
from render.session import Session
from render.things import item_name

WIDTH = 78
LAST = 25
"""Messages that are kept."""


def told(end: str, *, won: bool = False) -> str:
    """Return how a run ended, from the words of its file: ``killed by troll`` in a sentence."""
    if won and end != "won":
        return f"won, then {told(end)}"
    what, by, killer = end.partition("killed by ")
    if by and not what:
        try:
            return f"killed by {name_of(killer, definite=False)}"
        except KeyError:  # of another version
            return end
    return end or "unfinished"


def morgue(session: Session, score: Result, place: str) -> str:
    """Return the text; ``place`` says where on the boards the run stands, empty if nowhere."""
    world = session.run.world
    end = told(score.end)
    lead = f"{end[:1].upper()}{end[1:]} on depth {world.depth}, turn {world.turn}."
    parts = [
        f"Seedhollow {PROGRAM} (rules {RULES}){score.ended[:16].replace('T', ' '):>44} UTC",
        f"{lead}\n{_worth(score, place, scored=world.scored)}",
        plain(hero_lines(world, WIDTH)),
        _pack(session),
        f"Depth {world.depth}: {world.code}\n\n" + "\n".join(map_text(world)),
        _in_view(session),
        "The last messages\n" + "\n".join(_messages(session)),
        _again(session),
    ]
    return "\n\n".join(part.strip("\n") for part in parts if part) + "\n"


def _worth(score: Result, place: str, *, scored: bool) -> str:
    if not scored:
        return "This run was not scored."
    return f"{score.points} points{f': {place}' if place else ''}."


def _pack(session: Session) -> str:
    world = session.run.world
    carried = [f"  {item.letter}  {item_name(world, item)}" for item in world.hero.pack]
    return "In the pack\n" + "\n".join(carried) if carried else "The pack is empty."


def _in_view(session: Session) -> str:
    world = session.run.world
    seen = [
        f"  {creatures()[one.kind].name} ({one.fighter.hp}/{one.fighter.max_hp} hit points)"
        for one in world.map.entities_in_view()
        if one is not world.hero
    ]
    return "In view\n" + "\n".join(seen) if seen else ""


def _messages(session: Session) -> list[str]:
    return [f"{message.turn:>7}  {message}" for message in session.log.messages[-LAST:]]


def _again(session: Session) -> str:
    """Return how to see the run, its last level, and to begin the same one."""
    world, recorder = session.run.world, session.run.recorder
    setup = world.setup
    begin = f"python main.py play --seed {shlex.quote(setup.typed_seed)}"
    if setup.generator:
        begin += f" --generator {setup.generator}"
    if setup.size:
        begin += f" --size {setup.size[0]}x{setup.size[1]}"
    if setup.depth > 1:
        begin += f" --depth {setup.depth}"
    lines = ["To see it again"]
    if recorder:
        lines.append(f"  the run     python main.py replay {shlex.quote(str(recorder.path))}")
    lines.append(f"  this level  python main.py map {world.code}")
    lines.append(f"  its dungeon {begin}")
    return "\n".join(lines)
