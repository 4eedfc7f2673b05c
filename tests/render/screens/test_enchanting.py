"""Enchanting: what is asked, what will become of each item, and what more defence is good for."""

from engine.combat.damage import damage_after_armour
from entities.item_kinds import item_kinds
from render.messages.item_descriptions import describe_item, limit_of_defence
from render.screens.hero_choices import TalentMenu
from render.screens.play_screen import PlayScreen
from support.inventory_screens import playing
from support.items import give


def test_a_scroll_that_betters_things_asks_which():
    person, engine = playing()
    scroll, sword = give(engine, "enchanting_scroll"), give(engine, "sword")
    give(engine, "dart")
    person.types(f"a{scroll.letter}")
    assert [item.kind for item in person.top.items] == ["sword"]
    assert "Enchant what?" in person.reads()
    assert "3 of 26" not in person.reads(), "that is the pack's number, not this list's"
    person.presses("escape", "escape").types("d")
    assert "3 of 26" not in person.reads(), "nor that of the list that drops any of it"
    person.presses("escape").types(f"a{scroll.letter}")
    person.types(sword.letter)
    assert sword.bonus == 1
    assert isinstance(person.top, PlayScreen)


def test_enchanting_says_what_will_become_of_each_item():
    person, engine = playing(columns=110, rows=44)
    names = "enchanting_scroll", "sword", "flame_wand"
    scroll, sword, wand = (give(engine, name) for name in names)
    sword.bonus, sword.identified, wand.charges, wand.identified = 2, True, 0, True
    engine.state.identified_kinds.append("flame_wand")
    person.types("a").types(scroll.letter)
    text = person.reads()
    assert "→ +3" in text
    least = item_kinds()["flame_wand"].charges[0]
    assert f"→ {least} charges" in text
    person.presses("escape", "escape")
    person.types("i").types(wand.letter)
    assert "No charges left. A scroll of" in person.reads()


def test_enchanting_does_not_tell_unidentified_wands_apart():
    person, engine = playing(columns=110, rows=44)
    names = "enchanting_scroll", "force_wand", "banishing_wand"
    scroll, *wands = (give(engine, name, charges=2) for name in names)
    person.types("a").types(scroll.letter)
    assert person.reads().count("→ more charges") == len(wands)
    person.presses("escape")
    engine.state.identified_kinds.append("force_wand")
    person.types(scroll.letter)
    assert "→ 4 more charges" in person.reads()


def test_enchanting_begins_with_what_is_worn_and_says_what_becomes_of_the_hero():
    person, engine = playing(columns=80, rows=24)
    names = "enchanting_scroll", "sword", "short_bow", "short_bow", "leather_armour"
    scroll, _, _, bow, armour = (give(engine, name) for name in names)
    engine.state.hero.equipment.update(bow=bow.id, armour=armour.id)
    person.types("a").types(scroll.letter)
    assert person.top.items[person.top.index] is bow
    text = person.reads()
    assert text.count("  arrow power 2 → 3") == text.count("  defence 2 → 3") == 1
    assert text.count("→ 1 better") == 2


def test_what_is_said_of_more_defence_is_what_it_does():
    _, engine = playing()
    hero = engine.state.hero
    limit = limit_of_defence(hero)
    assert limit in describe_item(engine.state, give(engine, "leather_armour"))
    assert limit not in describe_item(engine.state, give(engine, "sword"))
    before = [damage_after_armour(power, 0, hero) for power in range(30)]
    hero.fighter.defense += 1
    after = [damage_after_armour(power, 0, hero) for power in range(30)]
    helped = {old for old, new in zip(before, after, strict=True) if new < old}
    assert f"hits that do {min(helped)} or more now" in limit
    assert helped.isdisjoint(old for old, new in zip(before, after, strict=True) if new == old)


def test_armour_says_that_half_of_a_hit_gets_through():
    _, engine = playing()
    for name, told in (("leather_armour", True), ("enchanting_scroll", True), ("sword", False)):
        text = " ".join(describe_item(engine.state, give(engine, name)))
        assert ("stops at most half of a hit" in text) == told


def test_the_choice_of_a_talent_says_what_more_defence_is_good_for(monkeypatch):
    person, engine = playing()
    names = ["strong", "guarded"]
    monkeypatch.setattr("render.screens.hero_choices.offered_talents", lambda _: names)
    strong, guarded = TalentMenu(person.top.session).texts
    assert limit_of_defence(engine.state.hero) in guarded
    assert "More defence" not in strong
