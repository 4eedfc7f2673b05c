"""Parse vaults: a name, a header, random changes, and a drawing (after DCSS); or a map alone.

A file holds vaults one after another; a map ends at a blank line:

    # a remark
    [old crossing]
    tags: plain hall
    subst ? = ..:
    map:
    ###@###
    #.???.#
    ###@###

Maps use the characters of data/terrain.toml and these: ``@`` is an exit, ``1`` ``2`` ``3`` are
creatures of this depth, of a deeper one, of one far deeper, and a space leaves the map as it was.
Any other character must be changed into one of them. These lines may precede the map:

    weight: 10           how often it is chosen, relative to others: 1 to 1000
    depths: 1-8          or 3+
    tags: shrine holy    words by which recipes choose; a ``plain`` vault may occur repeatedly
    turn: any            or mirror (no quarter turns), or no
    place: rock          walled in, with exits; or open: in the middle of open floor;
                         or wild: under an open sky
    exits: +             the tile of an exit once it is connected
    under: .             the tile under creatures
    subst ? = ..:        each ? becomes one of these, independently of the others
    count p = 2 of $, rest .:    2 random p, if there are, become $, each other one of the rest
    shuffle ab cd        a and b stay, or trade places with c and d

Changes are made in the order in which they are written.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from numpy.typing import NDArray

from entities.data_files import DataError, convert, read_text
from entities.terrain import Tile, terrain, tile_mask
from procgen.analysis.chokepoints import neighbours
from procgen.map_files import BLANK, TEXT, DrawnMap, read_map

EXIT, LEAVE, CREATURES = "@", " ", "123"
PLAIN_TAG = "plain"
"""The tag of vaults that may occur more than once in a level."""

LONGEST_SIDE = 40
Ground = Annotated[str, Meta(min_length=1, max_length=1)]


class VaultHeader(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The header of a vault; fields as in the module's docstring."""

    weight: Annotated[int, Meta(ge=1, le=1000)] = 10
    depths: tuple[int, int | None] = (1, None)
    tags: tuple[Annotated[str, Meta(pattern="^[a-z]+$")], ...] = ()
    turn: Literal["any", "mirror", "no"] = "any"
    place: Literal["rock", "open", "wild"] = "rock"
    exits: Ground = "."
    under: Ground = "."


@dataclass(frozen=True)
class Change:
    """One random change of a drawing.

    ``subst``: each ``target`` becomes one of ``choices[0]``. ``count``: ``numbers[i]`` of the
    targets become one of ``choices[i]`` each, all others one of the last choices. ``shuffle``:
    the groups ``choices``, equally long, trade places letter by letter.
    """

    kind: Literal["subst", "count", "shuffle"]
    target: str
    choices: tuple[str, ...]
    numbers: tuple[int, ...] = ()


@dataclass(frozen=True, eq=False)
class Vault:
    """A drawing and its random changes; ``grid[y, x]`` are character codes.

    ``place`` names file and vault, ``line`` the line of the map's first row, and ``left`` the
    columns that were cut off on the left.
    """

    name: str
    header: VaultHeader
    changes: tuple[Change, ...]
    grid: NDArray[np.uint8]
    place: str
    line: int
    left: int = 0


@dataclass
class _Draft:
    name: str
    values: dict[str, Any] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    rows: list[str] = field(default_factory=list)
    line: int = 0


def read_vaults(text: str, where: str) -> list[Vault]:
    """Return the vaults written in ``text``; raise `DataError` naming ``where``, vault, line."""
    vaults: list[Vault] = []
    draft: _Draft | None = None
    for number, line in enumerate([*text.splitlines(), ""], 1):
        place = f"{where}: [{draft.name}]" if draft else where
        if draft and draft.line:
            if line.strip():
                draft.rows.append(line.rstrip())
                continue
            vaults.append(_finished(draft, place))
            draft = None
        elif line.startswith("# ") or line.strip() in {"", "#"}:
            continue
        elif match := re.fullmatch(r"\[([a-z' -]+)\]", line.strip()):
            if draft:
                raise DataError(f"{place}: line {number}: the vault has no map")
            draft = _Draft(match[1])
        elif draft is None:
            raise DataError(f"{place}: line {number}: expected a name in brackets")
        elif line.strip() == "map:":
            draft.line = number + 1
        else:
            _note(draft, line.strip(), f"{place}: line {number}")
    if draft:
        raise DataError(f"{where}: [{draft.name}]: the vault has no map")
    return vaults


def _note(draft: _Draft, line: str, place: str) -> None:
    """Parse ``line`` of the header into ``draft``."""
    if match := re.fullmatch(r"([a-z]+): *(.+)", line):
        key, value = match.groups()
        if key in draft.values:
            raise DataError(f"{place}: {key} is given twice")
        draft.values[key] = _value(key, value, place)
    elif match := re.fullmatch(r"subst (\S) = (\S+)", line):
        draft.changes.append(Change("subst", match[1], (match[2],)))
    elif match := re.fullmatch(r"count (\S) = ((?:[0-9]{1,9} of \S+, )+)rest (\S+)", line):
        counts = re.findall(r"([0-9]+) of (\S+), ", match[2])
        numbers = tuple(int(number) for number, _ in counts)
        choices = (*(choice for _, choice in counts), match[3])
        draft.changes.append(Change("count", match[1], choices, numbers))
    elif match := re.fullmatch(r"shuffle ([!-~]+(?: [!-~]+)+)", line):
        groups = tuple(match[1].split())
        if len({*map(len, groups)}) > 1 or len({*"".join(groups)}) < len("".join(groups)):
            raise DataError(f"{place}: groups to shuffle must be equally long, no letter twice")
        draft.changes.append(Change("shuffle", "", groups))
    else:
        forms = "weight: 10 / subst ? = ..: / count p = 2 of $, rest . / shuffle ab cd"
        raise DataError(f"{place}: cannot be read: {line!r}; write lines as in: {forms}")


def _value(key: str, value: str, place: str) -> Any:
    """Return the value of a header line, before its type is checked."""
    if key == "weight" and re.fullmatch(r"-?[0-9]{1,9}", value):
        return int(value)
    if key == "tags":
        return tuple(value.split())
    if key == "depths":
        match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9})|(\+))", value)
        if not match or not 1 <= int(match[1]) <= int(match[2] or match[1]):
            raise DataError(f"{place}: depths: {value!r} is not like 1-8 or 3+")
        return int(match[1]), int(match[2]) if match[2] else None
    return value


def _finished(draft: _Draft, place: str) -> Vault:
    header = convert(draft.values, VaultHeader, place)
    width = max(map(len, draft.rows), default=0)
    if not 0 < max(width, len(draft.rows)) <= LONGEST_SIDE:
        raise DataError(f"{place}: a map is 1 to {LONGEST_SIDE} tiles wide and high")
    rows = [row.ljust(width) for row in draft.rows]
    for number, row in enumerate(rows, draft.line):
        if not row.isascii():
            raise DataError(f"{place}: line {number}: maps are drawn in ASCII")
    letters = {*"".join(rows)}
    for change in draft.changes:
        if change.target and change.target not in letters:
            raise DataError(f"{place}: {change.kind} {change.target}: the map has no such letter")
        letters.update(*change.choices)
    grid = np.frombuffer("".join(rows).encode(), np.uint8).reshape(len(rows), width)
    return Vault(draft.name, header, tuple(draft.changes), grid, place, draft.line)


def vaults_in(path: Path, where: str) -> list[Vault]:
    """Return the vaults written in a file, or the one made of its map; raise `DataError`."""
    if path.suffix.lower() == TEXT:
        text = read_text(path, where)
        if re.search(r"(?m)^(\[|map:)", text) or not text.strip():
            return read_vaults(text, where)
    return [_from_map(read_map(path, where), path.stem, where)]


def _from_map(drawing: DrawnMap, name: str, where: str) -> Vault:
    """Return the map of a file as a vault with the tag ``name``; rock around it is cropped.

    Properties of a Tiled map have the names and values of a header. By default a vault stands in
    rock, or in the open if more than half of its outline is open. In rock the open tiles of the
    outline are exits, and those connected become the most common tile among them; if there are
    none, each side gets an exit in its wall, as near to the middle as there is floor behind it.
    """
    keys = VaultHeader.__struct_fields__ & drawing.facts.keys()
    header_fields = {key: _value(key, str(drawing.facts[key]), where) for key in keys}
    solid = np.argwhere((drawing.drawn != BLANK) & (drawing.drawn != Tile.WALL))
    if not len(solid):
        raise DataError(f"{where}: has no floor")
    top, left = np.maximum(solid.min(axis=0) - 1, 0).tolist()
    bottom, right = (solid.max(axis=0) + 2).tolist()
    drawn = drawing.drawn[top:bottom, left:right]
    if max(drawn.shape) > LONGEST_SIDE:
        raise DataError(f"{where}: a vault is at most {LONGEST_SIDE} tiles wide or high")
    grid = np.append(terrain().codes, np.full(256, ord(LEAVE))).astype(np.uint8)[drawn]
    gaps = np.pad(drawn == BLANK, 1, constant_values=True)
    sides = neighbours(gaps)[1:-1, 1:-1]
    open_tiles = passable_mask()[drawn]
    exits = open_tiles & (sides > 0)
    mostly_open = 2 * exits.sum() > ((drawn != BLANK) & (sides > 0)).sum()
    header_fields.setdefault("place", "open" if mostly_open else "rock")
    if header_fields["place"] == "rock" and exits.any():
        header_fields.setdefault("exits", chr(np.bincount(grid[exits]).argmax()))
        grid[exits] = ord(EXIT)
    elif header_fields["place"] == "rock":
        walls = (drawn == Tile.WALL) & (sides == 1) & (neighbours(open_tiles) > 0)
        for y, x in _middles(walls, gaps):
            grid[y, x] = ord(EXIT)
    header = convert(header_fields, VaultHeader, where)
    header = msgspec.structs.replace(header, tags=(name, *header.tags))
    return Vault(name, header, (), grid, where, drawing.line + top, left)


def passable_mask() -> NDArray[np.bool_]:
    """Return, as bool [256], which tiles are walkable, secret doors included."""
    return tile_mask((*np.flatnonzero(terrain().walkable).tolist(), Tile.SECRET_DOOR))


def _middles(walls: NDArray[np.bool_], gaps: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Return the (y, x) of those of ``walls`` nearest to the middle of each side."""
    nearest = dict[tuple[bool, ...], tuple[int, int, int]]()
    for y, x in np.argwhere(walls).tolist():
        side = gaps[y, x + 1], gaps[y + 2, x + 1], gaps[y + 1, x], gaps[y + 1, x + 2]
        off = 2 * x - walls.shape[1] + 1 if side[0] or side[1] else 2 * y - walls.shape[0] + 1
        nearest[side] = min(nearest.get(side, (abs(off), y, x)), (abs(off), y, x))
    return [(y, x) for _, y, x in nearest.values()]
