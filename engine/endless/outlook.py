"""What a walk will come to next: the chunks around, those that lie ahead before the others."""

from collections.abc import Container

from procgen.endless.chunk import apart, chunks_over

SOON = 448
"""Chunks this near are surveyed, to be at hand."""
LEASH, LEAN = 16, 4
"""The last so many tiles of a walk tell where it goes; one looks out so many times as far."""

PRESSING = 120
"""Chunks this near to where one looks out from are opened soon."""

Chunk = tuple[int, int]


class Outlook:
    """Remembers where one comes from; what it says decides on nothing but who waits for what.

    Ahead is away from where a dog on a leash would trot behind.
    """

    def __init__(self) -> None:
        self._dog: tuple[int, int] | None = None
        self.pressing: list[Chunk] = []
        """Of the chunks wanted last, those that will be opened soon."""

    def wanted(self, x: int, y: int, opened: Container[Chunk]) -> list[Chunk]:
        """Return the chunks within `SOON` of (x, y) that are not ``opened``, nearest ahead first.

        All places are those of the world.
        """
        dog_x, dog_y = self._dog or (x, y)
        dog_x = min(max(dog_x, x - LEASH), x + LEASH)
        dog_y = min(max(dog_y, y - LEASH), y + LEASH)
        self._dog = dog_x, dog_y
        ahead = x + (x - dog_x) * LEAN, y + (y - dog_y) * LEAN
        chunks = chunks_over(x - SOON, y - SOON, 2 * SOON + 1, 2 * SOON + 1)
        far = {chunk: apart(chunk, *ahead) for chunk in chunks if chunk not in opened}
        wanted = sorted(far, key=far.__getitem__)
        moves = (dog_x, dog_y) != (x, y)
        self.pressing = [chunk for chunk in wanted if moves and far[chunk][0] <= PRESSING]
        return wanted
