"""The survey as one self-contained HTML page."""

from collections.abc import Iterable, Sequence
from html import escape

import msgspec

from entities.program import COMMAND, SOFTWARE
from entities.wording import pluralise
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.metrics import format_metric
from procgen.settings import recipe_for_code
from workbench.images.level_pictures import data_uri, level_picture, thumbnail
from workbench.search.metric_space import normalize
from workbench.search.search_jobs import METRIC_NAMES
from workbench.survey.parameter_curves import ParameterCurve
from workbench.survey.recipe_statistics import (
    RecipeStatistics,
    format_figure,
    percentiles,
    rank_correlations,
)
from workbench.survey.survey_charts import (
    Axis,
    axis,
    correlation_chart,
    heat_map,
    metric_plane,
    part,
)
from workbench.templates import filled_page

TILE, WIDE, TALL = 12, 560, 640
"""Pixels per tile before shrinking, and the greatest width and height of a picture."""
QUALITY = 80
ENOUGH = 40
"""The least number of levels for which correlations are meaningful."""


def survey_page(
    all_stats: Sequence[RecipeStatistics],
    metrics: tuple[str, str],
    command: str,
    drawn: Iterable[RecipeStatistics],
) -> str:
    """Return the page's text; ``drawn`` yields ``all_stats`` again, to show the progress."""
    x, y = (axis(name, all_stats) for name in metrics)
    parts = [_article(stats, x, y) for stats in drawn]
    levels, several = sum(len(stats.seeds) for stats in all_stats), len(all_stats) > 1
    chart = correlation_chart(rank_correlations(all_stats))
    return filled_page(
        "survey/page.html",
        title="Survey of the generators" if several else escape(all_stats[0].name),
        note=f"{pluralise(levels, 'level')} of {pluralise(len(all_stats), 'generator')}",
        command=escape(command),
        software=SOFTWARE,
        program=COMMAND,
        legend=filled_page("survey/legend.html"),
        overview=_overview(all_stats, x, y) if several else "",
        articles="\n".join(parts),
        matrix=filled_page("survey/correlations.html", chart=chart) if levels >= ENOUGH else "",
    )


def _overview(all_stats: Sequence[RecipeStatistics], x: Axis, y: Axis) -> str:
    """Return all recipes on one plane, for wide and for narrow windows, and their figures."""
    return filled_page(
        "survey/overview.html",
        x=x.name.replace("_", " "),
        y=y.name.replace("_", " "),
        wide=metric_plane(all_stats, x, y, 1040, 852),
        narrow=metric_plane(all_stats, x, y, 400, 472),
        heads="".join(f"<th scope=col>{name}</th>" for name in all_stats[0].figures),
        ranking=_ranking(all_stats),
    )


def _ranking(all_stats: Sequence[RecipeStatistics]) -> str:
    """Return every recipe's figures as bars, the most varied first."""
    most = {"diversity": max(stats.diversity for stats in all_stats) or 1.0}
    rows = []
    for stats in sorted(all_stats, key=lambda recipe: -recipe.diversity):
        cells = (
            part("bar", share=(value or 0.0) / most.get(name, 1.0), text=format_figure(name, value))
            for name, value in stats.figures.items()
        )
        rows.append(part("bars", name=escape(stats.name), cells="".join(cells)))
    return "\n".join(rows)


def _article(stats: RecipeStatistics, x: Axis, y: Axis) -> str:
    size = f"{stats.code.width}x{stats.code.height}, depth {stats.code.depth}"
    figures = [f"{name} {format_figure(name, value)}" for name, value in stats.figures.items()]
    levels = pluralise(len(stats.seeds), "level")
    return part(
        "article",
        name=escape(stats.name),
        description=escape(recipe_for_code(stats.code).description),
        facts=", ".join([size, levels, *figures]),
        table=_table(stats),
        chart=heat_map(stats, x, y),
        x=x.name,
        y=y.name,
        typical=_picture(stats.typical(), "most typical"),
        rarest=_picture(stats.rarest(), "rarest"),
        curves=_curves(stats.curves) if stats.curves else "",
    )


def _curves(curves: Sequence[ParameterCurve]) -> str:
    """Return the curves as data for the page, and the parameters without effect."""
    moved = [curve for curve in curves if curve.explained]
    idle = sorted({curve.parameter for curve in curves} - {curve.parameter for curve in moved})
    data = msgspec.json.encode(moved).decode()
    return part("curves", data=data, idle=", ".join(idle) or "none")


def _table(stats: RecipeStatistics) -> str:
    figures = percentiles(stats.metrics).T
    places = percentiles(normalize(stats.metrics, stats.code.width, stats.code.height)).T
    rows = []
    for name, row, (low, mid, high) in zip(METRIC_NAMES, figures, places.tolist(), strict=True):
        values = "".join(f"<td>{format_metric(name, value)}</td>" for value in row)
        label = name.replace("_", " ")
        rows.append(part("metric", name=label, values=values, low=low, mid=mid, high=high))
    return part("table", rows="".join(rows))


def _picture(code: LevelCode, title: str) -> str:
    shown = thumbnail(level_picture(build(code), TILE), WIDE, TALL)
    source = data_uri(shown, "WEBP", quality=QUALITY)
    size = {"width": shown.width, "height": shown.height}
    return part("picture", **size, what=title, code=code, source=source)
