"""Rewrite rules: a level grows by rules such as ``floor wall wall -> floor tunnel floor``.

How to write one. The words before the arrow are a pattern, those behind it say what its tiles
become. The rule above finds a floor with two tiles of rock beside it, in any of the four
directions, and digs both. Its new floor is where the next rewrite begins, and the tunnel is not:
so corridors keep a tile of rock between them, and what grows from one floor tile is a maze. That is
a whole level generator:

    { step = "rewrite", rules = ["wall -> floor"], times = 1 },
    { step = "rewrite", rules = ["floor wall wall -> floor tunnel floor"] },

Three questions decide what rules do: how many matches are rewritten at a time (``mode``), which
rule comes first (``order``), and when to stop (``times``, ``share``). Tiles that no rule names for
good serve as signs for the next rule: let rubble be the head of a river that leaves water behind,
and let the last rule clear it away. `parse_rule` explains all words of a rule.
(After M. Gumin's MarkovJunior, 2022: https://github.com/mxgmn/MarkovJunior.)
"""

from collections.abc import Iterator, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from procgen.analysis.distances import UNREACHED, dijkstra
from procgen.blueprint import Blueprint
from procgen.placement.painting import TileName, interior, mask_of
from procgen.rewriting.matcher import Matcher
from procgen.rewriting.rules import parse_rule
from procgen.rng import FACES, Dice, Rng
from procgen.step_registry import Positive, Rules, Share, Side, Steps, Tiles, step

Mode = Literal["one", "all", "parallel"]

FIRST_FRAMES = 10
"""So many rewrites are captioned one by one; later ones in groups that grow with their number."""
ENOUGH = 10
"""Rewrites for each tile of the map after which rules that never end are stopped."""


def _check(values: Any) -> None:
    for text in values.rules:
        parse_rule(text)


@step(
    gives="floor",
    depends_on={
        "loops": "order=turn",
        "newest": "mode=one",
        "chance": "mode=parallel",
        "heat": "pull",
        "avoid": "pull",
    },
    check=_check,
    varies="share",
)
def rewrite(
    plan: Blueprint,
    rng: Rng,
    *,
    rules: Rules = ("floor wall wall -> floor tunnel floor",),
    mode: Mode = "one",
    order: Literal["any", "first", "turn"] = "any",
    times: Steps = 0,
    share: Share = 1.0,
    loops: Positive = 1,
    turns: bool = True,
    mirrors: bool = True,
    lattice: Side = 1,
    newest: Share = 0.0,
    chance: Share = 1.0,
    pull: tuple[TileName, ...] = (),
    avoid: tuple[TileName, ...] = (),
    heat: Tiles = 0,
) -> Iterator[str]:
    """Rewrite tiles by ``rules``: each is a pattern of tiles, an arrow, and what they become.

    The words are names of tiles: "floor wall wall -> floor tunnel floor" digs a maze. A "/" begins
    the next row; "floor|tunnel" accepts both, "ground" all that can be walked on, "solid" what
    cannot, "any" every tile; "same" leaves a tile as it is; "wall*5" is five tiles of wall, and
    "*5" at the end of a row five such rows. With the ``mode`` "one" a random match is rewritten at
    a time; "all" goes round by round over all matches there are, leaving out what another rewrite
    has ended; "parallel" rewrites all of them as if at once, each with this ``chance``. With the
    ``order`` "any" all rules are alike; "first" takes the first rule that matches anywhere, from
    the top again each time; "turn" applies each until it matches nowhere, then the next, and all of
    them ``loops`` times over. It ends after so many ``times`` (rewrites or rounds, for each rule in
    "turn"; 0 for as many as there are, up to ten for each tile of the map), and once a ``share`` of
    the map has been rewritten. Rules match also when seen in quarter ``turns`` and in ``mirrors``,
    and only with their upper left tile in every ``lattice``-th column and row. Mode "one" takes the
    ``newest`` match with that chance: 1 digs long corridors. With ``pull`` the matches nearest to
    one of these tiles come first, give or take ``heat`` steps; the way there goes round the tiles
    to ``avoid``. The border and occupied tiles stay.
    """
    if not rules:
        return
    matcher = Matcher(
        plan.tiles,
        plan.occupied | ~interior(plan),
        [parse_rule(text) for text in rules],
        Dice(rng),
        turns=turns,
        mirrors=mirrors,
        lattice=lattice,
        each=order != "any",
        field=_field(plan, pull, avoid) if pull else None,
        heat=heat,
        lists=mode == "one",
    )
    pools = list(range(len(matcher.pools)))
    phases = [[pool] for pool in pools] * loops if order == "turn" else [pools]
    work = _Work(matcher, rng, mode, chance, newest)
    yield from work.run(phases, times, int(share * plan.tiles.size + 0.5))


def _field(
    plan: Blueprint, pull: Sequence[TileName], avoid: Sequence[TileName]
) -> NDArray[np.int32]:
    """Return the steps from each tile to the nearest tile of ``pull``, round those to ``avoid``."""
    goal = mask_of(plan, pull)
    field = np.where(goal, 0, UNREACHED).astype(np.int32)
    return dijkstra(field, (~mask_of(plan, avoid) | goal).astype(np.int8))


class _Work:
    """Rewrites, and the captions that show them."""

    def __init__(
        self, matcher: Matcher, rng: Rng, mode: Mode, chance: float, newest: float
    ) -> None:
        self._matcher, self._rng, self._mode = matcher, rng, mode
        self._chance, self._newest = chance, newest
        self._looked_at = self._new = 0

    def run(self, phases: list[list[int]], times: int, share: int) -> Iterator[str]:
        """Yield the captions of all rewrites: pools by ``phases``, till ``share`` tiles changed."""
        matcher = self._matcher
        most = ENOUGH * matcher.tiles.size
        for pools in phases:
            left, draws = times or most, matcher.draw(pools, self._newest)
            while left and matcher.changed < share and self._looked_at < most:
                if self._mode == "one":
                    batch = max(1, self._looked_at // FIRST_FRAMES + 1 - self._new)
                    batch = min(batch, left, most - self._looked_at)
                    done = matcher.apply(draws, batch, share)
                    self._looked_at += done
                    self._new += done
                else:
                    done = batch = 1
                    if not any(map(self._round, pools)):  # The first pool that has a match.
                        break
                left -= done
                if self._new > self._looked_at // FIRST_FRAMES:
                    yield self._caption()
                if done < batch:
                    break
        if self._new:
            yield self._caption()

    def _round(self, pool: int) -> bool:
        matcher = self._matcher
        matches = matcher.find_all(pool)
        number = len(matches)
        self._looked_at += number
        if self._mode == "all":
            shuffled = self._rng.shuffled(matches.tolist())
            self._new += matcher.apply(filter(matcher.holds, shuffled))
        else:
            if self._chance < 1:
                dice = self._rng.integers(0, FACES - 1, len(matches))
                matches = matches[dice < self._chance * FACES]
            matcher.apply_all(matches)
            self._new += len(matches)
        return number > 0

    def _caption(self) -> str:
        """Bring the map up to date and tell of the rewrites since the last caption."""
        self._matcher.write()
        rule = self._matcher.rule(self._matcher.last).text
        x, y = self._matcher.place(self._matcher.last)
        place = f"at {x}, {y}" if self._new == 1 else f"and {self._new - 1} more"
        self._new = 0
        return f"{rule}, {place}"
