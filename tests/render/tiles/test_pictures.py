"""Pictures as data: all of ours can be drawn, and a fault names file, picture and shape."""

import numpy as np
import pytest

from entities.creature_kinds import creature_kinds
from entities.data_files import DATA, DataError
from entities.folders import FOLDER_VARIABLE
from entities.item_kinds import item_classes, item_kinds
from entities.terrain import TILE_NAMES
from main import main
from render.tiles import user_tiles
from render.tiles.glyphs import VARIANTS, creature_tile
from render.tiles.pictures import draw_picture, picture_book, picture_of, user_pictures
from render.tiles.tile_canvas import TileCanvas
from render.tiles.tileset import (
    CLUMP_PICTURES,
    COLORED,
    MARKS,
    MISSILES,
    WILD_PICTURES,
    creature_tiles,
)

BOOKS = sorted(path.stem for path in (DATA / "pictures").glob("*.toml"))


def drawn(book, name, variant=0, size=24):
    canvas = TileCanvas(size)
    draw_picture(canvas, book, name, variant)
    return canvas.pixels()


@pytest.mark.parametrize("book", BOOKS)
def test_every_picture_can_be_drawn_and_says_what_it_shows(book):
    for name, picture in picture_book(book).pictures.items():
        assert picture.about.endswith("."), name
        for variant in range(VARIANTS):
            assert drawn(picture_book(book), name, variant, 16)[..., 3].any(), name


def test_every_picture_has_a_use():
    books = {name: picture_book(name).pictures for name in BOOKS}
    parts = {
        shape.part for book in books.values() for each in book.values() for shape in each.shapes
    }
    assert books["parts"].keys() <= parts | set(COLORED)
    items = item_kinds().keys() | item_classes().keys() | set(MISSILES.values())
    assert books["items"].keys() <= items
    doors = {"side_door", "side_locked_door"}
    tiles = parts | {*TILE_NAMES, *MARKS.values()} | doors
    tiles |= {*WILD_PICTURES.values(), *CLUMP_PICTURES.values(), "flame"}
    assert books["terrain"].keys() | books["ground"].keys() <= tiles
    assert not books["terrain"].keys() & books["ground"].keys()


def test_a_picture_of_a_creature_that_does_not_exist_is_refused(monkeypatch):
    pictures = {"orcc": picture_book("creatures").pictures["orc"]}
    monkeypatch.setattr("render.tiles.pictures.read_entries", lambda *_: pictures)
    words = r"pictures/creatures.toml: there is no creature 'orcc' \(do you mean orc"
    with pytest.raises(DataError, match=words):
        picture_book.__wrapped__("creatures")


@pytest.fixture
def own(tmp_path, monkeypatch):
    """Return a function that writes ``pictures.toml`` of the player's own folder and reads it."""
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path))
    caches = [user_tiles.user_tiles, user_pictures]

    def write(text):
        for cache in caches:
            cache.cache_clear()
        (tmp_path / "pictures.toml").write_text(text, encoding="utf-8")
        return user_pictures(tmp_path)

    yield write
    for cache in caches:
        cache.cache_clear()


def orc(shapes, more=""):
    return f'[orc]\nabout = "An orc."\n{more}shapes = [{shapes}]\n'


def test_copies_mirrored_shapes_and_parts_lie_where_they_should(own):
    bar = 'bar = "0,0 0.25,0.25"'
    book = own(orc(f'{{ {bar}, at = "0,0 0,0.5", mirrored = true }}')).book
    assert (drawn(book, "orc")[..., 3].reshape(4, 6, 4, 6).min(axis=(1, 3)) > 0).tolist() == [
        [True, False, False, True],
        [False] * 4,
        [True, False, False, True],
        [False] * 4,
    ]
    part = '[box]\nabout = "A box."\nsizes = { side = 0.5 }\nshapes = [{ bar = "0,0 side,side" }]\n'
    book = own(part + orc('{ part = "box", with = { side = 0.25 }, at = "0.5,0.5" }')).book
    assert np.argwhere(drawn(book, "orc")[..., 3]).min(axis=0).tolist() == [12, 12]
    assert np.argwhere(drawn(book, "orc")[..., 3]).max(axis=0).tolist() == [17, 17]


def test_shapes_may_belong_to_some_variants_or_differ_by_chance(own):
    one = own(orc('{ bar = "0,0 1,1", variants = [3] }')).book
    assert [bool(drawn(one, "orc", n)[..., 3].any()) for n in (2, 3)] == [False, True]
    shades = own(orc('{ bar = "0,0 0.5,1", at = "0,0 0.5,0", shade = "random" }')).book
    looks = {int(drawn(shades, "orc", n)[0, x, 0]) for n in range(4) for x in (0, 20)}
    assert len(looks) == 8


def test_copies_may_be_numbered_scattered_and_left_out(own):
    bar = 'bar = "0.25*copy,0 0.25*copy+0.25,1", copies = "2+2"'
    rows = [
        own(orc(f'{{ {bar}, when = "{when}" }}')).book for when in ("over(copy,0)", "mod(copy,2)")
    ]
    columns = [drawn(book, "orc")[0, ::6, 3].astype(bool).tolist() for book in rows]
    assert columns == [[False, True, True, True], [False, True, False, True]]
    dots = 'bar = "0,0 hair,hair", copies = 7, margin = 0.25, shade = "which"'
    one = own(orc(f'{{ {dots}, scattered = "variant" }}')).book
    places = [np.argwhere(drawn(one, "orc", variant)[..., 3]).tolist() for variant in range(3)]
    assert [len(found) for found in places] == [7, 7, 7]
    assert places[0] != places[1] != places[2]
    assert all(min(spot) >= 6 and max(spot) <= 18 for found in places for spot in found)


def test_a_part_may_be_drawn_as_of_another_variant(own):
    part = '[box]\nabout = "A box."\nshapes = [{ bar = "0,0 1,1", variants = [5] }]\n'
    book = own(part + orc('{ part = "box", with = { variant = "variant+2" } }')).book
    assert [bool(drawn(book, "orc", n)[..., 3].any()) for n in (3, 5)] == [True, False]


@pytest.mark.parametrize(
    ("shape", "words"),
    [
        ('{ bar = "0,0 1" }', "'1' is not a point"),
        ('{ bar = "0,0 1,1", disc = "0,0" }', "one of bar, disc"),
        ("{ shade = 1 }", "one of bar, disc"),
        ('{ bar = "0,0 1,side" }', "'side' is not a formula of dark, mid, pale, hair"),
        ('{ bar = "0,0 1,1/0" }', "1/0 is not a number"),
        ('{ disc = "0,0", radius = 1e9 }', "1000000000.0 is not a number"),
        ('{ disc = "0,0", radius = nan }', "is not a number"),
        ('{ disc = "0.5,0.5" }', "0.0 is not a number from 0.001 to 9"),
        ('{ disc = "5,5", radius = 0.1 }', "5.0 is not a number from -1 to 2"),
        ('{ line = "0,0 4.2,1" }', "4.2 is not a number from -1 to 2"),
        ('{ bar = "0,0 1,1", shade = -7 }', "-7.0 is not a number from 0 to 1"),
        ('{ bar = "0,0 1,1", shade = 7 }', "7.0 is not a number from 0 to 1"),
        ('{ bar = "0,0" }', "2 points"),
        ('{ line = "0,0", width = 1 }', "2 points"),
        ('{ polygon = "0,0 1,1" }', "3 points"),
        ('{ part = "tusks" }', "no part 'tusks'"),
        ('{ part = "eyes", with = { colour = 1 } }', "no size 'colour'"),
        ('{ part = "orc" }', "nested"),
        ('{ part = "orc", copies = 40 }', "more than 1000 times"),
        ('{ bar = "0,0 1,power(0-1,0.5)" }', "math domain"),
        ('{ bar = "0,0 1,1", when = "sin(1,2)" }', "is not a formula"),
    ],
)
def test_a_fault_names_file_picture_and_shape(own, tmp_path, shape, words):
    found = own(orc(f'{{ bar = "0,0 1,1" }}, {shape}'))
    assert not found.names
    (fault,) = found.faults
    assert fault.startswith(f"{tmp_path / 'pictures.toml'}: [orc]: shapes[1]: ")
    assert words in fault
    with pytest.raises(DataError):
        drawn(found.book, "orc")


@pytest.mark.parametrize(
    ("size", "words"),
    [
        ('"side + 1"', "'side + 1' is not a formula of dark"),
        ('"1/0"', "1/0 is not a number from -1000 to 1000"),
        ('"("', "'(' is not a formula"),
    ],
)
def test_a_fault_in_a_size_names_file_and_picture(own, tmp_path, size, words):
    found = own(orc('{ bar = "0,0 1,1" }', f"sizes = {{ far = {size} }}\n"))
    (fault,) = found.faults
    assert fault.startswith(f"{tmp_path / 'pictures.toml'}: [orc]: sizes: {words}")


@pytest.mark.parametrize("shapes", ["", '{ bar = "0,0 1,1", shade = "clear" }'])
def test_a_picture_of_nothing_is_refused_as_the_creature_could_not_be_seen(own, tmp_path, shapes):
    found = own(orc(shapes))
    assert not found.names
    assert found.faults == [f"{tmp_path / 'pictures.toml'}: [orc]: nothing of it can be seen"]


def test_fields_that_do_not_exist_are_named(own):
    (fault,) = own(orc('{ bar = "0,0 1,1", color = 1 }')).faults
    assert "[orc]: shapes[0]: " in fault
    assert "color" in fault


def test_a_picture_of_your_own_replaces_ours_and_takes_the_colour_of_its_kind(own, capsys):
    before = dict(creature_tiles(24, [creature_tile("orc"), creature_tile("rat")]))
    own(
        orc('{ part = "face", with = { y = 0.4 } }')
        + """
[face]
about = "A face."
sizes = { y = 0.5 }
shapes = [{ disc = "0.5,y", radius = 0.3 }, { part = "eyes", with = { y = "y" } }]

[orcc]
about = "A slip of the pen."
shapes = []

[rat]
shapes = []
"""
    )
    after = dict(creature_tiles(24, [creature_tile("orc"), creature_tile("rat")]))
    same = {code: (before[code] == after[code]).all() for code in before}
    assert same == {creature_tile("orc"): False, creature_tile("rat"): True}
    assert not user_tiles.has_user_tile("orc")
    assert main(["list", "--tiles"]) == 1
    faults = capsys.readouterr().err.splitlines()
    assert ["[rat]" in fault for fault in faults] == [True, False]
    assert "[orcc]: there is no creature or item 'orcc' (do you mean orc?)" in faults[1]


def test_a_file_that_is_no_toml_costs_only_itself(own):
    before = {kind: picture_of(kind, "creatures") for kind in creature_kinds()}
    (fault,) = own("[orc").faults
    assert "pictures.toml: not valid TOML" in fault
    assert picture_of("orc", "creatures") == picture_book("creatures")
    assert {kind: picture_of(kind, "creatures") for kind in creature_kinds()} == before
