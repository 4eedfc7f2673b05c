"""What happens is told in good English, and told once."""

import re

import pytest

from components import AiState
from engine.creatures.status_effects import apply_status
from engine.saves.run import Run
from engine.state.events import (
    Appeared,
    Arrived,
    Burnt,
    CalledForHelp,
    CreatureRef,
    Died,
    Displaced,
    Equipped,
    Fled,
    Grew,
    Healed,
    Hurt,
    Identified,
    Improved,
    ItemRef,
    Noticed,
    PickedUp,
    Ripened,
    Shattered,
    ShotFired,
    Spotted,
    StatusApplied,
    StatusEnded,
    Struck,
    Threw,
    TookOff,
    Used,
    Wilted,
    creature_ref,
    event_types,
)
from engine.terrain.forced_movement import relocate
from entities.creature_kinds import HERO, creature_kinds
from entities.data_files import DataError
from entities.equipment import equipped
from entities.item_kinds import item_classes, item_kinds
from entities.target_shapes import TargetShape
from procgen.blueprint import Point
from render.map.map_view import item_icon
from render.messages import event_messages
from render.messages.event_messages import attack_message, event_message, event_texts
from render.messages.item_descriptions import item_texts
from render.messages.message_log import turn_messages, witnessed
from render.screens.play_screen import PlayScreen
from render.screens.screen import Push
from render.session.session import Session
from render.ui.palette import named_colors
from support.all_sentences import sample_events
from support.fake_backend import Person
from support.other_data import read_from
from support.rule_scenes import field, put
from support.scenes import scene

HERE = Point(1, 1)
YOU, ORC, RAT = CreatureRef(0, HERO, HERE), CreatureRef(1, "orc", HERE), CreatureRef(2, "rat", HERE)
WILDS = "wilds.1:5:1@128,128@160x90"


def thing(kind, count=1, bonus=0):
    return ItemRef(9, kind, count, bonus, 0, bool(bonus), "c", None)


def test_a_blow_and_the_death_it_deals_are_one_sentence():
    events = [Struck(YOU, ORC, 6), Fled(ORC), Died(ORC, HERO)]
    assert next(turn_messages(events))[0] == "You batter the orc for 6 and kill it."
    assert len(list(turn_messages(events))) == 2
    assert list(turn_messages([Struck(ORC, YOU, 9), Died(YOU, "orc")])) == [
        ("The orc hits you for 9 and kills you.", "bad")
    ]


@pytest.mark.parametrize(
    ("weapon", "damage", "said"),
    [
        ("sword", 1, "You nick the orc for 1."),
        ("sword", 3, "You slash the orc for 3."),
        ("sword", 5, "You cut deep into the orc for 5."),
        ("hammer", 3, "You strike the orc for 3."),
        ("bare", 0, "You cuff the orc but do no damage."),
    ],
)
def test_a_blow_tells_the_weapon_and_its_force(weapon, damage, said):
    assert creature_kinds()["orc"].hp == 10
    assert attack_message(Struck(YOU, ORC, damage), weapon=weapon)[0] == said


def test_a_blow_at_a_sleeper_says_so():
    said = attack_message(Struck(YOU, ORC, 29, asleep=True), weapon="dagger", kills=True)[0]
    assert said == "You sink your dagger into the sleeping orc for 29 and kill it."
    assert attack_message(Struck(ORC, YOU, 2, asleep=True))[0] == "The orc hits you for 2."
    boss = CreatureRef(1, "warlord", HERE)
    assert "the sleeping" not in attack_message(Struck(YOU, boss, 3, asleep=True))[0]


def test_the_weapon_in_hand_chooses_the_verb():
    engine = scene("#####\n#@o.#\n#####")
    dagger = next(item for item in engine.state.hero.inventory if item.kind == "dagger")
    assert equipped(engine.state.hero, "weapon") is dagger
    session = Session(Run(engine))
    session.add_events([Struck(YOU, ORC, 3)])
    assert session.log.messages[-1].text == "You stab the orc for 3."


def test_items_identified_by_another_are_said_to_be_in_the_pack():
    insight, growth = thing("insight_scroll"), thing("growth_scroll", 2)
    ring = thing("stone_ring")
    events = [Identified(insight), Identified(growth), Identified(ring)]
    gear = "-1 power. +2 defence. Monsters hear you from further away."
    recognised = [
        "You recognise 2 scrolls of growth in your pack.",
        f"You recognise a ring of stone in your pack. {gear}",
    ]
    told = [text for text, _ in turn_messages([Used(YOU, insight, (), ()), *events])]
    assert told == ["You read the scroll of insight.", "It's a scroll of insight!", *recognised]
    told = [text for text, _ in turn_messages([Used(YOU, insight, (), ()), *events[1:]])]
    assert told[1:] == recognised, "also if the scroll was known"


def test_a_monster_that_comes_into_view_and_notices_you_is_told_once_before_its_attack():
    events = [Noticed(ORC), Struck(ORC, YOU, 3), Noticed(RAT), Spotted(ORC)]
    assert [text for text, _ in turn_messages(events)] == [
        "An orc comes into view and notices you.",
        "The orc hits you for 3.",
        "The cellar rat notices you.",
    ]


def test_where_a_monster_is_that_notices_is_told():
    engine = scene("#########\n#..@....#\n#......o#\n#o....r.#\n#########")
    session = Session(Run(engine))
    foes = [one for one in engine.state.map.entities.values() if one is not engine.state.hero]
    session.add_events([Noticed(creature_ref(one)) for one in foes])
    assert {message.text for message in session.log.messages[-3:]} == {
        "The orc 4 tiles east notices you.",
        "The orc 2 tiles south-west notices you.",
        "The cellar rat 3 tiles south-east notices you.",
    }


def test_a_throw_its_blow_and_the_death_are_one_sentence():
    dart, far = thing("dart"), Point(4, 1)
    threw = Threw(YOU, dart, (far,), None)
    assert list(turn_messages([threw])) == [("You throw a dart. It hits nothing.", "text")]
    shot = Threw(YOU, thing("arrow"), (far,), "short_bow")
    assert next(turn_messages([shot, Struck(ORC, YOU, 2)]))[0] == (
        "You shoot an arrow. It hits nothing."
    )
    spear = Threw(YOU, thing("spear"), (far,), None)
    assert list(turn_messages([spear])) == [
        ("You throw a spear. It isn't made for throwing and does no damage.", "text")
    ]
    flask = Threw(YOU, thing("oil_flask"), (far,), None)
    told = [text for text, _ in turn_messages([flask, Shattered(thing("oil_flask"), (far,))])]
    assert told[0] == "You throw a flask of oil."
    assert [text for text, _ in turn_messages([threw, Struck(YOU, ORC, 3)])] == [
        "Your dart hits the orc for 3."
    ]
    assert [
        text for text, _ in turn_messages([threw, Struck(YOU, ORC, 0), Struck(ORC, YOU, 2)])
    ] == [
        "Your dart grazes the orc but does no damage.",
        "The orc hits you for 2.",
    ]
    deadly = [threw, Struck(YOU, ORC, 5), Died(ORC, HERO)]
    assert list(turn_messages(deadly)) == [
        ("Your dart pierces the orc for 5 and kills it.", "good")
    ]


def test_only_the_last_of_many_blows_kills():
    events = [Struck(RAT, YOU, 3), Struck(RAT, YOU, 2), Died(YOU, "rat")]
    assert [text for text, _ in turn_messages(events)] == [
        "The cellar rat bites you for 3.",
        "The cellar rat bites you for 2 and kills you.",
    ]


def test_a_blow_against_a_wall_that_kills_is_the_only_one_that_does():
    events = [Struck(YOU, ORC, 7), Hurt(ORC, "wall", 3), Died(ORC, HERO)]
    assert [text for text, _ in turn_messages(events)] == [
        "You batter the orc for 7.",
        "The impact bruises the orc for 3 and kills it.",
    ]


def test_other_deaths_are_told_by_themselves():
    events = [Struck(YOU, ORC, 6), Died(RAT, "fire"), Hurt(ORC, "fire", 2)]
    assert [text for text, _ in turn_messages(events)] == [
        "You batter the orc for 6.",
        f"The {creature_kinds()['rat'].name} dies.",
        "Fire burns the orc for 2.",
    ]


def test_a_wound_and_the_death_it_deals_are_one_sentence_but_for_the_hero_s():
    bolt, told = (
        Hurt(ORC, "lightning", 14),
        ("Lightning strikes the orc for 14 and kills it.", "good"),
    )
    assert list(turn_messages([bolt, Died(ORC, HERO)])) == [told]
    assert list(turn_messages([bolt, Died(ORC, "fire")])) == [(told[0], "text")]
    assert len(list(turn_messages([Hurt(ORC, "burning", 2), Died(ORC, "burning")]))) == 2
    assert len(list(turn_messages([bolt, Died(RAT, HERO)]))) == 2
    assert len(list(turn_messages([Hurt(YOU, "lightning", 14), Died(YOU, "hag")]))) == 2


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Burnt(thing("arrow", 3), HERE), "The arrows burn to ashes."),
        (Burnt(thing("arrow"), HERE), "The arrow burns to ashes."),
        (
            PickedUp(YOU, thing("fruit", 2), 2),
            "You take 2 fruits (c). Fruit wilts when you leave the level.",
        ),
        (Displaced(ORC, HERE, "swapped"), "You change places with the orc."),
        (Wilted(thing("fruit", 3)), "The fruits wilt, far from where they grew."),
        (Improved(thing("dart", 2)), "Your darts gleam for a moment."),
        (PickedUp(YOU, thing("leather_armour", 1, bonus=2), 1), "You take leather armour +2 (c)."),
        (PickedUp(YOU, thing("chain_mail", 2, 1), 2), "You take 2 suits of chain mail +1 (c)."),
        (PickedUp(YOU, thing("arrow", 7), 7), "You take 7 arrows (c)."),
        (PickedUp(YOU, thing("arrow", 7), 3), "You take 3 arrows (c, now 7)."),
        (PickedUp(YOU, thing("arrow", 2), 1), "You take an arrow (c, now 2)."),
        (
            Ripened(Point(9, 2), Point(5, 5)),
            "What you planted bears fruit 4 tiles north-east.",
        ),
        (Ripened(Point(1, 5), Point(5, 4)), "What you planted bears fruit 4 tiles west."),
        (Ripened(HERE, HERE), "What you planted bears fruit at your feet."),
        (Identified(thing("fireball_scroll", 2)), "It's a scroll of fireball!"),
        (Equipped(YOU, thing("dagger")), "You wield the dagger."),
        (Equipped(YOU, thing("short_bow")), "You sling the short bow on your back."),
        (TookOff(YOU, thing("short_bow")), "You put away the short bow."),
        (Healed(YOU, "healing_potion", 9), "You feel better (+9)."),
        (
            Healed(YOU, "life_potion", 6),
            "You feel better (+6). Your maximum hit points have grown for good.",
        ),
        (Arrived("caves.1:3:2@80x45", 2), "You reach depth 2: the mossy caves."),
        (Arrived(WILDS, 1), "You reach the wilds."),
        (Arrived(WILDS, 1, again=True), "You are back in the wilds."),
        (Hurt(YOU, "poisoned", 1), "Poison hurts you for 1."),
        (Hurt(YOU, "wall", 3), "The impact bruises you for 3."),
        (Struck(RAT, YOU, 2), "The cellar rat bites you for 2."),
        (Struck(RAT, YOU, 0), "The cellar rat bites you but does no damage."),
        (CalledForHelp(RAT), "The cellar rat calls for help!"),
        (StatusApplied(YOU, "asleep", 5), "You fall asleep."),
        (StatusEnded(ORC, "burning"), "The flames on the orc go out."),
    ],
)
def test_subject_and_verb_agree(event, said):
    assert event_message(event)[0] == said


HALL = """
    #########
    #@.....o#
    #########
"""


def test_a_monster_that_stops_a_journey_is_named_once():
    engine = scene(HALL)
    session = Session(Run(engine))
    person = Person()
    person.app.answer(Push(PlayScreen(session)))
    person.types("o")
    assert session.log.messages[-1].text == (
        "The orc is 6 tiles east: Tab fights, the same key again goes on."
    )


def test_a_look_gives_an_item_its_colour_before_and_after_it_is_identified():
    for name in ("potion", "wand", "ring"):
        assert set(item_classes()[name].looks) <= set(named_colors("looks")), name
    kinds = [kind for kind, form in item_kinds().items() if form.item_class == "potion"]
    assert len({item_icon(kind, 7)[2] for kind in kinds}) > len(kinds) / 2
    assert {item_icon(kind, 7) for kind in kinds} != {item_icon(kind, 8) for kind in kinds}


def test_a_key_that_stops_a_journey_opens_a_screen_but_takes_no_step():
    engine = scene("""
        ################
        #@.............#
        ################
    """)
    person = Person(first=PlayScreen(Session(Run(engine))))
    person.types("o")
    place = engine.state.hero.x
    person.types("j")
    assert engine.state.hero.x == place
    person.types("o")
    person.types("i")
    assert "Pack" in person.reads()


def test_each_event_has_a_message_or_is_silent():
    types = set(event_types())
    told = {name.partition(".")[0] for name in event_texts()}
    assert told == types - {"struck"}  # The message of a hit is computed.


def test_every_variant_in_the_file_is_said_of_some_event(monkeypatch):
    asked = set()
    tell = event_messages.for_variant
    monkeypatch.setattr(
        event_messages,
        "for_variant",
        lambda table, event, variant: (
            asked.add(f"{event}.{variant}") or tell(table, event, variant)
        ),
    )
    for event in sample_events():
        event_message(event)
    missing = {name for name in event_texts() if "." in name} - asked
    by_turn = {"noticed.alert", "noticed.ambush", "identified.in_pack", "called_for_help.unseen"}
    assert missing == by_turn


@pytest.mark.parametrize(
    ("line", "fault"),
    [
        ('"flew" = { text = "It flies." }', "flew: there is no event 'flew' (do you mean fled?)"),
        ('"fled" = { text = "It flees.", color = "mauve" }', "fled: there is no colour 'mauve'"),
        ('"fled" = { text = "{what} flees." }', "fled: there is no placeholder 'what'"),
        ('"fled" = { txt = "It flees." }', "field `txt`"),
    ],
)
def test_a_wrong_message_is_named(tmp_path, line, fault):
    (tmp_path / "messages.toml").write_text(f"{line}\n")
    with pytest.raises(DataError, match=re.escape(fault)):
        read_from(tmp_path, event_texts)


def test_the_brood_mother_is_killed_as_a_she():
    mother = CreatureRef(3, "broodmother", HERE)
    events = [Struck(YOU, mother, 7), Died(mother, HERO)]
    assert next(turn_messages(events))[0].endswith("and kill her.")


def test_a_net_does_not_shatter():
    text, _ = event_message(Shattered(thing("net"), (HERE,)))
    assert text == "The net spreads out in flight."
    text, _ = event_message(Shattered(thing("oil_flask"), (HERE,)))
    assert text == "The flask of oil shatters."


@pytest.mark.parametrize("who", [YOU, ORC])
def test_a_creature_that_stops_floating_may_be_over_lava_and_is_not_said_to_stand(who):
    text, _ = event_message(StatusEnded(who, "levitating"))
    assert "no longer float" in text
    assert "ground" not in text


def test_a_creature_out_of_nothing_is_told_once():
    assert len(list(turn_messages([Appeared(ORC), Spotted(ORC)]))) == 1


def test_every_sentence_about_an_effect_without_a_target_can_be_said():
    aimless = {TargetShape.SELF, TargetShape.BURST, TargetShape.ITEM}
    kinds = [kind for kind in item_kinds().values() if kind.target]
    may_miss = {kind.effect for kind in kinds if kind.target.shape not in aimless}
    assert set(item_texts().fizzles) <= may_miss


def test_what_happens_to_a_monster_in_hiding_is_told_only_if_the_hero_takes_part():
    engine, events = field(), []
    state, idol = engine.state, put(engine, "idol", 14, 7, AiState.HIDDEN)
    apply_status(idol, "slowed", 9, events.append)
    relocate(state, idol, 14, 8, "shoved", events.append)
    assert witnessed(events, state) == []
    blow = Struck(creature_ref(state.hero), creature_ref(idol), 0)
    assert witnessed([blow], state) == [blow]
    idol.ai.state = AiState.HUNTING
    assert witnessed(events, state) == events


def test_a_flood_is_told_only_as_long_as_the_hero_sees_it_rise():
    state = scene("#####\n#@.##\n##..#\n#####").state
    near, far = Grew("flood", (Point(2, 1),), 3), Grew("flood", (Point(3, 2),), 2)
    state.map.visible[:] = False
    state.map.visible[1, 2] = True
    assert witnessed([near, far, Grew("flood", (), 1)], state) == [near]


def test_a_gaze_and_a_short_jump_are_told_as_what_they_are():
    you, gazer = CreatureRef(1, HERO, HERE), CreatureRef(9, "gazer", HERE)
    assert event_message(ShotFired(gazer, you, "gaze", 0)) == ("The gazer gazes at you.", "warn")
    blinked = event_message(Displaced(you, HERE, "blinked"))
    assert blinked == ("You vanish and reappear nearby.", "warn")
