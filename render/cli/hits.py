"""What a search found, as lines of text, CSV, JSON lines or bare codes."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from procgen.code import LevelCode
from render.search.jobs import NAMES, Hit
from render.standing import shown

FACTS = ("code", "generator", "seed", "depth", "width", "height")

Line = Callable[[Hit], str]


def header(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> str:
    """Return what stands above the lines, with a line end if anything does."""
    if form == "csv":
        return ",".join((*FACTS, *NAMES)) + "\n"
    if form != "text":
        return ""
    cells = [f"{name:>{_wide(name)}}" for name in names]
    return "  ".join([f"{'code':<{_longest(codes, last)}}", *cells]) + "\n"


def line(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> Line:
    """Return how a hit is written in ``form``; ``last`` is the highest seed there may be."""
    match form:
        case "csv":
            return _comma_separated
        case "jsonl":
            return lambda hit: msgspec.json.encode(record(hit)).decode() + "\n"
        case "codes":
            return lambda hit: f"{hit.code}\n"
    longest = _longest(codes, last)

    def text(hit: Hit) -> str:
        cells = [f"{figure(name, hit):>{_wide(name)}}" for name in names]
        return "  ".join([f"{hit.code!s:<{longest}}", *cells]) + "\n"

    return text


def figure(name: str, hit: Hit) -> str:
    """Return a metric of a hit as people read it, without a gap."""
    return shown(name, getattr(hit.metrics, name)).replace(" ", "")


def record(hit: Hit) -> dict[str, Any]:
    """Return a hit as plain values: its code, the code's parts, and the metrics."""
    code = hit.code
    facts = (str(code), code.recipe, code.seed, code.depth, code.width, code.height)
    return {**dict(zip(FACTS, facts, strict=True)), **msgspec.structs.asdict(hit.metrics)}


def _comma_separated(hit: Hit) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(record(hit).values())
    return row.getvalue()


def _wide(name: str) -> int:
    return max(6, len(name))


def _longest(codes: Sequence[LevelCode], last: int) -> int:
    return max(len(str(code)) for code in codes) + len(str(last)) - 1
