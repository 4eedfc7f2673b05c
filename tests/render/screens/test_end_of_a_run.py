"""What the end of a run names: the last wounds, what was left unused; the card of a hollow."""

from components.inventory import Item
from engine.saves.high_scores import read_scores
from engine.state.events import Arrived, CreatureRef, Hurt, ShotFired, Struck
from engine.state.run_setup import RunSetup
from entities.creature_kinds import HERO
from entities.item_kinds import item_kinds
from entities.pack import add_to_pack
from procgen.blueprint import Point
from render.messages.refusal_messages import explored_message
from render.panels.morgue import record_run_end
from render.screens.run_end import EndScreen
from render.screens.screen import Push
from render.session.session import LAST_TURNS
from support.play_screens import ended, playing, slain, world_of


def test_the_end_names_a_talent_scrolls_and_seeds_that_were_left_too():
    person = slain(RunSetup(42, "42"), columns=80, rows=24)
    hero = world_of(person).hero
    hero.experience.level = 2
    seed = next(name for name, kind in item_kinds().items() if kind.seed)
    for kind, count in (("mapping_scroll", 2), ("terror_scroll", 1), (seed, 1)):
        add_to_pack(hero, Item(world_of(person).new_id(), kind, count))
    assert "Unused: 1 background, 1 talent, 3 scrolls, 1 seed." in person.reads()


def test_the_end_names_the_damage_of_the_last_turns_by_its_causes():
    person = playing(RunSetup(42, "42"), columns=80, rows=24)
    session, hero = person.top.session, world_of(person).hero
    kinds = enumerate((HERO, "ghoul", "salamander"))
    you, ghoul, salamander = (CreatureRef(number, kind, Point(1, 1)) for number, kind in kinds)
    session.add_events([Struck(ghoul, you, 20)])
    for _ in range(LAST_TURNS - 3):
        session.add_events([])
    session.add_events([Hurt(you, "burning", 4), Struck(ghoul, you, 3), Struck(you, ghoul, 9)])
    hero.fighter.hp, world_of(person).killed_by = 0, "ghoul"
    session.add_events([ShotFired(salamander, you, "fire", 6), Hurt(you, "burning", 4)])
    text = EndScreen(session, record_run_end(session, "killed by ghoul"))._intro()
    assert text[0].startswith("Killed by a ghoul")
    assert text[1] == "Last wounds: the ghoul 23, the fire 8, the salamander 6."
    session.add_events([])
    person.app.answer(Push(EndScreen(session, record_run_end(session, "killed by ghoul"))))
    shown = person.reads()
    assert "Last wounds: the fire 8, the salamander 6, the ghoul 3." in shown
    assert "To the title" in shown
    assert "main.py replay" in shown, "there is room for all of it"
    session.last_turns.clear()
    session.add_events([Struck(ghoul, you, 20)])
    assert "Last wounds" not in person.reads(), "the first line tells as much"


def test_the_end_in_an_infinite_world_says_how_far_away_it_is():
    person = playing(RunSetup(42, "42", generator="wilds"))
    world_of(person).hero.x += 7
    person.types("Qy")
    assert "0 gold, 7 tiles from where you set out." in person.reads()


def test_the_lines_to_share_are_shown_and_copied():
    person = playing(RunSetup(42, "42"))
    code = str(world_of(person).code)
    person.types("Qy").types("s")
    shown = " ".join(person.reads().replace("│", "").split())
    assert f"Seedhollow {code}: depth 1, 0 points, abandoned" in shown
    assert person.backend.copied[-1].startswith(f"Seedhollow {code}: depth 1")


def test_the_end_names_what_would_have_healed_and_was_not_used():
    person = slain(RunSetup(42, "42"))
    assert "Unused: 1 background." in person.reads()
    world_of(person).hero.experience.talents.append("hunter")
    assert "Unused" not in person.reads()
    for kind, count in (("healing_potion", 2), ("life_potion", 1), ("oil_flask", 1)):
        add_to_pack(world_of(person).hero, Item(world_of(person).new_id(), kind, count))
    words = " ".join(person.reads().replace("│", "").split())
    assert "Unused: 2 potions of healing, a potion of life." in words


def test_who_plays_on_with_the_first_seed_can_end_the_run_as_a_victory_later():
    person = playing(RunSetup(42, "42"))
    assert "Abandon this run" in person.presses("escape").reads()
    person.presses("escape")
    world_of(person).won = 0
    assert "End the run as a victory" in person.presses("escape").reads()
    person.presses("escape").types("Q")
    assert "End this run as a victory?" in person.reads()
    person.types("y")
    assert "Won on depth 1" in person.reads()
    assert [(score.end, score.won) for score in read_scores()] == [("won", True)]


def test_a_death_after_the_victory_tells_of_both():
    person = playing(RunSetup(42, "42"))
    world_of(person).won = 0
    world_of(person).hero.fighter.hp, world_of(person).killed_by = 0, "orc"
    assert "Won, then killed by an orc on depth 1" in ended(person.types(".")).reads()


def test_on_the_way_home_the_stairs_up_are_named():
    person = playing(RunSetup(42, "42"))
    assert "stairs up" not in explored_message(world_of(person))
    world_of(person).hollow = "rooms:7"
    assert explored_message(world_of(person)).startswith("Explored. Press < for the stairs up")


def test_the_card_of_a_hollow_says_that_it_is_yours():
    person = playing(RunSetup(42, "42", generator="rooms"))
    session, state = person.top.session, world_of(person)
    session.add_events([Arrived(str(state.code), 1)])
    assert "Depth 1: " in person.reads(), "the figures of the level before"
    state.hollow = str(state.code)
    session.add_events([Arrived(state.hollow, 1, grown=True)])
    assert "This is your own hollow" in (text := person.reads())
    assert "Depth 1: " not in text, "these would be figures of what stood there before"
