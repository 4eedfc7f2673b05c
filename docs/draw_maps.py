"""Draw one turn and one level from the code, as SVG; `docs/generate.py` writes the files.

The pictures import the functions that they name: a tool that renames a function renames it here,
and a missing function is an error. Paths and sentences in the boxes are read from the code.
For every arrow of the turn, the source of the first function is searched for a call of the second.
"""

import ast
import inspect
import sys
import textwrap
from collections.abc import Iterable, Iterator
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from engine.combat.damage import damage_after_armour
from engine.combat.melee import melee_attack
from engine.engine import Engine, pass_time
from engine.monsters.choose_action import choose_action
from engine.perform import move, perform, strike
from engine.saves.recorder import Recorder
from engine.saves.run import Run
from engine.state.actions import Alternate, Move, Strike
from engine.state.events import Struck
from engine.state.game_map import GameMap
from entities.terrain import Tile
from procgen.blueprint import Blueprint
from procgen.level import Level
from procgen.level_code import LevelCode, parse_code
from procgen.progress import Progress
from procgen.recipe_builder import build_recipe
from procgen.recipes import find_recipe
from procgen.rng import Rng
from procgen.settings import complete
from procgen.validate import validate
from render.app import App
from render.messages.message_log import turn_messages
from render.panels.hud import draw_play
from render.screens.play_screen import PlayScreen
from render.screens.screen import Act
from render.session.session import Session
from render.ui.frame import Backend, Frame
from render.ui.input import Key

PAPER, BOX, EDGE, LINK = "#14161f", "#1f2330", "#3a4157", "#e8b765"
INK, DIM, NAME = "#e6e1d6", "#9aa3b5", "#f3d9a4"
LETTER = 0.602
"""Width of a letter of the monospace font, as a share of its height."""
FONT = "'JetBrains Mono','DejaVu Sans Mono',Menlo,Consolas,monospace"
CODE = "rooms:42@46x26"


class Svg:
    """Collects the elements of a picture ``width`` pixels wide."""

    def __init__(self, width: int, title: str) -> None:
        self.width, self.title, self.parts = width, title, list[str]()

    def rect(self, x: float, y: float, w: float, h: float, fill: str, edge: str = "none") -> None:
        """Add a rounded rectangle."""
        place = f'x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="6"'
        self.parts.append(f'<rect {place} fill="{fill}" stroke="{edge}"/>')

    def text(self, x: float, y: float, text: str, color: str = INK, size: int = 13) -> None:
        """Add a line of text whose baseline is at ``y``."""
        at = f'x="{x:g}" y="{y:g}" font-size="{size}" fill="{color}"'
        self.parts.append(f'<text {at} xml:space="preserve">{escape(text)}</text>')

    def arrow(self, *points: tuple[float, float]) -> None:
        """Add a line with bends that ends in an arrowhead."""
        line = " ".join(f"{x:g},{y:g}" for x, y in points)
        look = f'fill="none" stroke="{LINK}" stroke-width="1.6" marker-end="url(#head)"'
        self.parts.append(f'<polyline points="{line}" {look}/>')

    def whole(self, height: float) -> str:
        """Return the file."""
        head = (
            '<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
            f'markerHeight="7" orient="auto"><path d="M0 0 8 4 0 8z" fill="{LINK}"/></marker>'
        )
        return "\n".join(
            [
                f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {self.width} {height:g}"',
                f' font-family="{FONT}" role="img"><title>{escape(self.title)}</title>',
                f"<defs>{head}</defs>",
                f'<rect width="{self.width}" height="{height:g}" rx="12" fill="{PAPER}"/>',
                *self.parts,
                "</svg>\n",
            ]
        )


def path_of(item: Any) -> str:
    """Return the file of a function, class or module, from the project's folder."""
    return Path(inspect.getsourcefile(inspect.unwrap(item)) or "").relative_to(ROOT).as_posix()


def first_line(item: Any) -> str:
    """Return the first line of a docstring without the full stop and without markup."""
    lines = (inspect.getdoc(item) or "").splitlines()
    return lines[0].removesuffix(".").replace("``", "").replace("`", "") if lines else ""


def wrapped(text: str, width: float, size: int, most: int) -> list[str]:
    """Break ``text`` into at most ``most`` lines of ``width`` pixels; cut the rest with dots."""
    letters = int(width / (size * LETTER))
    return textwrap.wrap(text, letters, max_lines=most, placeholder=" …")


def box(svg: Svg, x: float, y: float, width: float, item: Any, text: str = "") -> float:
    """Draw a box with name, file and docstring of ``item``; return its height."""
    lines = wrapped(text or first_line(item), width - 24, 12, 3)
    height = 50 + 16 * len(lines)
    svg.rect(x, y, width, height, BOX, EDGE)
    called = item.__qualname__ + ("" if inspect.isclass(item) else "()")
    svg.text(x + 12, y + 20, called, NAME, 14)
    svg.text(x + 12, y + 37, path_of(item), DIM, 11)
    for number, line in enumerate(lines):
        svg.text(x + 12, y + 55 + 16 * number, line, INK, 12)
    return height


def calls(item: Any) -> set[str]:
    """Return the names that the source of ``item`` calls or refers to as ``object.name``."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(item)))
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}


class Stop(NamedTuple):
    """A function on the way of a key: its column, and what is handed to it.

    ``by`` is the function whose source calls it; None if it is called through a table or a
    protocol, so that no call can be found.
    """

    column: int
    item: Any
    given: str
    by: Any = None


def turn() -> list[Stop]:
    """Return the way of one key, from the backend to the next frame."""
    action, hit = f"{Move.__name__}(1, 0)", f"{Strike.__name__}(1, 0)"
    return [
        Stop(0, Backend.wait, "the player presses l", App),
        Stop(0, PlayScreen.key, f"{Key.__name__}('l')"),
        Stop(0, Session.act, f"{Act.__name__}({action})", PlayScreen),
        Stop(1, Run.act, action, Session.act),
        Stop(2, Engine.step, action, Run.act),
        Stop(2, perform, action, Engine.step),
        Stop(2, move, "the handler of its type"),
        Stop(2, strike, f"{Alternate.__name__}({hit}): a monster is in the way"),
        Stop(2, melee_attack, "attacker and target", strike),
        Stop(2, damage_after_armour, f"emits {Struck.__name__}"),
        Stop(2, pass_time, "back in Engine.step", Engine.step),
        Stop(2, choose_action, "for every monster with enough energy", Engine),
        Stop(1, Recorder.action, "the action, and a digest of the new state", Run),
        Stop(0, turn_messages, "list of events", Session),
        Stop(0, draw_play, "a new frame", PlayScreen.draw),
        Stop(0, Backend.show, f"{Frame.__name__}: text and map, cell by cell", App),
    ]


def missing_calls() -> list[str]:
    """Return the arrows of the turn for which the code has no call."""
    stops = [stop for stop in turn() if stop.by]
    return [
        f"{stop.by.__qualname__} no longer calls {stop.item.__qualname__}"
        for stop in stops
        if stop.item.__name__ not in calls(stop.by)
    ]


def draw_turn() -> str:
    """Return the picture of one turn: three columns, time runs down."""
    width, margin, gap = 330.0, 20.0, 30.0
    svg = Svg(int(3 * width + 4 * margin), "One turn, from a key to the next frame")
    left = [margin + column * (width + margin) for column in range(3)]
    svg.text(margin, 34, "One turn: from a key to the next frame", NAME, 18)
    for x, name, text in zip(
        left,
        ("render/", "engine/saves/", "engine/"),
        ("keys in, frames out", "the run file", "the rules"),
        strict=True,
    ):
        svg.text(x, 66, name, LINK, 15)
        svg.text(x + 150, 66, text, DIM, 11)
    y, before = 84.0, None
    for stop in turn():
        x = left[stop.column]
        if before is None:
            svg.text(x + 30, y + 16, stop.given, DIM, 11)
            svg.arrow((x + 18, y + 2), (x + 18, y + gap - 4))
        else:
            middle = y + gap / 2
            here, there = before + 18, x + 18
            bends = [(here, y + 2), (here, middle), (there, middle)] if before != x else []
            svg.arrow(*(bends or [(there, y + 2)]), (there, y + gap - 3))
            svg.text(there + 12, middle + (4 if before == x else -5), stop.given, DIM, 11)
        y += gap
        y += box(svg, x, y, width, stop.item)
        before = x
    return svg.whole(y + margin)


ROCK, FLOOR = "#2a3044", "#c9b48a"
COLORS = {int(Tile.WALL): ROCK, int(Tile.TUNNEL): "#5c6f96"}


def tiles(svg: Svg, x: float, y: float, plan: Blueprint, side: int) -> None:
    """Draw the tiles of ``plan``, runs of equal ones as one rectangle; then what it holds."""
    for row, line in enumerate(plan.tiles):
        begin = 0
        for column in range(1, len(line) + 1):
            if column == len(line) or line[column] != line[begin]:
                tile = int(line[begin])
                fill = COLORS.get(tile, FLOOR if plan.open[row, begin] else ROCK)
                place = f'x="{x + begin * side:g}" y="{y + row * side:g}"'
                size = f'width="{(column - begin) * side}" height="{side}"'
                svg.parts.append(
                    f'<rect {place} {size} fill="{fill}" shape-rendering="crispEdges"/>'
                )
                begin = column
    marks = [(spawn.x, spawn.y, "#c8453b") for spawn in plan.spawns]
    marks += [(*plan.start, "#1d6fd1")] if plan.start else []
    marks += [(*plan.exit, "#15803d")] if plan.exit else []
    for column, row, color in marks:
        at = f'cx="{x + (column + 0.5) * side:g}" cy="{y + (row + 0.5) * side:g}"'
        svg.parts.append(f'<circle {at} r="{side * 0.8:g}" fill="{color}" stroke="#14161f"/>')


def frames() -> Iterator[tuple[int, str, str, Any, Blueprint, Level | None]]:
    """Yield number, step, parameters, function and blueprint after each step of `CODE`."""
    code = complete(parse_code(CODE))
    progress = Progress(build_recipe(code))
    last, copy = None, None
    for stage in progress:
        if last and stage.index != last.index:
            yield last.index, *described(last.use), copy, None
        last, copy = stage, snapshot(stage.plan)
    assert last
    yield last.index, *described(last.use), copy, progress.result


def described(use: Any) -> tuple[str, str, Any]:
    """Return label, parameters as text and function of a step in use."""
    values = {name: getattr(use.parameters, name) for name in use.parameters.__struct_fields__}
    return use.label, ", ".join(f"{name}={value}" for name, value in values.items()), use.step


def snapshot(plan: Blueprint) -> Blueprint:
    """Return a copy of ``plan`` that later steps do not change."""
    return Blueprint(plan.tiles.copy(), start=plan.start, exit=plan.exit, spawns=list(plan.spawns))


def draw_level() -> str:
    """Return the picture of a level: code, recipe, the blueprint after each step, map."""
    margin, third = 20.0, 330.0
    svg = Svg(int(3 * third + 4 * margin), "One level, from its code to the map in play")
    left = [margin + column * (third + margin) for column in range(3)]
    svg.text(margin, 34, "One level: from its code to the map in play", NAME, 18)
    code = complete(parse_code(CODE))
    svg.text(margin + 30, 66, f"the player types {CODE}", DIM, 11)
    svg.arrow((margin + 18, 50), (margin + 18, 77))
    y = 80 + row(svg, left, 80, [(parse_code, ""), (LevelCode, str(code)), (find_recipe, "")])
    y += 34
    svg.arrow(
        (left[2] + 18, y - 30),
        (left[2] + 18, y - 16),
        (left[0] + 18, y - 16),
        (left[0] + 18, y - 3),
    )
    svg.text(left[0] + 30, y - 22, "the recipe: a list of steps, from data/recipes.toml", DIM, 11)
    y += row(
        svg, left, y, [(build_recipe, ""), (Rng, stream_text(code)), (Blueprint, "")], arrows=False
    )
    y += 22
    side = 7
    high = side * code.height
    level = None
    for number, label, values, step, plan, made in frames():
        level = made or level
        x = left[number % 3]
        if number and number % 3 == 0:
            y += high + 74
        tiles(svg, x + 4, y, plan, side)
        svg.text(x + 4, y + high + 20, f"{number + 1}. {label}", NAME, 13)
        for line, text in enumerate(wrapped(values or step.summary, third, 11, 2)):
            svg.text(x + 4, y + high + 38 + 15 * line, text, DIM, 11)
    assert level
    x = left[2] + 4
    for line, (color, text) in enumerate(
        [("#1d6fd1", "start"), ("#15803d", "exit"), ("#c8453b", "spawn")]
    ):
        svg.parts.append(f'<circle cx="{x + 8}" cy="{y + 20 + 22 * line}" r="6" fill="{color}"/>')
        svg.text(x + 24, y + 24 + 22 * line, text, INK, 12)
    y += high + 88
    svg.arrow((left[0] + 18, y - 26), (left[0] + 18, y - 3))
    svg.text(left[0] + 30, y - 10, "a broken promise rejects the build: next attempt", DIM, 11)
    y += row(svg, left, y, [(validate, ""), (Level, ""), (GameMap, "")])
    return svg.whole(y + margin)


def stream_text(code: LevelCode) -> str:
    """Return what a stream of random numbers depends on."""
    return (
        f"One stream per step, named by seed {code.seed}, recipe, depth, step and attempt: "
        "steps cannot disturb each other"
    )


def row(
    svg: Svg, left: list[float], y: float, items: Iterable[tuple[Any, str]], *, arrows: bool = True
) -> float:
    """Draw boxes side by side, with arrows between them; return the greatest height."""
    heights = []
    for number, (item, text) in enumerate(items):
        heights.append(box(svg, left[number], y, 330, item, text))
        if arrows and number:
            svg.arrow((left[number] - 19, y + 26), (left[number] - 2, y + 26))
    return max(heights)
