"""Pictures with words on them: a card leaves nobody out and runs over no edge."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.monsters.initial_monsters import initial_monsters
from entities.creature_kinds import creature_kinds
from procgen.build import build
from procgen.level_code import parse_code
from procgen.settings import complete, generator_for_code
from render.tiles.glyphs import creature_tile
from workbench.images import contact_sheet, level_card
from workbench.images.level_card import LIST_GAP, card, creature_rows
from workbench.images.picture_text import Pen

LONG = "digger;attach_rooms.rooms=12;loops.at_most=0;doors.chance=0.9:17497660335305301531"


@pytest.mark.parametrize("code", ["mondrian:3:4", "city:3:9", "walk:3@20x60"])
@pytest.mark.parametrize("width", [430, 1100])
def test_a_card_names_everyone_who_lives_there_within_its_width(code, width):
    level = build(complete(parse_code(code)))
    rows = creature_rows(level, width)
    count = Counter(monster.kind for monster in initial_monsters(level))
    named = [(kind.look, kind.words) for row in rows for kind in row]
    assert named == [
        (creature_tile(name), f" {kind.name}" + f" ×{count[name]}" * (count[name] > 1))
        for name, kind in creature_kinds().items()
        if count[name]
    ]
    for row in rows:
        assert sum(kind.width + LIST_GAP for kind in row) - LIST_GAP <= width


@pytest.fixture
def written(monkeypatch):
    """Return a list that grows by (baseline, left, right, text) of all words on pictures."""
    words = []

    class WatchedPen(Pen):
        def write(self, at, text, *look):
            end = super().write(at, text, *look)
            words.append((at[1], at[0], end, text))
            return end

        def write_left_of(self, at, text, *look):
            start = super().write_left_of(at, text, *look)
            words.append((at[1], start, at[0], text))
            return start

    for module in (contact_sheet, level_card):
        monkeypatch.setattr(module, "Pen", WatchedPen)
    return words


@pytest.mark.parametrize("size", ["40x30", "90x30", "30x40"])
def test_a_long_code_covers_no_words_of_a_card_and_keeps_its_seed(size, written):
    image = card(build(complete(parse_code(f"{LONG}@{size}"))))
    assert any(text.endswith(f":17497660335305301531:1@{size}") for *_, text in written)
    for (y, left, right, text), (below, start, _, other) in pairwise(sorted(written)):
        assert 0 <= left <= right <= image.width
        assert y < below or right <= start, (text, other)


@pytest.mark.parametrize("size", ["80x45", "40x40"])
def test_a_card_says_all_of_a_description_with_overlays(size, written):
    code = complete(parse_code(f"keep+flooded+haunted:3@{size}"))
    card(build(code))
    texts = " ".join(text for *_, text in written)
    assert generator_for_code(code).description in texts


@pytest.mark.parametrize(
    ("size", "word"),
    [
        ("80x45", "three_by_three.1+overgrown.1+haunted.1+at_war.1:3:9@80x45"),
        ("40x40", "the silent crypt, overgrown, haunted, at war · depth 9"),
    ],
)
def test_the_title_of_a_card_leaves_room_for_place_and_code(size, word, written):
    image = card(build(complete(parse_code(f"three_by_three+overgrown+haunted+at_war:3:9@{size}"))))
    texts = [text for *_, text in written]
    assert "three by three" in texts
    assert word in " ".join(texts)
    assert all(right <= image.width - level_card.MARGIN for _, _, right, _ in written)


def test_a_card_without_room_for_the_place_says_the_depth(written):
    card(build(complete(parse_code("keep+flooded+burning+haunted:10017446452191925906:12"))))
    (place,) = (text for *_, text in written if text.startswith("the forgotten"))
    assert place.endswith("… · depth 12")


def test_the_title_of_a_narrow_column_fits(written):
    image = card(build(complete(parse_code("recursive_division:3@40x40"))))
    assert all(right <= image.width - level_card.MARGIN for _, _, right, _ in written)


def test_the_overlays_of_a_code_come_before_the_name_of_the_place(written):
    card(build(complete(parse_code("city+haunted+at_war:3:12"))))
    texts = [text for *_, text in written]
    assert "city.1+haunted.1+at_war.1:3:12@80x45" in texts
    assert any(text.startswith("the forgotten old quarter,") for text in texts)


def test_the_pictures_of_a_gallery_can_be_told_apart_by_their_seeds(written):
    level = build(complete(parse_code("walk:1@20x20")))
    settings = ";random_walk.steps=600;scatter.share=0.1"
    levels = [("walk", f"{settings}:{seed}@20x20", level) for seed in (1, 2)]
    contact_sheet.contact_sheet(levels, 2, "", "")
    captions = [text for *_, text in written if text.startswith(";")]
    assert captions == [";random_walk.steps…:1@20x20", ";random_walk.steps…:2@20x20"]


@pytest.mark.parametrize(("code", "path"), [("caves:3", True), ("wilds:1@2000,700", False)])
def test_a_card_leaves_out_contents_that_a_level_does_not_have(code, path, written):
    card(build(complete(parse_code(code))))
    texts = [text for *_, text in written]
    assert "rooms" in texts, "no rooms, but a metric of the shape"
    assert ("path" in texts) == path
    assert "biggest room" not in texts
