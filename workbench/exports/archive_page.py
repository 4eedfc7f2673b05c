"""The archive of a search as one self-contained HTML page: a grid of pictures."""

from base64 import b64encode
from collections.abc import Mapping
from html import escape
from io import BytesIO
from math import inf

from entities.program import COMMAND
from procgen.build import build
from procgen.level_code import parse_code
from procgen.metrics import format_metric
from procgen.settings import complete
from workbench.evolution.illumination import CELLS, Archive, Elite, cell_edges
from workbench.images.level_pictures import level_picture, shrunk_to_fit
from workbench.survey.survey_page import filled

TILE, SIDE, QUALITY = 6, 220, 62
"""Pixels of a tile before shrinking, and the longest side of a picture: a page is under 2 MB."""


def archive_page(archive: Archive, found: Mapping[tuple[int, int], Elite], command: str) -> str:
    """Return the page's text; rows go up, as on a chart."""
    code = complete(parse_code(archive.level))
    edges = [cell_edges(name, code.width, code.height) for name in archive.axes]
    columns = sorted({column for column, _ in found})
    lowest, highest = columns[0], columns[-1]
    shown = range(lowest, highest + 1)
    rows = []
    for row in range(max(row for _, row in found), min(row for _, row in found) - 1, -1):
        cells = "".join(_cell(found.get((column, row))) for column in shown)
        rows.append(f"<tr><th>{_span(archive.axes[1], edges[1], row)}</th>{cells}</tr>")
    foot = "".join(f"<th>{_span(archive.axes[0], edges[0], column)}</th>" for column in shown)
    x, y = (name.replace("_", " ") for name in archive.axes)
    return filled(
        "page",
        title=f"{escape(code.name)} by {x} and {y}",
        note=f"{len(found)} of {CELLS * CELLS} cells, {archive.tried:,} levels tried",
        command=escape(command),
        program=COMMAND,
        legend="",
        overview=filled(
            "archive", x=x, y=y, rows="\n".join(rows), foot=foot, better=escape(_better(archive))
        ),
        articles="",
        bonds="",
    )


def _better(archive: Archive) -> str:
    order = f"highest {archive.sort}" if archive.sort else "the fewest parameters changed"
    return order + (f", of those with {archive.where}" if archive.where else "")


def _span(name: str, edges: list[float], cell: int) -> str:
    low, high = edges[cell], edges[cell + 1]
    if high == inf:
        return f"{format_metric(name, low)} and more"
    return f"{format_metric(name, low)} to {format_metric(name, high)}"


def _cell(elite: Elite | None) -> str:
    if elite is None:
        return "<td></td>"
    picture = shrunk_to_fit(level_picture(build(elite.hit.code), TILE), SIDE, SIDE)
    stream = BytesIO()
    picture.save(stream, "WEBP", quality=QUALITY)
    data, text = b64encode(stream.getvalue()).decode(), escape(elite.code)
    return (
        f'<td><button data-code title="{text}"><img alt="" src="data:image/webp;base64,{data}">'
        f"<span>{text}</span></button></td>"
    )
