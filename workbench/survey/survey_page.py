"""The survey as one self-contained HTML page."""

from collections.abc import Callable, Sequence
from html import escape

from entities.program import COMMAND
from procgen.build import build
from procgen.level_code import LevelCode
from procgen.settings import recipe_for_code
from workbench.images.level_pictures import data_uri, level_picture, thumbnail
from workbench.search.metric_space import normalize
from workbench.search.search_jobs import METRIC_NAMES
from workbench.survey.correlations import correlation_chart, rank_correlations
from workbench.survey.recipe_statistics import RecipeStatistics, format_percentile, percentiles
from workbench.survey.survey_charts import Axis, axis, heat_map, metric_plane, part
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
    ranked = sorted(all_stats, key=lambda one: -one.variety)
    rows = ((one.name, one.variety / most, one.variety) for one in ranked)
    return "\n".join(part("variety", name=n, share=s, variety=v) for n, s, v in rows)


def _article(stats: RecipeStatistics, x: Axis, y: Axis) -> str:
    size = f"{stats.code.width}x{stats.code.height}, depth {stats.code.depth}"
    figures = f"{len(stats.seeds):,} levels, variety {stats.variety:.3f}"
    return part(
        "article",
        name=stats.name,
        description=escape(recipe_for_code(stats.code).description),
        facts=", ".join([*map(escape, stats.code.settings), size, figures]),
        table=_table(stats),
        chart=heat_map(stats, x, y),
        x=x.name,
        y=y.name,
        typical=_picture(stats.typical(), "the most typical"),
        rarest=_picture(stats.rarest(), "the rarest"),
    )


def _table(stats: RecipeStatistics) -> str:
    figures = stats.percentiles.T
    places = percentiles(normalize(stats.metrics, stats.code.width, stats.code.height)).T
    rows = []
    for name, row, (low, mid, high) in zip(METRIC_NAMES, figures, places.tolist(), strict=True):
        values = "".join(f"<td>{format_percentile(name, value)}</td>" for value in row)
        said = name.replace("_", " ")
        rows.append(part("metric", name=said, values=values, low=low, mid=mid, high=high))
    return part("table", rows="".join(rows))


def _picture(code: LevelCode, what: str) -> str:
    shown = thumbnail(level_picture(build(code), TILE), WIDE, TALL, LIGHTER)
    source = data_uri(shown, "WEBP", quality=QUALITY)
    size = {"width": shown.width, "height": shown.height}
    return part("picture", **size, what=what, code=code, source=source)
