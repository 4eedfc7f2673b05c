"""A survey as one page that needs nothing else: tables, maps, pictures, codes to copy."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from io import BytesIO
from string import Template

from PIL import ImageEnhance

from entities.data_files import DATA
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.recipes import find_recipe
from workbench.images.level_pictures import level_picture, within
from workbench.search.metric_space import points
from workbench.search.search_jobs import NAMES
from workbench.survey.correlations import bonds, stairs
from workbench.survey.recipe_statistics import Portrait, figure, percentiles
from workbench.survey.survey_charts import Axis, axis, heat_map, plane

FOLDER = DATA / "survey"
TILE, WIDE, TALL = 12, 560, 640
"""Pixels a tile before a picture is shrunk, and the most it may have across and down."""
LIGHTER, QUALITY = 1.28, 80
ENOUGH = 40
"""From how many levels on it can be said which metrics go together."""


def page(
    portraits: Sequence[Portrait], metrics: tuple[str, str], command: str, step: Callable[[], None]
) -> str:
    """Return the page's text; ``step`` is called after each recipe."""
    x, y = (axis(name, portraits) for name in metrics)
    parts = []
    for portrait in portraits:
        parts.append(_article(portrait, x, y))
        step()
    levels, several = sum(len(portrait.seeds) for portrait in portraits), len(portraits) > 1
    return _filled(
        "page",
        title="What the generators make" if several else portraits[0].name,
        note=f"{levels:,} levels of {len(portraits)} generator{'s' * several}",
        command=escape(command),
        overview=_overview(portraits, x, y) if several else "",
        articles="\n".join(parts),
        bonds=_filled("bonds", stairs=stairs(bonds(portraits))) if levels >= ENOUGH else "",
    )


def _filled(name: str, **texts: str) -> str:
    """Return a template of `FOLDER` with ``texts`` in their places."""
    return Template((FOLDER / f"{name}.html").read_text(encoding="utf-8")).substitute(texts)


def _overview(portraits: Sequence[Portrait], x: Axis, y: Axis) -> str:
    """Return all recipes on one plane, for wide windows and for narrow ones, and their variety."""
    return _filled(
        "overview",
        x=x.name.replace("_", " "),
        y=y.name.replace("_", " "),
        wide=plane(portraits, x, y, 1040, 852),
        narrow=plane(portraits, x, y, 400, 472),
        ranking=_ranking(portraits),
    )


def _ranking(portraits: Sequence[Portrait]) -> str:
    """Return every recipe's variety as a bar, the most varied first."""
    most = max(portrait.variety for portrait in portraits) or 1.0
    return "\n".join(
        f'<li><a href="#{one.name}">{one.name}</a>'
        f'<i style="--share:{one.variety / most:.3f}"></i><b>{one.variety:.3f}</b></li>'
        for one in sorted(portraits, key=lambda one: -one.variety)
    )


def _article(portrait: Portrait, x: Axis, y: Axis) -> str:
    recipe = find_recipe(portrait.name, portrait.code.version)
    return (
        f'<article id="{portrait.name}"><header><h2>{portrait.name}</h2>'
        f"<p>{escape(recipe.description)}</p>"
        f"<p class=dim>{portrait.code.width}x{portrait.code.height}, depth {portrait.code.depth}, "
        f"{len(portrait.seeds):,} levels, variety {portrait.variety:.3f}</p></header>"
        f"<div class=parts>{_table(portrait)}<figure>{heat_map(portrait, x, y)}"
        f"<figcaption>{x.name} and {y.name}</figcaption></figure>"
        f"{_picture(portrait.typical(), 'the most typical')}"
        f"{_picture(portrait.rarest(), 'the rarest')}</div></article>"
    )


def _table(portrait: Portrait) -> str:
    figures = portrait.percentiles.T
    places = percentiles(points(portrait.figures, portrait.code.width, portrait.code.height)).T
    rows = [
        f"<tr><th>{name.replace('_', ' ')}</th>"
        + "".join(f"<td>{figure(name, value)}</td>" for value in row)
        + f'<td><i class=range style="--low:{low:.3f};--mid:{mid:.3f};--high:{high:.3f}"></i></td>'
        + "</tr>"
        for name, row, (low, mid, high) in zip(NAMES, figures, places.tolist(), strict=True)
    ]
    head = "<tr><th></th><th>5 %</th><th>median</th><th>95 %</th><th></th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _picture(code: LevelCode, what: str) -> str:
    shown = within(level_picture(build(code), TILE), WIDE, TALL)
    stream = BytesIO()
    ImageEnhance.Brightness(shown).enhance(LIGHTER).save(stream, "WEBP", quality=QUALITY)
    data = b64encode(stream.getvalue()).decode()
    size = f'width="{shown.width}" height="{shown.height}"'
    return (
        f'<figure><img {size} alt="{what}: {code}" src="data:image/webp;base64,{data}">'
        f"<figcaption>{what} <button data-code>{code}</button></figcaption></figure>"
    )
