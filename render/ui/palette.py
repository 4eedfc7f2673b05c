"""Colours of the interface, creatures, items and themes of levels, and how tiles use them.

They come from data/themes.toml and data/looks.toml; data/palettes.toml overrides some.
"""

from collections.abc import Collection, Mapping
from contextlib import suppress
from contextvars import ContextVar
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np
from msgspec import Meta
from msgspec.structs import replace
from numpy.typing import NDArray

from entities.creature_kinds import CreatureKind, creature_kinds
from entities.data_files import (
    DataError,
    check_names,
    convert,
    convert_all,
    read_entries,
    read_table,
    read_toml,
    shown_path,
)
from entities.folders import USER_MARK, user_folder
from entities.item_kinds import ItemClass, ItemKind, item_classes, item_kinds
from entities.statuses import StatusKind, status_kinds
from entities.terrain import TILE_NAMES, Tile
from procgen.user_content import OTHER_TABLES, THEMES
from render.ui.frame import Color

PALETTES_FILE = "palettes.toml"
Hex = Annotated[str, Meta(pattern="^#[0-9a-f]{6}$", extra={"form": "a colour such as #e8d0ff"})]
Factor = Annotated[float, Meta(gt=0, le=3)]
HasColor = CreatureKind | ItemKind | ItemClass | StatusKind


class Palette(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A colour palette: its changes to data/themes.toml.

    ``ink`` and ``ground`` multiply the colours of tiles, ``memory`` those of remembered tiles,
    ``light`` the light on all tiles, since colours alone cannot become brighter than white.
    """

    name: str
    help: str
    interface: dict[str, Hex] = {}
    creatures: dict[str, Hex] = {}
    ink: Factor = 1.0
    ground: Factor = 1.0
    memory: Factor = 1.0
    light: Factor = 1.0


@cache
def palettes() -> dict[str, Palette]:
    """Return the palettes by name, the default first; raise `DataError` for an unknown colour."""
    entries = read_entries(PALETTES_FILE, Palette)
    for name, entry in entries.items():
        where = f"data/{PALETTES_FILE}: [{name}."
        check_names(f"{where}interface]", entry.interface, INTERFACE_COLORS, "colour")
        check_names(f"{where}creatures]", entry.creatures, named_colors("creatures"), "colour")
    return entries


_chosen: ContextVar[str] = ContextVar("palette", default="lamplight")


def palette() -> Palette:
    """Return the palette in use."""
    return palettes()[_chosen.get()]


def choose_palette(name: str) -> None:
    """Use the palette ``name`` from now on."""
    _chosen.set(name)


WallKind = Literal["masonry", "rock", "hedge"]


class Theme(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The name of a kind of level, sentences that greet the hero there, and its colours."""

    name: Annotated[str, Meta(min_length=1)]
    arrival: Annotated[tuple[str, ...], Meta(min_length=3)]
    wall_kind: WallKind
    light: Hex
    wall: Hex
    floor: Hex
    floor_ink: Hex
    tunnel: Hex
    tunnel_ink: Hex
    wood: Hex
    water: Hex
    water_ink: Hex
    shallows: Hex
    plant: Hex
    plant_ink: Hex
    stone_ink: Hex
    gold: Hex
    glow: Hex


_COLORS = ", ".join(Theme.__struct_fields__[3:])
_FORM = {"form": f"a colour such as #e8d0ff, or one of a theme: {_COLORS}"}
Ink = Annotated[str, Meta(pattern=f"^({_COLORS.replace(', ', '|')}|#[0-9a-f]{{6}})$", extra=_FORM)]


class TilePaint(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The paint of a tile: names of theme colours or ``#rrggbb``; data/looks.toml has the rest."""

    ink: Ink
    ground: Ink
    flows: bool = False
    glows: bool = False
    keeps_hue: bool = False
    rank: Annotated[int, Meta(ge=0, le=7)] = 5
    straight: bool = False
    flat: bool = False


_TILES = [(name, TilePaint) for name in TILE_NAMES]
Looks = msgspec.defstruct("Looks", _TILES, frozen=True, forbid_unknown_fields=True)
INTERFACE_COLORS = (
    *("ground", "panel", "line", "text", "dim", "faint", "accent", "good", "warn", "bad", "cold"),
    *("bar_full", "bar_good", "bar_warn", "bar_empty", "bar_gain", "memory", "cloak", "lamp"),
)
"""The names of the colours of text and panels, and of the hero's cloak and lamp."""
_FIELDS: list[tuple[str, Any]] = [(name, Hex) for name in INTERFACE_COLORS]
Interface = msgspec.defstruct("Interface", _FIELDS, frozen=True, forbid_unknown_fields=True)


def rgb(text: str) -> Color:
    """Return ``#rrggbb`` as three integers."""
    return int(text[1:3], 16), int(text[3:5], 16), int(text[5:7], 16)


@cache
def themes(folder: Path | None = None) -> dict[str, Theme]:
    """Return our themes, or those of a user's ``folder``, by name; raise `DataError`."""
    where, tables = shown_path(THEMES, folder), read_toml(THEMES, folder, optional=True)
    others = [name for name in OTHER_TABLES if name in tables]
    found = convert_all({one: tables[one] for one in tables if one not in others}, Theme, where)
    if others and folder:
        raise DataError(f"{where}: [{others[0]}]: your {THEMES} holds themes only")
    return found


def find_theme(name: str) -> Theme | None:
    """Return the theme ``name``, with `USER_MARK` from the user folder; None if there is none.

    A fault in the user's file does not stop the game, nor spoil another theme; `list` reports it.
    """
    if not name.startswith(USER_MARK):
        return themes().get(name)
    with suppress(DataError):
        tables = read_toml(THEMES, user_folder())
        return convert(tables.get(name.removeprefix(USER_MARK)), Theme, THEMES)
    return None


class DepthLook(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The look of deeper levels of a theme: a word in their name, and the tint of all light.

    It applies at ``from_depth`` and below.
    """

    from_depth: Annotated[int, Meta(ge=1)]
    word: Annotated[str, Meta(min_length=1)]
    light: Hex


@cache
def depth_look(depth: int) -> DepthLook | None:
    """Return the look of levels at ``depth``, None near the surface."""
    looks = read_table(THEMES, list[DepthLook], section="depths")
    reached = [look for look in looks if look.from_depth <= depth]
    return max(reached, key=lambda look: look.from_depth, default=None)


def theme_name_at_depth(name: str, depth: int) -> str:
    """Return what a level of the theme ``name`` at ``depth`` is called."""
    look = depth_look(depth)
    word = f"the {look.word} " if look else "the "
    return theme(name).name.replace("the ", word, 1)


def depth_tint(depth: int) -> NDArray[np.float32]:
    """Return the factors [3] of all light at ``depth``."""
    look = depth_look(depth)
    return np.array(rgb(look.light) if look else (255, 255, 255), np.float32) / np.float32(255)


def creature_colors() -> dict[str, Color]:
    """Return the creature colours by name, in the palette in use."""
    changed = {name: rgb(text) for name, text in palette().creatures.items()}
    return named_colors("creatures") | changed


@cache
def named_colors(section: str) -> dict[str, Color]:
    """Return our colours by name: of "creatures", "items", or "looks" of unidentified ones."""
    table = read_table(THEMES, dict[str, Hex], section=section)
    return {name: rgb(text) for name, text in table.items()}


@cache
def chart_colors() -> dict[str, list[Color]]:
    """Return the colours of each kind of chart over a level, in order."""
    table = read_table(THEMES, dict[str, list[Hex]], section="charts")
    return {name: [rgb(text) for text in texts] for name, texts in table.items()}


def _check_colors(file: str, kinds: Mapping[str, HasColor], names: Collection[str]) -> None:
    for name, kind in kinds.items():
        where, what = f"data/{file}: [{name}]: color", f"colour in data/{THEMES}"
        check_names(where, [kind.color], names, what)


def colors() -> dict[str, Color]:
    """Return the interface colours by name, in the palette in use."""
    return _colors(palette().name)


@cache
def _colors(_: str) -> dict[str, Color]:
    # Check before the first frame, or the game would stop when the first such kind is drawn.
    _check_colors("creatures.toml", creature_kinds(), creature_colors())
    _check_colors("items.toml", item_kinds(), named_colors("items"))
    _check_colors("item_classes.toml", item_classes(), named_colors("items"))
    table = read_table(THEMES, Interface, section="interface")
    hexes = msgspec.structs.asdict(table) | palette().interface
    _check_colors("statuses.toml", status_kinds(), hexes)
    return {name: rgb(text) for name, text in hexes.items()}


@cache
def tile_paints() -> tuple[TilePaint, ...]:
    """Return how each tile is painted, by tile number; raise `DataError` for an unknown colour."""
    return msgspec.structs.astuple(read_table("looks.toml", Looks))


@cache
def theme(name: str) -> Theme:
    """Return the theme ``name``, or for ``MADE+PALETTE`` the theme MADE in the colours of PALETTE.

    For an unknown name it is the first theme.
    """
    name, _, painted = name.partition("+")
    base = find_theme(name) or next(iter(themes().values()))
    return replace(find_theme(painted) or base, name=base.name, wall_kind=base.wall_kind)


class ThemePaint(msgspec.Struct, frozen=True):
    """A theme as arrays by tile number: colours float32 [tile, 3], and the light's tint [3]."""

    ink: NDArray[np.float32]
    ground: NDArray[np.float32]
    glow: NDArray[np.float32]
    """The light a tile gives off, 0 to 1 per channel; black for most."""
    glows: NDArray[np.bool_]
    light: NDArray[np.float32]


def theme_paint(name: str) -> ThemePaint:
    """Return the theme ``name`` as arrays, in the palette in use."""
    return _theme_paint(name, palette().name)


@cache
def _theme_paint(name: str, _: str) -> ThemePaint:
    chosen = theme(name)

    def shades(field: str) -> NDArray[np.float32]:
        names = [getattr(look, field) for look in tile_paints()]
        return np.array([rgb(getattr(chosen, name, name)) for name in names], np.float32)

    ink = np.minimum(shades("ink") * np.float32(palette().ink), np.float32(255))
    ground = shades("ground") * np.float32(palette().ground)
    for tile in (Tile.WALL, Tile.SECRET_DOOR):
        # Rock tiles have transparent edges, where the floor shows in the shade of the wall.
        ground[tile] = ground[Tile.FLOOR] * np.float32(0.72)
    glows = np.array([look.glows for look in tile_paints()])
    brightest = np.maximum(ink.max(axis=1, keepdims=True), np.float32(1e-6))  # It may be black.
    glow = (ink / brightest) ** 2 * glows.astype(np.float32)[:, None]
    light = np.array(rgb(chosen.light), np.float32) / np.float32(255)
    return ThemePaint(ink, ground, glow, glows, light)
