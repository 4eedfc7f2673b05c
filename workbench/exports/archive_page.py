"""The archive of a search as one self-contained HTML page: a grid of pictures."""

from collections.abc import Mapping
from html import escape
from itertools import pairwise
from math import ceil, inf, prod

from entities.program import COMMAND, SOFTWARE
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import COUNT_METRICS, format_metric, is_share
from procgen.settings import complete
from workbench.evolution.illumination import BATCH, ROUNDING, Archive, Elite, cell_edges
from workbench.images.level_pictures import data_uri, level_picture, thumbnail
from workbench.survey.survey_charts import part
from workbench.templates import filled_page

TILE, SIDE, QUALITY, LIGHTER = 6, 220, 62, 1.9
"""Pixels per tile before shrinking, the longest side, the WebP quality and the brightness of a
picture: a page is under 2 MB."""


def archive_page(archive: Archive, elites: Mapping[tuple[int, int], Elite], command: str) -> str:
    """Return the page's text; rows are counted upwards, as on a chart."""
    code, (columns, lines) = complete(parse_code(archive.code)), cell_spans(archive)
    rows = [
        f"<tr><th scope=row>{lines[row]}</th>"
        f"{''.join(_cell(elites.get((col, row))) for col in columns)}</tr>"
        for row in reversed(lines)
    ]
    foot = "".join(f"<th scope=col>{span}</th>" for span in columns.values())
    x, y = (name.replace("_", " ") for name in archive.axes)
    better = f"the highest {archive.sort}" if archive.sort else "the fewest parameters changed"
    better += f", among those with {archive.where}" if archive.where else ""
    table = {"rows": "\n".join(rows), "foot": foot, "better": escape(better)}
    return filled_page(
        "survey/page.html",
        title=f"{escape(code.name)} by {x} and {y}",
        note=grid_summary(archive),
        command=escape(command),
        software=SOFTWARE,
        program=COMMAND,
        legend="",
        overview=filled_page("survey/archive.html", x=x, y=y, **table),
        articles="",
        matrix="",
    )


def grid_summary(archive: Archive) -> str:
    """Return how many cells hold a level, and how many levels were tried for that."""
    invalid, cells = archive.batches * BATCH - archive.tried, prod(map(len, cell_spans(archive)))
    summary = f"{len(archive.cells)} of {cells} cells, {archive.tried:,} levels tried"
    return f"{summary}, {invalid:,} more had invalid parameters" if invalid else summary


def cell_spans(archive: Archive) -> list[dict[int, str]]:
    """Return the values of each column and of each row that can hold a level, by its number."""
    code, spans = complete(parse_code(archive.code)), []
    for name in archive.axes:
        ends = enumerate(pairwise(cell_edges(name, code.width, code.height)))
        spans.append({cell: span for cell, end in ends if (span := _span(name, *end))})
    return spans


def _span(name: str, low: float, high: float) -> str:
    """Return the values of a metric from ``low`` to below ``high``, "" if there are none."""
    if is_share(name):
        if low > 1:
            return ""
        high = min(high, 1.0)
    if name in COUNT_METRICS:
        low = ceil(low - ROUNDING)
        high = high if high == inf else ceil(high - ROUNDING) - 1
        if high <= low:
            return f"{low}" if high == low else ""
    if high == inf:
        return f"{format_metric(name, low)} and more"
    first, last = format_metric(name, low), format_metric(name, high)
    return first if first == last else f"{first} to {last}"


def _cell(elite: Elite | None) -> str:
    if elite is None:
        return "<td></td>"
    picture = thumbnail(level_picture(build(elite.hit.code), TILE), SIDE, SIDE, LIGHTER)
    source = data_uri(picture, "WEBP", quality=QUALITY)
    return part("cell", code=escape(elite.code), source=source)
