"""Lines of `find`: matching levels as text, CSV, JSON or codes."""

from collections.abc import Iterable, Sequence
from typing import Any

import msgspec

from cli.output import print_records
from procgen.metrics import format_metric
from workbench.search.search_jobs import METRIC_NAMES, Hit

FACTS = ("code", "generator", "seed", "depth", "width", "height")


def print_hits(form: str, hits: Iterable[Hit], longest: int, names: Sequence[str]) -> None:
    """Print ``hits`` in ``form``, each as soon as it is found.

    A line of text has a code of at most ``longest`` characters and the metrics ``names``. If
    ``longest`` is 0, the code comes last.
    """
    if form in {"csv", "json"}:
        print_records(form, map(hit_record, hits), (*FACTS, *METRIC_NAMES))
        return

    def print_line(code: object, cells: Iterable[str]) -> None:
        padded = [f"{cell:>{max(6, len(name))}}" for name, cell in zip(names, cells, strict=True)]
        line = [f"{code!s:<{longest}}", *padded] if longest else [*padded, code]
        print(*line, sep="  ", flush=True)

    if form == "text":
        print_line("code", names)
    for hit in hits:
        if form == "text":
            cells = (format_metric(name, getattr(hit.metrics, name)) for name in names)
            print_line(hit.code, (cell.replace(",", "") for cell in cells))
        else:
            line = msgspec.json.encode(hit_record(hit)).decode() if form == "jsonl" else hit.code
            print(line, flush=True)


def hit_record(hit: Hit) -> dict[str, Any]:
    """Return the code of a hit, the parts of the code, and the metrics as a dict."""
    code = hit.code
    facts = (str(code), code.name, code.seed, code.depth, code.width, code.height)
    return {**dict(zip(FACTS, facts, strict=True)), **msgspec.structs.asdict(hit.metrics)}
