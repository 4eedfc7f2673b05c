"""A window on an endless world as it grows: all chunks it looks through, act by act together."""

from collections.abc import Generator
from typing import NamedTuple

from procgen.blueprint import Blueprint
from procgen.code import LevelCode
from procgen.endless.chunk import SIDE, Chunk, Draft, chunk_of, chunks_over
from procgen.endless.realms import Realm, realms
from procgen.endless.window import corner_of, paste, shown, within
from procgen.level import Level


class Sight(NamedTuple):
    """A window after a change worth watching, in which of its world's acts, and what happened.

    The caption is that of the chunk in the window's middle, if that is what changed.
    """

    plan: Blueprint
    act: int
    caption: str


class _Part:
    """A chunk in the making, whose corner lies at (x, y) in the window."""

    def __init__(self, realm: Realm, seed: int, chunk: tuple[int, int], x: int, y: int) -> None:
        self.x, self.y = x, y
        self.draft: Draft | None = None
        self.made = Chunk(Blueprint.solid(SIDE, SIDE).tiles)
        self._growth = realm.maker.grow(seed, *chunk, realm.values)
        self.advance()

    def advance(self) -> None:
        """Go on to the next draft; after the last one there is none, and the chunk is made."""
        try:
            self.draft = next(self._growth)
        except StopIteration as end:
            self.draft, self.made = None, end.value

    def show(self, plan: Blueprint) -> bool:
        """Put the draft into the window of ``plan``; return whether that changes anything."""
        assert self.draft
        before = plan.tiles.tobytes()
        paste(plan.tiles, self.draft.tiles, self.x, self.y)
        return plan.tiles.tobytes() != before


def grown(code: LevelCode) -> Generator[Sight, None, Level]:
    """Make the window that ``code`` names, yielding what it looks like on the way."""
    assert code.place
    realm, (left, top) = realms()[code.recipe], corner_of(code)
    plan, acts = Blueprint.solid(code.width, code.height, code.depth), realm.maker.acts
    chunks = chunks_over(left, top, code.width, code.height)
    parts = [
        _Part(realm, code.seed, (cx, cy), cx * SIDE - left, cy * SIDE - top) for cx, cy in chunks
    ]
    middle = parts[chunks.index(chunk_of(*code.place))]
    for number, act in enumerate(acts):
        while busy := [part for part in parts if part.draft and part.draft.act == act]:
            changed = [part for part in busy if part.show(plan)]
            if changed:
                near = middle if middle in changed else changed[0]
                yield Sight(plan, number, near.draft.caption if near.draft else "")
            for part in busy:
                part.advance()
    for part in parts:
        paste(plan.tiles, part.made.tiles, part.x, part.y)
        plan.spawns += within(part.made, part.x, part.y, code.width, code.height)
    level = shown(code, plan.tiles.copy(), tuple(plan.spawns))
    plan.start, plan.exit = level.start, level.exit
    yield Sight(plan, len(acts) - 1, f"{len(plan.spawns)} creatures settle in this window")
    return level
