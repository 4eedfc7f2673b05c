"""The vault library: all vaults of data/vaults, checked when they are read."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import cache
from itertools import chain
from pathlib import Path

import msgspec
import numpy as np

from entities.data_files import DATA, DataError, shown_path
from entities.folders import USER_MARK, user_folder
from entities.terrain import Mask, Tile, terrain
from procgen.analysis.chokepoints import neighbours
from procgen.analysis.distances import regions, with_neighbours
from procgen.map_files import map_paths
from procgen.rng import Rng
from procgen.vaults.vault_parser import CREATURES, EXIT, LEAVE, PLAIN_TAG, Vault, vaults_in

FOLDER = "vaults"
Symbols = dict[str, str]
"""For each character of a drawing, the characters that it may become."""


@cache
def vaults(folder: Path = DATA) -> tuple[Vault, ...]:
    """Return every vault, in order of file and line; raise `DataError` for a faulty one."""
    places: dict[str, str] = {}
    paths = map_paths(folder / FOLDER)
    return tuple(chain.from_iterable(_vaults_of(path, folder, places) for path in paths))


def _vaults_of(path: Path, folder: Path, places: dict[str, str]) -> list[Vault]:
    """Return the vaults in a file, and add to the ``places`` of all by name."""
    in_file = list(vaults_in(path, shown_path(f"{FOLDER}/{path.name}", folder)))
    for vault in in_file:
        if vault.name in places:
            raise DataError(f"{vault.place}: line {vault.line}: {places[vault.name]} has this name")
        _check(vault)
        places[vault.name] = vault.place
    return in_file


@cache
def user_vaults(folder: Path) -> tuple[tuple[Vault, ...], tuple[str, ...]]:
    """Return the vaults in a user folder, their tags prefixed by `USER_MARK`, and the faults.

    A fault in a file excludes only the vaults of that file.
    """
    places, marked, faults = {vault.name: vault.place for vault in vaults()}, [], []
    for path in map_paths(folder / FOLDER):
        try:
            for vault in _vaults_of(path, folder, places):
                plain = (PLAIN_TAG,) if PLAIN_TAG in vault.header.tags else ()
                tags = (USER_MARK, *plain, *(f"{USER_MARK}{tag}" for tag in vault.header.tags))
                header = msgspec.structs.replace(vault.header, tags=tags)
                marked.append(replace(vault, header=header))
        except DataError as fault:
            faults.append(str(fault))
    return tuple(marked), tuple(faults)


def fitting_vaults(tags: tuple[str, ...], depth: int, place: str) -> list[Vault]:
    """Return the vaults for ``depth`` and ``place`` with one of ``tags``, or all without any.

    Tags with `USER_MARK` are those of vaults in the user folder; `USER_MARK` alone names them all.
    Raises `DataError` if none fits and a tag is unknown, or if all are wanted and any is faulty.
    """
    with_user = any(tag.startswith(USER_MARK) for tag in tags)
    extra, faults = user_vaults(user_folder()) if with_user else ((), ())
    if faults and USER_MARK in tags:
        raise DataError(faults[0])
    fitting = [
        vault
        for vault in (*vaults(), *extra)
        if vault.header.place == place
        and vault.header.depths[0] <= depth <= (vault.header.depths[1] or depth)
        and (not tags or any(tag in vault.header.tags for tag in tags))
    ]
    if not fitting:
        check_tags(tags)
    return fitting


def check_tags(tags: tuple[str, ...], where: str = "") -> None:
    """Raise `DataError`, beginning with ``where``, for a tag that no vault has."""
    for tag in tags:
        known, faults = user_vaults(user_folder()) if tag.startswith(USER_MARK) else (vaults(), ())
        if not any(tag in vault.header.tags for vault in known):
            missing = f"{where}tags: there is no vault with the tag {tag[:60]!r}"
            raise DataError("; ".join([missing, *faults]))


def weighted_vault(fitting: list[Vault], rng: Rng) -> Vault:
    """Return one of ``fitting``, drawn by weight."""
    name = rng.weighted({vault.name: vault.header.weight for vault in fitting})
    return next(vault for vault in fitting if vault.name == name)


def symbol_outcomes(vault: Vault) -> Symbols:
    """Return, for each character of the drawing, the characters that it may become."""
    may: Symbols = {char: char for char in map(chr, np.unique(vault.grid).tolist())}
    for change in vault.changes:
        for char, options in may.items():
            become = [_results(old, change.kind, change.target, change.choices) for old in options]
            may[char] = "".join(dict.fromkeys("".join(become)))
    return may


def _results(char: str, kind: str, target: str, choices: tuple[str, ...]) -> str:
    """Return the characters that one change may make of ``char``."""
    if kind != "shuffle":
        return "".join(choices) if char == target else char
    for group in choices:
        if char in group:
            return "".join(other[group.index(char)] for other in choices)
    return char


def walkable_chars() -> str:
    """Return the characters of walkable ground, creatures and exits included."""
    kinds = terrain().kinds
    hidden = kinds[Tile.SECRET_DOOR].char
    return "".join(kind.char for kind in kinds if kind.walkable) + hidden + EXIT + CREATURES


def _check(vault: Vault) -> None:
    """Raise `DataError` if the drawing cannot become part of a level."""
    may = symbol_outcomes(vault)
    for name, mark in {"exits": vault.header.exits, "under": vault.header.under}.items():
        if mark not in walkable_chars() or mark in EXIT + CREATURES:
            raise DataError(f"{vault.place}: {name}: {mark!r} is not walkable ground")
    known = "".join(kind.char for kind in terrain().kinds) + EXIT + LEAVE + CREATURES
    for char, become in may.items():
        if odd := next((new for new in become if new not in known), ""):
            _fault(vault, vault.grid == ord(char), f"{char!r} can end as {odd!r}, which is no tile")
        if become != char and {EXIT, LEAVE} & {char, *become}:
            _fault(vault, vault.grid == ord(char), "exits and gaps cannot be changed")
    open_tiles = tiles_becoming(vault, walkable_chars(), any)
    exits = vault.grid == ord(EXIT)
    gaps = np.pad(vault.grid == ord(LEAVE), 1, constant_values=True)
    rim = with_neighbours(gaps)[1:-1, 1:-1]
    if vault.header.place != "rock":
        _fault(vault, exits, "only a vault in rock has exits")
        return
    _fault(vault, open_tiles & ~exits & rim, "what is not rock needs a wall around it")
    astray = exits & (neighbours(gaps)[1:-1, 1:-1] != 1)
    _fault(vault, astray, "an exit must have one side outside")
    if not exits.any():
        raise DataError(f"{vault.place}: a vault in rock needs an exit")
    _fault(vault, regions(open_tiles)[0] > 1, "cannot be reached from the rest")


def tiles_becoming(vault: Vault, chars: str, quantifier: Callable[[Iterable[bool]], bool]) -> Mask:
    """Return the tiles of which all or any (the ``quantifier``) outcomes are among ``chars``."""
    table = np.zeros(256, np.bool_)
    for char, become in symbol_outcomes(vault).items():
        table[ord(char)] = quantifier(outcome in chars for outcome in become)
    return table[vault.grid]


def _fault(vault: Vault, tiles: Mask, fault: str) -> None:
    """Raise `DataError` for the first of ``tiles``, if there are any."""
    if tiles.any():
        y, x = divmod(int(tiles.argmax()), tiles.shape[1])
        place = f"line {vault.line + y}, column {vault.left + x + 1}"
        raise DataError(f"{vault.place}: {place}: {fault}")
