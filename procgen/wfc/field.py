"""A field of possibilities: what each place may become, and what that rules out next to it."""

from procgen.wfc.lore import MARGIN, Lore

MANY = 16

Trail = dict[int, int]
"""The places that changed, each with the mask it had before."""


class Field:
    """A grid of places, each with a bit mask of the patterns that it may become.

    ``masks`` is flat, ``stride`` places to a row, with a frame of `MARGIN` places that hold 0,
    as does every place left out of the field: a 0 asks nothing and is never changed.

    A place with `MANY` options or more says nothing to its neighbours yet: it could rule out
    next to nothing, and would have to say it again after each change. Changes are carried on to
    a fixed point among all the others, and once every place has come to one option, all agree.
    """

    def __init__(self, lore: Lore, masks: list[int], stride: int) -> None:
        self.lore = lore
        self.masks = list(masks)
        self.stride = stride
        self._supports = lore.supports(stride)
        self._waiting = bytearray(len(masks))

    def spread(self, queue: list[int], trail: Trail) -> int:
        """Carry changes on from the ``queue`` until all agree; return a place left empty, or 0.

        The places in it must have fewer than `MANY` options.
        """
        masks, supports, waiting = self.masks, self._supports, self._waiting
        for place in queue:
            waiting[place] = 0
            for step, forbidden in supports[masks[place]]:
                other = place + step
                before = masks[other]
                gone = before & forbidden
                if not gone:
                    continue
                left = before ^ gone
                if not left:
                    for rest in queue:
                        waiting[rest] = 0
                    return other
                if other not in trail:
                    trail[other] = before
                masks[other] = left
                if not waiting[other] and left.bit_count() < MANY:
                    waiting[other] = 1
                    queue.append(other)
        return 0

    def outspoken(self, places: list[int]) -> list[int]:
        """Return those of ``places`` that have something to say to their neighbours."""
        return [place for place in places if 0 < self.masks[place].bit_count() < MANY]

    def undo(self, trail: Trail) -> None:
        """Put back what ``trail`` remembers."""
        for place, mask in trail.items():
            self.masks[place] = mask

    def around(self, place: int, radius: int) -> list[int]:
        """Return the places up to ``radius`` away that belong to the field."""
        (y, x), height = divmod(place, self.stride), len(self.masks) // self.stride
        rows = range(max(MARGIN, y - radius), min(height - MARGIN, y + radius + 1))
        left, right = max(MARGIN, x - radius), min(self.stride - MARGIN, x + radius + 1)
        near = (row * self.stride + column for row in rows for column in range(left, right))
        return [at for at in near if self.masks[at]]
