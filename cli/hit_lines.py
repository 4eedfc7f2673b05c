"""Lines of `find`: a level that matches, as text, CSV, JSON or its code."""

import csv
import io
from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from procgen.level_code import LevelCode
from procgen.metrics import format_metric
from workbench.search.search_jobs import METRIC_NAMES, Hit

FACTS = ("code", "generator", "seed", "depth", "width", "height")

Line = Callable[[Hit], str]


def header_line(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> str:
    """Return the heading of the output, empty for formats without one."""
    if form == "csv":
        return ",".join((*FACTS, *METRIC_NAMES)) + "\n"
    if form != "text":
        return ""
    cells = [f"{name:>{_column_width(name)}}" for name in names]
    return "  ".join([f"{'code':<{_longest_code(codes, last)}}", *cells]) + "\n"


def hit_formatter(form: str, codes: Sequence[LevelCode], last: int, names: Sequence[str]) -> Line:
    """Return the function that formats a hit in ``form``; ``last`` is the highest seed."""
    match form:
        case "csv":
            return _csv_line
        case "jsonl":
            return lambda hit: msgspec.json.encode(hit_record(hit)).decode() + "\n"
        case "codes":
            return lambda hit: f"{hit.code}\n"
    longest = _longest_code(codes, last)

    def text(hit: Hit) -> str:
        cells = [f"{metric_cell(name, hit):>{_column_width(name)}}" for name in names]
        return "  ".join([f"{hit.code!s:<{longest}}", *cells]) + "\n"

    return text


def metric_cell(name: str, hit: Hit) -> str:
    """Format a metric of a hit for a column, without spaces."""
    return format_metric(name, getattr(hit.metrics, name)).replace(" ", "")


def hit_record(hit: Hit) -> dict[str, Any]:
    """Return the code of a hit, the parts of the code, and the metrics as a dict."""
    code = hit.code
    facts = (str(code), code.name, code.seed, code.depth, code.width, code.height)
    return {**dict(zip(FACTS, facts, strict=True)), **msgspec.structs.asdict(hit.metrics)}


def _csv_line(hit: Hit) -> str:
    row = io.StringIO()
    csv.writer(row, lineterminator="\n").writerow(hit_record(hit).values())
    return row.getvalue()


def _column_width(name: str) -> int:
    return max(6, len(name))


def _longest_code(codes: Sequence[LevelCode], last: int) -> int:
    return max(len(str(code)) for code in codes) + len(str(last)) - 1
