"""Single numbers of growth by vaults, of matches, of codes and of draws."""

import numpy as np
import pytest

from entities.terrain import Tile
from procgen.blueprint import Blueprint, Point
from procgen.level_code import CodeError, parse_seed
from procgen.rewriting.matcher import FINE, Matcher
from procgen.rewriting.rules import parse_rule
from procgen.rng import Dice, Rng
from procgen.vaults.orientations import Exit, orientations
from procgen.vaults.vault_growth import OpenExit, VaultGrowth
from procgen.wfc.wave import MOST_NEARBY, Contradiction, Domains, Wave
from procgen.word_query import Wish
from support.vault_texts import read

CELL = "[cell]\ntags: plain\nturn: no\nexits: +\nmap:\n#####\n@...@\n#####\n"


def growth_on(width, height):
    rng = Rng(1, "test")
    return VaultGrowth(Blueprint.solid(width, height), rng, Dice(rng))


def test_what_is_opened_is_claimed_and_filled_where_it_lies_and_nowhere_else():
    (vault,), growth = read(CELL), growth_on(30, 12)
    one = OpenExit.at(7, 4, Exit(4, 1, 1, 0), vault)
    other = OpenExit.at(13, 4, Exit(0, 1, -1, 0), vault)
    growth.loose = {one.place: one, other.place: other}
    growth._join(one, other, [Point(x, 4) for x in range(8, 13)])
    row = sum(1 << x for x in range(7, 14))
    assert growth.claimed == growth.filled == [row if y == 4 else 0 for y in range(12)]
    assert growth.loose == {}
    growth._open(7, 4, Tile.DOOR)
    growth._open(3, 4, Tile.DOOR)
    assert growth.claimed[4] == growth.filled[4] == row | 1 << 3, "opened twice is open once"


def test_a_placed_vault_claims_all_its_tiles_and_fills_those_that_are_not_wall():
    (vault,), growth = read(CELL), growth_on(20, 12)
    (form,) = orientations(vault)
    for x, y in ((4, 3), (8, 3)):
        assert growth._put(form, Point(x, y))
    whole, body = 0b111111111 << 4, 0b111_0_111 << 5
    assert growth.claimed[3:6] == [whole] * 3
    assert growth.filled[3:6] == [0, body, 0]


@pytest.mark.parametrize("heat", [0.0, 2.0])
def test_pulled_matches_come_nearest_first_give_or_take_the_heat(heat):
    tiles = np.zeros((9, 14), np.uint8)
    field = np.array(
        [[7 * abs(x - 9) + 3 * abs(y - 2) for x in range(14)] for y in range(9)], np.int32
    )
    matcher = Matcher(
        tiles, np.zeros(tiles.shape, np.bool_), [parse_rule("wall wall -> same floor")],
        Dice(Rng(3)), turns=False, mirrors=True, lattice=1, each=False, field=field, heat=heat,
    )  # fmt: skip
    drawn = []
    for match in matcher.draw([0]):
        (distance, _), *_ = matcher.views[match // matcher.size].changes
        x, y = matcher.place(match)
        drawn.append(int(field[y, x + distance]))
    assert len(drawn) == 2 * 9 * 13
    ahead = [max(drawn[: n + 1]) - near for n, near in enumerate(drawn)]
    assert max(ahead) == 0 if not heat else 0 < max(ahead) <= heat
    assert heat < FINE


@pytest.mark.parametrize("number", [1, 7, 8, 9, 63, 64])
def test_noise_draws_a_word_for_every_eight_bytes(number):
    one, other = Rng(5, "noise"), Rng(5, "noise")
    shown = one.random_bytes(1, number)
    words = other._bits.random_raw(-(-number // 8))
    raw = b"".join(int(word).to_bytes(8, "little") for word in words)
    assert shown.tobytes() == raw[:number]
    assert one.below(2**30) == other.below(2**30)


def test_dice_fall_on_both_ends_and_on_nothing_beyond():
    dice = Dice(Rng(4))
    assert {dice.between(3, 5) for _ in range(60)} == {3, 4, 5}
    assert {dice.between(-1, -1) for _ in range(5)} == {-1}
    assert {dice.below(2) for _ in range(40)} == {0, 1}
    assert {dice.chance(1.0) for _ in range(5)} == {True}
    assert {dice.chance(0.0) for _ in range(5)} == {False}


def test_a_seed_has_forty_digits_at_most():
    assert parse_seed("7".rjust(40, "0")) == 7
    with pytest.raises(CodeError, match=r"seed 0{37}\.\.\. is out of range"):
        parse_seed("7".rjust(41, "0"))
    with pytest.raises(CodeError, match=f"seed {'9' * 40} is out of range"):
        parse_seed("9" * 40)
    assert parse_seed(str(2**64 - 1)) == 2**64 - 1
    with pytest.raises(CodeError):
        parse_seed(str(2**64))


def test_a_wish_for_a_range_has_its_lower_number_first():
    wish = Wish("rooms", "in", (4.0, 9.0))
    assert [wish.holds(value) for value in (3.9, 4.0, 9.0, 9.1)] == [False, True, True, False]
    assert Wish("rooms", "<", (4.0,)).holds(3.9)
    assert not Wish("rooms", "<", (4.0,)).holds(4.0)
    assert Wish("rooms", ">=", (4.0,)).holds(4.0)


@pytest.mark.parametrize("radius", [0, 1, 2, 5])
def test_places_around_lie_in_a_square_within_the_margin(radius):
    stride, height, left_out = 12, 10, {40, 53}
    masks = [0 if place in left_out else 1 for place in range(stride * height)]
    domains = Domains(None, masks, stride)
    margin = min(place for place in domains.around(5 * stride + 6, 99)) % stride
    for x, y in ((6, 5), (margin, margin), (stride - 1 - margin, height - 1 - margin)):
        wanted = [
            b * stride + a
            for b in range(max(margin, y - radius), min(height - margin, y + radius + 1))
            for a in range(max(margin, x - radius), min(stride - margin, x + radius + 1))
            if b * stride + a not in left_out
        ]
        assert domains.around(y * stride + x, radius) == wanted


@pytest.mark.parametrize(
    ("failed", "patches", "tried"),
    [(0, 99, MOST_NEARBY), (MOST_NEARBY - 1, 99, 1), (MOST_NEARBY, 99, 0), (0, 3, 3), (0, 0, 0)],
)
def test_a_wave_loses_its_patience_with_a_neighbourhood(failed, patches, tried, monkeypatch):
    wave, radii = Wave.__new__(Wave), []
    wave.stride, wave.patches, wave._leaves_out, wave._failures = 40, 0, False, {(0, 1): failed}
    monkeypatch.setattr(wave, "_reset", lambda _, radius: radii.append(radius), raising=False)
    with pytest.raises(Contradiction):
        wave._resolve_block(2 * 40 + 9, patches)
    assert radii == list(range(failed + 2, failed + 2 + tried))
    assert wave.patches == tried
    wave._failures = {(0, 0): MOST_NEARBY, (1, 1): MOST_NEARBY}
    monkeypatch.setattr(wave, "_reset", lambda *_: {5: 1}, raising=False)
    assert wave._resolve_block(2 * 40 + 9, wave.patches + 1) == {5: 1}
