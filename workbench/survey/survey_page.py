"""The survey as one self-contained HTML page."""

from base64 import b64encode
from collections.abc import Callable, Sequence
from html import escape
from io import BytesIO

from PIL import ImageEnhance

from entities.program import COMMAND
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.settings import recipe_for_code
from workbench.images.level_pictures import level_picture, shrunk_to_fit
from workbench.search.metric_space import normalize
from workbench.search.search_jobs import METRIC_NAMES
from workbench.survey.correlations import correlation_chart, rank_correlations
from workbench.survey.recipe_statistics import RecipeStatistics, format_percentile, percentiles
from workbench.survey.survey_charts import Axis, axis, heat_map, metric_plane
from workbench.templates import filled_page

TILE, WIDE, TALL = 12, 560, 640
"""Pixels per tile before shrinking, and the greatest width and height of a picture."""
LIGHTER, QUALITY = 1.28, 80
LEGEND = (
    "Bars: from the 5 % to the 95 % level, with the median; the middle of a bar is usual for all "
    "generators."
)
ENOUGH = 40
"""Least number of levels for correlations to mean anything."""


def survey_page(
    all_stats: Sequence[RecipeStatistics],
    metrics: tuple[str, str],
    command: str,
    step: Callable[[], None],
) -> str:
    """Return the page's text; ``step`` is called after each recipe."""
    x, y = (axis(name, all_stats) for name in metrics)
    parts = []
    for stats in all_stats:
        parts.append(_article(stats, x, y))
        step()
    levels, several = sum(len(stats.seeds) for stats in all_stats), len(all_stats) > 1
    return filled_page(
        "survey/page.html",
        title="What the generators make" if several else all_stats[0].name,
        note=f"{levels:,} levels of {len(all_stats)} generator{'s' * several}",
        command=escape(command),
        program=COMMAND,
        legend=LEGEND,
        overview=_overview(all_stats, x, y) if several else "",
        articles="\n".join(parts),
        bonds=filled_page(
            "survey/bonds.html", stairs=correlation_chart(rank_correlations(all_stats))
        )
        if levels >= ENOUGH
        else "",
    )


def _overview(all_stats: Sequence[RecipeStatistics], x: Axis, y: Axis) -> str:
    """Return all recipes on one plane, for wide windows and for narrow ones, and their variety."""
    return filled_page(
        "survey/overview.html",
        x=x.name.replace("_", " "),
        y=y.name.replace("_", " "),
        wide=metric_plane(all_stats, x, y, 1040, 852),
        narrow=metric_plane(all_stats, x, y, 400, 472),
        ranking=_ranking(all_stats),
    )


def _ranking(all_stats: Sequence[RecipeStatistics]) -> str:
    """Return every recipe's variety as a bar, the most varied first."""
    most = max(stats.variety for stats in all_stats) or 1.0
    return "\n".join(
        f'<li><a href="#{one.name}">{one.name}</a>'
        f'<i style="--share:{one.variety / most:.3f}"></i><b>{one.variety:.3f}</b></li>'
        for one in sorted(all_stats, key=lambda one: -one.variety)
    )


def _article(stats: RecipeStatistics, x: Axis, y: Axis) -> str:
    recipe = recipe_for_code(stats.code)
    return (
        f'<article id="{stats.name}"><header><h2>{stats.name}</h2>'
        f"<p>{escape(recipe.description)}</p>"
        f"<p class=dim>{''.join(f'{escape(told)}, ' for told in stats.code.settings)}"
        f"{stats.code.width}x{stats.code.height}, depth {stats.code.depth}, "
        f"{len(stats.seeds):,} levels, variety {stats.variety:.3f}</p></header>"
        f"<div class=parts>{_table(stats)}<figure>{heat_map(stats, x, y)}"
        f"<figcaption>{x.name} and {y.name}</figcaption></figure>"
        f"{_picture(stats.typical(), 'the most typical')}"
        f"{_picture(stats.rarest(), 'the rarest')}</div></article>"
    )


def _table(stats: RecipeStatistics) -> str:
    figures = stats.percentiles.T
    places = percentiles(normalize(stats.metrics, stats.code.width, stats.code.height)).T
    rows = [
        f"<tr><th>{name.replace('_', ' ')}</th>"
        + "".join(f"<td>{format_percentile(name, value)}</td>" for value in row)
        + f'<td><i class=range style="--low:{low:.3f};--mid:{mid:.3f};--high:{high:.3f}"></i></td>'
        + "</tr>"
        for name, row, (low, mid, high) in zip(METRIC_NAMES, figures, places.tolist(), strict=True)
    ]
    head = "<tr><th></th><th>5 %</th><th>median</th><th>95 %</th><th></th></tr>"
    return f"<table><thead>{head}</thead><tbody>{''.join(rows)}</tbody></table>"


def _picture(code: LevelCode, what: str) -> str:
    shown = shrunk_to_fit(level_picture(build(code), TILE), WIDE, TALL)
    stream = BytesIO()
    ImageEnhance.Brightness(shown).enhance(LIGHTER).save(stream, "WEBP", quality=QUALITY)
    data = b64encode(stream.getvalue()).decode()
    size = f'width="{shown.width}" height="{shown.height}"'
    return (
        f'<figure><img {size} alt="{what}: {code}" src="data:image/webp;base64,{data}">'
        f"<figcaption>{what} <button data-code>{code}</button></figcaption></figure>"
    )
