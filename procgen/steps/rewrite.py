"""Rewrite rules: a level grows by rules such as ``floor wall wall -> floor tunnel floor``.

How to write a rule: the words before the arrow are a pattern, the words after it are what its tiles
become. The rule above finds a floor tile with two tiles of rock in a row beside it, in any of the
four directions, and digs both. The next rewrite can begin at the new floor, but not at the tunnel,
so corridors keep a tile of rock between them, and a maze grows from a single floor tile. This is a
whole level generator:

    { step = "rewrite", rules = ["wall -> floor"], times = 1 },
    { step = "rewrite", rules = ["floor wall wall -> floor tunnel floor"] },

Three choices decide what rules do: how many matches are rewritten at a time (``mode``), which rule
comes first (``order``), and when to stop (``times``, ``share``). Tiles that are not meant to stay
can serve as markers for later rules: let rubble be the head of a river that leaves water behind,
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
"""Rewrites with a caption each; later captions stand for groups that grow with their number."""
ENOUGH = 10
"""Rewrites for each tile of the map after which rules that would never end are stopped."""


def _check(values: Any) -> None:
    for text in values.rules:
        parse_rule(text)


@step(
    gives="floor",
    depends_on={
        "loops": "order=turn",
        "newest": "mode=one",
        "chance": "mode=parallel",
        "heat avoid": "pull",
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

    The words of a rule are names of tiles: "floor wall wall -> floor tunnel floor" digs a maze. A
    "/" begins the next row; "floor|tunnel" accepts both, "ground" every walkable tile, "solid"
    every other, "any" every tile; "same" leaves a tile as it is; "wall*5" is five tiles of wall,
    and "*5" at the end of a row makes five such rows. With the ``mode`` "one" a random match is
    rewritten at a time; "all" goes round by round through all matches, leaving out those that an
    earlier rewrite has ended; "parallel" rewrites all matches of a round as if at once, each with
    this ``chance``. With the ``order`` "any" all rules are alike; "first" takes the first rule that
    matches anywhere, from the top again each time; "turn" applies each rule until it matches
    nowhere, then the next, and the whole list ``loops`` times over. ``times`` is the maximum number
    of rewrites or rounds (for each rule in "turn"); 0 means no maximum but ten for each tile of the
    map. Rewriting also ends once a ``share`` of the map has been rewritten. With ``turns`` rules
    match in quarter turns too, with ``mirrors`` also mirrored. Rules match only with their upper
    left tile in every ``lattice``-th column and row. In the mode "one" the ``newest`` match is
    taken with that chance: 1 digs long corridors. With ``pull`` the matches nearest to one of these
    tiles come first, give or take ``heat`` steps. The distance is measured around tiles of the
    kinds ``avoid``. The border and occupied tiles stay.
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
    """Return the steps from each tile to the nearest of ``pull``, around the tiles ``avoid``."""
    goal = mask_of(plan, pull)
    field = np.where(goal, 0, UNREACHED).astype(np.int32)
    return dijkstra(field, (~mask_of(plan, avoid) | goal).astype(np.int8))


class _Work:
    """The rewrites of one step and their captions."""

    def __init__(self, matcher: Matcher, rng: Rng, mode: Mode, odds: float, newest: float) -> None:
        self._matcher, self._rng, self._mode = matcher, rng, mode
        self._chance, self._newest = odds, newest
        self._looked_at = self._new = 0

    def run(self, phases: list[list[int]], times: int, share: int) -> Iterator[str]:
        """Rewrite the pools of ``phases`` until ``share`` tiles have changed; yield captions."""
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
                    if not any(map(self._round, pools)):  # Stops at the first pool with a match.
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
            self._new += matcher.apply(filter(matcher.holds, self._rng.shuffled(matches.tolist())))
        else:
            if self._chance < 1:
                dice = self._rng.integers(0, FACES - 1, len(matches))
                matches = matches[dice < self._chance * FACES]
            matcher.apply_all(matches)
            self._new += len(matches)
        return number > 0

    def _caption(self) -> str:
        """Update the map and return a caption for the rewrites since the last one."""
        self._matcher.write()
        rule = self._matcher.rule(self._matcher.last).text
        x, y = self._matcher.place(self._matcher.last)
        place = f"at {x}, {y}" if self._new == 1 else f"and {self._new - 1} more"
        self._new = 0
        return f"{rule}, {place}"
