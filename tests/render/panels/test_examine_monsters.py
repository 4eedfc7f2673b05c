"""What examining a monster tells: its speed, its state, and all that hunt with it."""

import pytest

from components import AiState
from engine.monsters.combat_forecast import forecast
from engine.saves.run import Run
from entities.creature_kinds import make_creature
from render.panels.examine import examine_lines, short_description
from render.session.session import Session
from render.ui.text import plain_text
from support.drawn_play import looking
from support.items import first, give


def test_the_speed_of_a_monster_is_compared_with_the_hero_s():
    person, engine = looking()
    hero, orc = engine.state.hero, first(engine, "orc")
    bat = make_creature("bat", 900, orc.x, orc.y - 1)
    engine.state.map.add_entity(bat)

    def described(creature):
        session = person.app.stack[1].session
        return plain_text(examine_lines(session, creature.x, creature.y, 60))

    assert "6 of 6 hit points, 150% of your speed" in described(bat)
    assert "of your speed" not in described(orc) + described(hero)
    hero.statuses["hasted"] = 9
    assert "50% of your speed" in described(orc)
    orc.statuses["slowed"] = 9
    assert "25% of your speed" in described(orc)


def test_a_monster_is_listed_with_all_its_statuses():
    person, engine = looking(columns=80, rows=24)
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    orc.ai.state, orc.statuses = AiState.HUNTING, {"slowed": 5, "weakened": 3}
    person.presses("escape")
    assert "orc 10/10 hunts you, slowed, weak" in person.reads()
    wide, engine = looking(columns=110, rows=44)
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    orc.ai.state, orc.statuses = AiState.HUNTING, {"slowed": 5, "weakened": 3, "confused": 4}
    wide.presses("escape")
    assert "hunts, slowed…" in wide.reads()
    orc.ai.state, orc.statuses = AiState.SEARCHING, {"slowed": 5, "confused": 4}
    assert "slowed, confused" in wide.reads(), "what a seed did to it is the news"
    orc.statuses = {"slowed": 1}
    lines = examine_lines(wide.top.session, orc.x, orc.y, 42)
    assert "slowed, 1 turn\n" in plain_text(lines)
    orc.ai.state = AiState.HUNTING
    assert plain_text(examine_lines(wide.top.session, orc.x, orc.y, 42)).startswith("An orc  hunts")
    orc.statuses = {"asleep": 4}  # As long as it can do nothing, that is all there is to say.
    assert "hunts" not in plain_text(examine_lines(wide.top.session, orc.x, orc.y, 42))


def test_what_was_summoned_or_sent_is_said_to_give_no_experience():
    person, engine = looking()
    orc = next(one for one in engine.state.map.entities.values() if one.kind == "orc")
    told = "Experience   none: it came after you"
    assert told not in plain_text(examine_lines(person.top.session, orc.x, orc.y, 60))
    orc.spawned_in_play = True
    assert told in plain_text(examine_lines(person.top.session, orc.x, orc.y, 60))


def test_a_hunter_that_keeps_away_or_runs_is_said_to_do_so():
    person, engine = looking()
    kinds = (("shaman", "keeps away"), ("key_thief", "flees"), ("goblin", "hunts you"))
    for number, (kind, says) in enumerate(kinds):
        creature = make_creature(kind, 900 + number, 2 + number, 2)
        creature.ai.state = AiState.HUNTING
        engine.state.map.add_entity(creature)
        assert says in person.reads()


def test_all_that_hunt_the_hero_are_judged_together():
    person, engine = looking()
    session, state = person.app.stack[1].session, engine.state
    state.hero.fighter.hp = 20
    for number in range(3):
        state.map.add_entity(make_creature("orc", 900 + number, 3 + number, 2))
    orcs = [one for one in state.map.entities.values() if one.kind == "orc"]
    for orc in orcs:
        orc.ai.state = AiState.ASLEEP
    asleep = short_description(session, 3, 2)
    assert "a deadly fight with 3 others if awake" in asleep, "a fight wakes them"
    lines = ["".join(text for text, _ in line) for line in examine_lines(session, 3, 2, 60)]
    assert "A deadly fight together with 3 others if awake." in lines
    assert any(line.startswith("Sneak attack") for line in lines)
    before = short_description(session, orcs[0].x, orcs[0].y)
    orcs[0].statuses["asleep"] = 12  # By nature and by magic.
    assert short_description(session, orcs[0].x, orcs[0].y) == before
    orcs[0].statuses.clear()
    for orc in orcs[1:]:
        orc.statuses["asleep"] = 12
    assert "an easy fight if awake" in short_description(session, orcs[0].x, orcs[0].y)
    for orc in orcs:
        orc.ai.state = AiState.HUNTING
        orc.statuses.clear()
    assert "a deadly fight with 3 others" in short_description(session, 3, 2)
    lines = ["".join(text for text, _ in line) for line in examine_lines(session, 3, 2, 60)]
    assert "A deadly fight together with 3 others hunting you." in lines
    assert "armless" not in "\n".join(lines)
    for orc in orcs:
        orc.statuses["asleep"] = 12  # A lullaby: as long as it lasts, none of them hunts.
    assert "others" not in short_description(session, 3, 2)


@pytest.mark.parametrize("state_of_mind", [AiState.WANDERING, AiState.SEARCHING, AiState.IDLE])
def test_the_unaware_are_judged_as_hunters_for_they_may_notice_an_assassin(state_of_mind):
    person, engine = looking()
    session, state = person.app.stack[1].session, engine.state
    state.hero.experience.talents.append("assassin")
    ogre = make_creature("ogre", 900, 3, 2)
    state.map.add_entity(ogre)
    ogre.ai.state = AiState.HUNTING
    before = plain_text(examine_lines(session, 3, 2, 60))
    ogre.ai.state = state_of_mind
    lines = plain_text(examine_lines(session, 3, 2, 60))
    assert "First hit" in lines
    assert [line for line in lines.splitlines() if "fight" in line or "Trivial" in line] == [
        line for line in before.splitlines() if "fight" in line
    ]


def test_a_danger_is_never_told_without_the_others_that_are_counted():
    person, engine = looking(columns=130)
    session, state = person.app.stack[1].session, engine.state
    give(engine, "dart", 3)
    for number in range(3):
        state.map.add_entity(make_creature("ogre", 900 + number, 3 + number, 2))
    for creature in state.map.entities.values():
        creature.statuses |= {"slowed": 5} if creature is not state.hero else {}
        if creature.ai:
            creature.ai.state = AiState.HUNTING
    told = {width: short_description(session, 3, 2, width) for width in range(40, 130)}
    assert all(("fight" in text) == ("with 3 others" in text) for text in told.values())
    assert "slowed" in told[129]
    assert " or " in told[129]
    assert all("fight" in told[width] for width in (60, 90, 129))
    assert ["dies" in told[width] for width in (60, 90, 129)] == [False, True, True]
    person.presses("escape").types("_").presses("right", "right", "down")
    assert person.top.target == (3, 2)
    assert "slowed, " in person.reads().splitlines()[-1], "cut as on a narrow screen"


def test_the_better_attack_of_a_shooter_counts_and_its_immunity_is_told():
    _, engine = looking()
    state = engine.state
    hero, orc = state.hero, first(engine, "orc")
    for kind in ("centaur", "salamander", "orc", "goblin"):
        creature = make_creature(kind, 900, orc.x, orc.y - 1)
        state.map.add_entity(creature)
        fight = forecast(hero, creature)
        short = short_description(Session(Run(engine)), creature.x, creature.y, 200)
        if kind == "centaur":
            assert short.endswith(f", you in {fight.monster_shot.hits} shots")
            assert fight.monster_shot.hits < fight.received.hits
        elif kind == "goblin":
            lines = plain_text(examine_lines(Session(Run(engine)), creature.x, creature.y, 60))
            assert "Packs        of up to 3" in lines
        elif kind == "orc":
            assert short.endswith(f", you in {fight.received.hits}")
        else:
            lines = plain_text(examine_lines(Session(Run(engine)), creature.x, creature.y, 60))
            assert "Immune to    burning" in lines
        state.map.remove_entity(creature)


def test_what_looks_for_the_hero_is_counted_in():
    person, engine = looking()
    state = engine.state
    orc = next(one for one in state.map.entities.values() if one.kind == "orc")
    ogre = make_creature("ogre", 900, 3, 2)
    state.map.add_entity(ogre)
    for counted, state_of_mind in ((True, AiState.SEARCHING), (False, AiState.WANDERING)):
        ogre.ai.state = state_of_mind
        told = short_description(person.app.stack[1].session, orc.x, orc.y, 120)
        assert ("with 1 other" in told) is counted


@pytest.mark.parametrize(("kind", "boss"), [("warlord", True), ("ogre", False)])
def test_a_look_says_that_statuses_do_not_last_on_a_boss(kind, boss):
    person, engine = looking()
    engine.state.map.add_entity(make_creature(kind, 900, 3, 2))
    told = plain_text(examine_lines(person.app.stack[1].session, 3, 2, 70))
    assert ("bad ones last half as long" in told) is boss


def test_damage_that_a_touch_will_halve_is_said_to_be_until_then():
    person, engine = looking()
    state = engine.state
    banshee = make_creature("banshee", 900, 3, 2)
    state.map.add_entity(banshee)
    banshee.ai.state = AiState.HUNTING
    dealt = forecast(state.hero, banshee).dealt
    session = person.app.stack[1].session
    told = plain_text(examine_lines(session, 3, 2, 70))
    assert f"{dealt.low}–{dealt.high} damage until weakened, {dealt.hits} hits" in told
    state.hero.statuses["weakened"] = 5
    assert "until weakened" not in plain_text(examine_lines(session, 3, 2, 70))
