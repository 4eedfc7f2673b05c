"""How good the equipment is that lies about."""

import shutil
from collections import Counter

import pytest

from engine.items.loot import WITH_BONUS, initial_loot, loot_table
from entities.data_files import DATA, DataError
from entities.item_kinds import item_kinds
from procgen.build import build
from procgen.recipes import find_recipe
from support.other_data import read_from


def test_equipment_is_plain_or_better_or_worse_as_often_as_the_data_say():
    found = Counter()
    for seed in range(160):
        level = build(find_recipe("rooms").code(seed, 4, (40, 25)))
        for item in initial_loot(level):
            if item_kinds()[item.kind].item_class in WITH_BONUS:
                found[item.bonus] += 1
            else:
                assert item.bonus == 0, item.kind
    plain, better, best = loot_table().odds
    odds = {0: plain, 1: better, 2: best, -1: 100 - plain - better - best}
    assert found.keys() == odds.keys()
    for bonus, percent in odds.items():
        assert abs(100 * found[bonus] / found.total() - percent) < 12, (bonus, found)


@pytest.mark.parametrize(("best", "fits"), [(0, True), (20, True), (21, False)])
def test_the_odds_of_equipment_are_a_hundred_percent_at_most(tmp_path, best, fits):
    for file in DATA.glob("*.toml"):
        shutil.copy(file, tmp_path)
    text = (tmp_path / "loot.toml").read_text(encoding="utf-8")
    written = f"odds = {list(loot_table().odds)}"
    assert written in text
    changed = text.replace(written, f"odds = [55, 25, {best}]")
    (tmp_path / "loot.toml").write_text(changed, encoding="utf-8")
    if fits:
        assert read_from(tmp_path, loot_table).odds == (55, 25, best)
    else:
        with pytest.raises(DataError, match="odds: more than 100 percent"):
            read_from(tmp_path, loot_table)
