"""What a pack tells when an item is compared with what is worn."""

from entities.equipment import power_of
from entities.item_kinds import item_kinds
from render.messages.item_descriptions import item_details
from render.screens.play_screen import PlayScreen
from support.inventory_screens import playing
from support.items import give


def test_an_item_is_compared_with_the_one_worn_now():
    person, engine = playing()
    dagger, sword = give(engine, "dagger"), give(engine, "sword")
    engine.state.hero.equipment["weapon"] = dagger.id
    person.types(f"i{sword.letter}")
    assert "Instead of a dagger:" in person.reads()
    power = power_of(engine.state.hero)
    assert f"power {power} → {power + 1}  +1" in person.reads()
    assert "lost: Sneak attack: five times" in person.reads()
    person.types("e")
    assert engine.state.hero.equipment["weapon"] == sword.id
    assert isinstance(person.top, PlayScreen)


def test_what_another_worn_item_gives_as_well_is_not_lost():
    _, engine = playing()
    cloak, ring = give(engine, "moss_cloak"), give(engine, "shadows_ring")
    mail = give(engine, "leather_armour")
    engine.state.hero.equipment.update(armour=cloak.id)

    def loses(item):
        words = [text for line in item_details(engine.state, item, 90) for text, _ in line]
        return "lost: Halves the distance" in "".join(words)

    assert loses(cloak)
    assert loses(mail)
    engine.state.hero.equipment.update(ring=ring.id)
    assert not loses(cloak)
    assert not loses(mail)


def test_bows_are_compared_by_their_arrows_and_many_are_thrown_one_by_one():
    person, engine = playing()
    short, long = give(engine, "short_bow"), give(engine, "long_bow")
    engine.state.hero.equipment["bow"] = short.id
    kinds = item_kinds()
    change = f"{kinds['short_bow'].power} → {kinds['long_bow'].power}"
    person.types(f"i{long.letter}")
    assert f"arrow power {change}" in person.reads()
    person.presses("escape", "escape")
    person.types(f"i{give(engine, 'dart', 5).letter}")
    assert "Throw one" in person.reads()
    assert "Drop them" in person.reads()
    person.presses("escape", "escape")
    person.types(f"i{give(engine, 'oil_flask').letter}")
    assert person.reads().count("Throw") == 1


def test_a_long_comparison_uses_the_room_there_is():
    _, engine = playing()
    hammer, sword = give(engine, "hammer"), give(engine, "sword")
    engine.state.hero.equipment["weapon"] = hammer.id
    lines = ["".join(text for text, _ in line) for line in item_details(engine.state, sword, 40)]
    assert "  lost: Half of its hits knock the" in lines
    assert "    target back a step; hitting a wall" in lines


def test_a_comparison_tells_nothing_that_is_not_known_yet():
    person, engine = playing()
    dagger, other = give(engine, "dagger"), give(engine, "dagger", bonus=2)
    engine.state.hero.equipment["weapon"] = dagger.id
    person.types(f"i{other.letter}")
    assert "no change to power and defence" in person.reads()
    assert "its enchantment is unknown" in person.reads()
    assert "+3 power." in person.reads()
    other.identified = True
    assert "+2" in person.reads()
    assert "+5 power." in person.reads()
    assert other.bonus == 2
