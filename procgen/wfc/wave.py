"""The wave: the set of possible patterns of each cell, reduced until one pattern is left."""

from collections import deque
from collections.abc import Iterator
from functools import lru_cache

from procgen.rng import Rng, endless_draws
from procgen.wfc.constraints import MARGIN, Constraints

MANY = 16
"""A place with at least this many options does not propagate, as `Domains` explains."""

Trail = dict[int, int]
"""The places that changed, each with the mask it had before."""


class Domains:
    """A grid of places, each with a bit mask of the patterns that it may become.

    ``masks`` is flat, with ``stride`` places per row and a frame of `MARGIN` places that hold 0, as
    do all places outside the field: a 0 sets no constraint and never changes.

    A place with `MANY` options or more does not propagate yet: it would rule out next to nothing,
    and would have to be propagated again after each change, which made waves many times slower.
    Changes propagate to a fixed point among all others: in the end, all constraints hold.
    """

    def __init__(self, constraints: Constraints, masks: list[int], stride: int) -> None:
        self.constraints = constraints
        self.masks = list(masks)
        self.stride = stride
        self._waiting = bytearray(len(masks))

    def propagate(self, queue: list[int], trail: Trail) -> int:
        """Propagate changes from the ``queue``; return a place left without options, or 0.

        The places in it must have fewer than `MANY` options.
        """
        masks, forbidden, waiting = self.masks, self.constraints.forbidden, self._waiting
        stride = self.stride
        for place in queue:
            waiting[place] = 0
            north, east, south, west = forbidden(masks[place])
            above, right, below, left = place - stride, place + 1, place + stride, place - 1
            north &= masks[above]
            east &= masks[right]
            south &= masks[below]
            west &= masks[left]
            if not (north or east or south or west):
                continue  # True of half of all places, so worth a test before the loop.
            for other, gone in ((above, north), (right, east), (below, south), (left, west)):
                if not gone:
                    continue
                before = masks[other]
                remaining = before ^ gone
                if not remaining:
                    # The marks outlive this call: a place left marked would never be queued again.
                    for rest in queue:
                        waiting[rest] = 0
                    return other
                if other not in trail:
                    trail[other] = before
                masks[other] = remaining
                if not waiting[other] and remaining.bit_count() < MANY:
                    waiting[other] = 1
                    queue.append(other)
        return 0

    def propagating(self, places: list[int]) -> list[int]:
        """Return those of ``places`` that propagate: 1 to `MANY` - 1 options."""
        return [place for place in places if 0 < self.masks[place].bit_count() < MANY]

    def undo(self, trail: Trail) -> None:
        """Restore the masks recorded in ``trail``."""
        for place, mask in trail.items():
            self.masks[place] = mask

    def around(self, place: int, radius: int) -> list[int]:
        """Return the places up to ``radius`` away that belong to the field."""
        (y, x), height = divmod(place, self.stride), len(self.masks) // self.stride
        rows = range(max(MARGIN, y - radius), min(height - MARGIN, y + radius + 1))
        left, right = max(MARGIN, x - radius), min(self.stride - MARGIN, x + radius + 1)
        places = (row * self.stride + column for row in rows for column in range(left, right))
        return [at for at in places if self.masks[at]]


COPY_RADIUS, HALO = 2, 3
"""Places around an observed one that are copied with it, and around a patch that may reopen."""
BLOCK, MOST_NEARBY = 8, 8
"""Places along a side of the blocks in which failures are counted, and the most patches in each."""
PORTION, ROLLS = 64, 1024
"""Places that propagate together at the beginning, and random numbers drawn at a time."""


class Contradiction(Exception):
    """Some cell has no possible pattern left."""


class Wave(Domains):
    """Domains that collapse: place after place is observed, that is, reduced to one pattern.

    Entropy is an integer, the number of options, because logarithms may differ in the last bit
    between machines and one such difference would change the level. From `MANY` up all count as
    equal; on a tie, the place that has waited longest is next.
    ``fresh`` are the places settled since the list was last cleared, ``patches`` counts the
    neighbourhoods solved anew, ``unsolved`` the places where nothing was possible.
    """

    def __init__(
        self, constraints: Constraints, masks: list[int], stride: int, *, leave_out: bool = False
    ) -> None:
        super().__init__(constraints, masks, stride)
        self.fresh: list[int] = []
        self.patches = self.unsolved = 0
        self._leaves_out = leave_out
        self._first = self.masks
        self._failures: dict[tuple[int, int], int] = {}
        page = constraints.atlas_stride, constraints.atlas_pace
        self._stamps = [_stamp(reach, stride, *page) for reach in (COPY_RADIUS, 1, 0)]
        self._places = [place for place, mask in enumerate(masks) if mask]
        active = self.propagating(self._places)
        for start in range(0, len(active), PORTION):
            self._begin(active[start : start + PORTION])
        self._first = list(self.masks)

    def _begin(self, places: list[int]) -> None:
        """Propagate from ``places`` before anything is observed."""
        trail: Trail = {}
        while place := self.propagate(self.propagating([*places, *trail]), trail):
            self._leave_out(place)

    def collapse(self, rng: Rng, *, patches: int, stages: int = 1) -> Iterator[None]:
        """Observe every place, always one of least entropy; yield up to ``stages`` times.

        Where a place has no option left, its neighbourhood is reset and solved again, up to
        ``patches`` times in all and `MOST_NEARBY` times nearby. After that, and where nothing was
        possible at all, it is left out if the wave may ``leave_out``; else raises `Contradiction`.
        """
        masks = self.masks
        order = rng.shuffled(self._places)
        queues: list[deque[int]] = [deque() for _ in range(MANY + 1)]
        for place in order:
            queues[min(masks[place].bit_count(), MANY)].append(place)
        self.fresh += queues[1]
        enough = len(order) // stages + 1
        rolls = endless_draws(rng, 2**31, ROLLS)
        entropy = 2
        while entropy <= MANY:
            queue = queues[entropy]
            if not queue:
                entropy += 1
                continue
            place = queue.popleft()
            options = masks[place].bit_count()
            # A stale entry: when the place lost options, it was queued again in another queue.
            if options != entropy and (options < MANY or entropy < MANY):
                continue
            trail = self._choose(place, next(rolls))
            reopened = {} if trail else self._resolve_block(place, patches)
            for other in trail or reopened:
                options = masks[other].bit_count()
                if options < 2:
                    self.fresh.append(other)
                elif options < MANY:
                    queues[options].append(other)
                elif other == place or (reopened and reopened[other].bit_count() < MANY):
                    queues[MANY].append(other)
            entropy = 2
            if len(self.fresh) >= enough:
                yield

    def _choose(self, place: int, roll: int) -> Trail:
        """Observe ``place``: copy a random place of the sample; return the changes, {} on failure.

        As much as possible of that place's surroundings, up to `COPY_RADIUS` away, is copied with
        it, or less if that fails; and if the pattern alone fails, it is forbidden here.
        """
        masks, atlas = self.masks, self.constraints.atlas
        mask = masks[place]
        model = self.constraints.pick(mask, roll)
        for stamp in self._stamps:
            trail = {}
            for step, shown in stamp:
                before, copied = masks[place + step], atlas[model + shown]
                if before != copied and before & copied:
                    trail[place + step] = before
                    masks[place + step] = copied
            if not self.propagate(list(trail), trail):
                return trail
            self.undo(trail)
        trail = {place: mask}
        masks[place] = mask ^ atlas[model]
        if self.propagate(self.propagating([place]), trail):
            self.undo(trail)
            return {}
        return trail

    def _resolve_block(self, place: int, patches: int) -> Trail:
        """Reset the neighbourhood of ``place``, a larger one each time the same block fails."""
        y, x = divmod(place, self.stride)
        block = y // BLOCK, x // BLOCK
        while self.patches < patches and self._failures.get(block, 0) < MOST_NEARBY:
            self.patches += 1
            self._failures[block] = self._failures.get(block, 0) + 1
            trail = self._reset(place, self._failures[block] + 1)
            if trail:
                return trail
        return self._leave_out(place)

    def _reset(self, place: int, radius: int) -> Trail:
        """Reopen the places up to ``radius`` away, and the undecided ones a little further."""
        masks = self.masks
        wider = self.around(place, radius + HALO)
        unsure = [at for at in wider if masks[at] & (masks[at] - 1)]
        trail = {at: masks[at] for at in (*self.around(place, radius), *unsure)}
        for at in trail:
            masks[at] = self._first[at]
        if self.propagate(self.propagating(self.around(place, radius + HALO + 1)), trail):
            self.undo(trail)
            return {}
        return trail

    def _leave_out(self, place: int) -> Trail:
        """Remove ``place`` and its neighbours from the wave: they constrain nothing any more."""
        if not self._leaves_out:
            raise Contradiction
        self.unsolved += 1
        trail = {at: self.masks[at] for at in self.around(place, 1)}
        for at in trail:
            self.masks[at] = self._first[at] = 0
        return trail


@lru_cache(maxsize=64)
def _stamp(reach: int, stride: int, down: int, across: int) -> list[tuple[int, int]]:
    """Return the steps to all places up to ``reach`` away, on a grid and in an atlas.

    On the grid, the place below another is ``stride`` further; in the atlas it is ``down`` times
    ``across`` further, where ``across`` is the pace of the patterns.
    """
    span = range(-reach, reach + 1)
    return [(dy * stride + dx, (dy * down + dx) * across) for dy in span for dx in span]
