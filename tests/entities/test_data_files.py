"""Data is typed and loud: a fault names file, entry and field."""

import shutil
import subprocess
import sys

import pytest

from engine.items.effects.effect_registry import all_effects, validate_items
from engine.items.loot import loot_table
from engine.levels.recipe_by_depth import strata
from engine.monsters.behaviours import BEHAVIOURS
from engine.terrain.growth import FRUIT
from entities.creature_kinds import HERO, CreatureKind, creature_kinds, spawn_weights
from entities.data_files import DATA, DataError, convert, weight_at
from entities.item_kinds import ItemKind, item_class_of, item_kinds
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.terrain import TILES, terrain
from procgen.level_overlays import OverlayKind
from procgen.recipes import current_recipes, recipes
from procgen.step_registry import all_steps
from render.map.place_names import name_parts
from render.messages.names import verb_table
from render.session.particles import particle_table
from render.ui.keymap import bindings, standard_bindings
from render.ui.palette import (
    Palette,
    Theme,
    colors,
    creature_colors,
    named_colors,
    palettes,
    themes,
    tile_paints,
)
from render.ui.texts import texts
from support.other_data import read_from
from support.paths import ROOT


@pytest.fixture
def broken(tmp_path):
    """Return a function that copies the data with one file's text changed."""

    def change(name, before, after):
        folder = tmp_path / "data"
        shutil.copytree(DATA, folder, ignore=shutil.ignore_patterns("font"))
        text = (folder / name).read_text(encoding="utf-8")
        assert before in text
        (folder / name).write_text(text.replace(before, after, 1), encoding="utf-8")
        return folder

    return change


def test_every_reference_leads_somewhere():
    for kind in creature_kinds().values():
        assert kind.color in creature_colors()
        assert kind.behaviour is None or kind.behaviour in BEHAVIOURS
        assert kind.behaviour is None or kind.text.endswith("."), kind.name
    for recipe in current_recipes():
        assert recipe.theme in themes(), recipe.name
    for name, kind in item_kinds().items():
        assert (kind.color or item_class_of(name).color) in named_colors("items"), name
        assert kind.effect is None or kind.effect in all_effects()
        found = name in loot_table().guaranteed_per_10_depths or name == FRUIT
        assert found or any(weight_at(depth, kind.spawn_weight) for depth in range(1, 13)), name
    particles = particle_table()
    assert {*particles.effects.values(), *particles.missiles.values()} <= set(creature_colors())
    assert set(particles.missiles) <= {
        kind.traits.ranged_attack.missile
        for kind in creature_kinds().values()
        if kind.traits.ranged_attack
    }
    assert len(item_kinds()) >= 50
    assert len(tile_paints()) == len(TILES) == len(terrain().kinds)
    assert strata()
    assert bindings()
    assert colors()
    assert verb_table()


def test_every_depth_has_inhabitants():
    assert {"rat", "orc"} <= set(spawn_weights(1))
    assert "troll" not in spawn_weights(1)
    for depth in range(1, 40):
        assert len(spawn_weights(depth)) > 1
    assert HERO not in spawn_weights(30)


def test_every_recipe_says_what_it_is():
    for recipe in current_recipes():
        assert recipe.description.endswith(".")
        assert len(recipe.description) < 110
    for step in all_steps().values():
        assert step.summary.endswith("."), step.name


@pytest.mark.parametrize(
    ("name", "before", "after", "load", "words"),
    [
        (
            "creatures.toml",
            "hp = 10",
            'hp = "ten"',
            creature_kinds,
            ["creatures.toml", "orc", "hp"],
        ),
        ("creatures.toml", "hp = 10", "hp = -1", creature_kinds, ["creatures.toml", "orc", "hp"]),
        ("creatures.toml", "hp = 10", "hq = 1", creature_kinds, ["creatures.toml", "orc", "hq"]),
        ("creatures.toml", "[hero]", "[heroine]", creature_kinds, ["creatures.toml", "hero"]),
        ("creatures.toml", "[orc]", "[orc", creature_kinds, ["creatures.toml", "not valid TOML"]),
        ("terrain.toml", 'char = "."', 'char = "#"', terrain, ["terrain.toml", "char"]),
        ("terrain.toml", "[tunnel]", "[tunnels]", terrain, ["terrain.toml", "tunnel"]),
        ("recipes.toml", "tries = 30", "tries = -3", recipes, ["[rooms]", "tries"]),
        ("recipes.toml", "tries = 30", "trees = 3", recipes, ["[rooms]", "trees"]),
        ("recipes.toml", '"random_walk"', '"walkies"', recipes, ["[walk]", "walkies"]),
        ("recipes.toml", 'extends = "rooms"', 'extends = "roms"', recipes, ["[sparse]", "roms"]),
        ("recipes.toml", '{ step = "rooms_in_leaves", margin = 2 },', "", recipes, ["[bsp]"]),
        (
            "items.toml",
            'item_class = "potion"',
            'item_class = "brew"',
            validate_items,
            ["healing_potion", "brew"],
        ),
        (
            "items.toml",
            'effect = "heal"',
            'effect = "heel"',
            validate_items,
            ["healing_potion", "heel"],
        ),
        (
            "seeds.toml",
            "gives = { slowed = 20 }",
            "gives = { slown = 20, sloe = 20, slim = 20, slug = 20 }",
            seed_kinds,
            ["[thicket_seed]", "gives", "'slim'"],
        ),
        (
            "items.toml",
            'status = "hasted"',
            'status = "hasty"',
            validate_items,
            ["haste_potion", "hasty"],
        ),
        (
            "items.toml",
            "kit = 1",
            "kit = 2",
            validate_items,
            ["[dagger]", "kit", "stack", "most 1"],
        ),
        (
            "items.toml",
            'weapon_ability = "stab"',
            'weapon_ability = "stab"\nstack_size = [1, 2]',
            validate_items,
            ["[dagger]", "stack_size", "stack", "most 1"],
        ),
        ("items.toml", "turns = 15", "turns = 0", validate_items, ["haste_potion", "status"]),
        (
            "items.toml",
            'shape = "nearest", range = 7',
            'shape = "nearest"',
            validate_items,
            ["lightning_scroll", "target", "range", "missing"],
        ),
        (
            "items.toml",
            'shape = "one", range = 9',
            'shape = "one", range = 9, radius = 2',
            validate_items,
            ["confusion_scroll", "target", "radius", "no meaning"],
        ),
        (
            "items.toml",
            'shape = "place", range = 6',
            'shape = "bolt", range = 6',
            validate_items,
            ["blinking_scroll", "target.shape", "bolt"],
        ),
        (
            "items.toml",
            'shape = "place", range = 6',
            'shape = "square"',
            validate_items,
            ["blinking_scroll", "target.shape", "square"],
        ),
        (
            "items.toml",
            "pierces = true, bores",
            "pierces = true, borse",
            validate_items,
            ["digging_wand", "borse"],
        ),
        (
            "items.toml",
            'weapon_ability = "thrust"',
            'weapon_ability = "tickle"',
            validate_items,
            ["spear", "weapon_ability", "tickle"],
        ),
        (
            "items.toml",
            '["mending"]',
            '["flying"]',
            validate_items,
            ["mending_ring", "worn_abilities", "flying"],
        ),
        (
            "items.toml",
            'launches = "arrow"',
            'launches = "bolt"',
            validate_items,
            ["short_bow", "launches", "bolt"],
        ),
        (
            "items.toml",
            "charges = [3, 5]",
            "charges = [5, 3]",
            validate_items,
            ["digging_wand", "charges"],
        ),
        (
            "items.toml",
            "obvious = true\nvalue = 80",
            "value = 80",
            validate_items,
            ["enchanting_scroll", "obvious"],
        ),
        (
            "item_classes.toml",
            'slot = "bow"',
            'slot = "hat"',
            validate_items,
            ["item_classes.toml", "[bow]", "slot"],
        ),
        (
            "item_classes.toml",
            '"agate", "beryl"',
            '"agate", "agate"',
            validate_items,
            ["item_classes.toml", "[ring]"],
        ),
        (
            "loot.toml",
            "life_potion",
            "wife_potion",
            loot_table,
            ["loot.toml", "guaranteed_per_10_depths", "wife_potion"],
        ),
        ("loot.toml", '"shelf"', '"shelves"', loot_table, ["loot.toml", "beside", "shelves"]),
        ("loot.toml", "[1, 1]", "[2, 1]", loot_table, ["loot.toml", "usual"]),
        ("terrain.toml", 'burnt = "rubble"', 'burnt = "ash"', terrain, ["terrain.toml", "burnt"]),
        ("themes.toml", "#0b0d14", "grey", colors, ["themes.toml", "interface", "ground"]),
        (
            "themes.toml",
            'wall_kind = "rock"',
            'wall_kind = "wood"',
            themes,
            ["themes.toml", "moss", "wall_kind"],
        ),
        (
            "looks.toml",
            'ink = "wood"',
            'ink = "mahogany"',
            tile_paints,
            ["looks.toml", "door", "ink"],
        ),
        (
            "region_names.toml",
            '["forest"]',
            '["woods"]',
            name_parts,
            ["region_names.toml", "regions[0]", "woods"],
        ),
        (
            "verbs.toml",
            'rat = "bites"',
            'hat = "bites"',
            verb_table,
            ["verbs.toml", "blows", "hat"],
        ),
        ("verbs.toml", "sword = [", "sward = [", verb_table, ["verbs.toml", "weapons", "sward"]),
        ("verbs.toml", "[statuses.warded]", "[statuses.wary]", verb_table, ["statuses", "wary"]),
        (
            "statuses.toml",
            'ends = ["shallows", "water"]',
            'ends = ["shalows"]',
            status_kinds,
            ["data/statuses.toml: [burning]: ends", "shalows"],
        ),
        (
            "keys.toml",
            '"o"]',
            '"x"]',
            standard_bindings,
            ["keys.toml", "play.look", "keys", "free letters: c o p"],
        ),
        (
            "recipes.toml",
            'theme = "stone"',
            'theme = "mud"',
            recipes,
            ["recipes.toml", "theme", "'mud'"],
        ),
        ("texts.toml", '"hunts you", "warn"', '"hunts you", "wran"', texts, ["hunting", "wran"]),
        (
            "palettes.toml",
            "accent = ",
            "acent = ",
            palettes,
            ["[colour_blind.interface]", "'acent' (do you mean accent?)"],
        ),
        (
            "keys.toml",
            '["o"]',
            '["f99"]',
            standard_bindings,
            ["explore]: keys: there is no key 'f99'"],
        ),
        ("palettes.toml", "\norc = ", "\norcc = ", palettes, ["colour_blind.creatures]", "'orcc'"]),
    ],
)
def test_a_fault_names_file_entry_and_field(broken, name, before, after, load, words):
    folder = broken(name, before, after)
    with pytest.raises(DataError) as fault:
        read_from(folder, load)
    for word in words:
        assert word in str(fault.value)


@pytest.mark.parametrize(
    ("kind", "value", "told"),
    [
        (
            CreatureKind,
            {"traits": {"aslep": True}},
            "traits: unknown field `aslep` (do you mean asleep?)",
        ),
        (
            ItemKind,
            {"target": {"shape": "bal"}},
            "target.shape: Invalid enum value 'bal' (do you mean ball?)",
        ),
        (
            Palette,
            {"interface": {"text": "red"}},
            "interface[...]: Expected a colour such as #e8d0ff",
        ),
        (Theme, {"arrival": ["x"]}, "arrival: Expected a list of length at least 3"),
        (Theme, {}, "the field `name` is missing"),
        (OverlayKind, {"spawn_weights": {"bat": {"x": 1}}}, "Expected a depth such as 3"),
    ],
)
def test_a_fault_deep_in_an_entry_says_what_may_stand_there(kind, value, told):
    with pytest.raises(DataError) as fault:
        convert(value, kind, "data/x.toml")
    assert str(fault.value).endswith(told)


@pytest.mark.parametrize("table", ["creatures", "items", "item_classes", "statuses"])
def test_a_kind_with_an_unknown_colour_stops_the_game_before_its_first_frame(broken, table):
    text = (DATA / f"{table}.toml").read_text(encoding="utf-8")
    first = next(line for line in text.splitlines() if line.startswith("color = "))
    with pytest.raises(DataError) as fault:
        read_from(broken(f"{table}.toml", first, 'color = "beest"'), colors)
    assert "beest" in str(fault.value)
    assert f"data/{table}.toml: [" in str(fault.value)


def test_the_command_line_says_it_and_exits_1(tmp_path):
    copy = tmp_path / "copy"
    for module in ROOT.glob("*/__init__.py"):  # The folder may hold anything else, a venv too.
        shutil.copytree(module.parent, copy / module.parent.name)
    shutil.copytree(DATA, copy / "data")
    shutil.copy(ROOT / "main.py", copy)
    data = copy / "data" / "recipes.toml"
    data.write_text(data.read_text().replace("tries = 30", 'tries = "many"', 1))
    done = subprocess.run(
        [sys.executable, "main.py", "list"],
        cwd=copy,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "data/recipes.toml: [rooms]" in done.stderr
