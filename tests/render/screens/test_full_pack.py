"""A full pack: what is said, where exploring stops, and what its list shows first."""

from entities.item_kinds import item_kinds
from entities.pack import MOST_STACKS
from support.drawn_play import last, playing
from support.items import bare, give, lay


def test_the_item_that_fills_the_pack_says_so_and_exploring_stops_once_at_the_next_one():
    person, engine = playing("""
        ##########
        #@.......#
        ##########
    """)
    state, log = engine.state, person.top.session.log
    while len(state.hero.inventory) < MOST_STACKS - 1:
        give(engine, "dagger")
    for kind, x in (("sword", 2), ("axe", 6), ("axe", 8)):
        lay(engine, kind, x, 1)
    person.types("o").waits(30)
    told = [(message.text, message.color) for message in log.messages]
    assert told.count(("Your pack is full now.", "warn")) == 1
    assert last(person) == "Your pack is full: no room for an axe (4 tiles east)."
    assert (state.hero.x, state.hero.y) == (2, 1)
    state.map.explored[1, 8] = False
    person.types("o").waits(30)
    assert last(person).startswith("Explored."), "once a level"


def test_exploring_with_a_full_pack_passes_what_was_dropped_and_what_is_out_of_reach():
    person, engine = playing("""
        ##########
        #@..#....#
        ##########
    """)
    state = engine.state
    state.map.explored[:] = True
    while len(state.hero.inventory) < MOST_STACKS:
        give(engine, "dagger")
    lay(engine, "sword", 6, 1)
    lay(engine, "sword", 3, 1).letter = "a"
    person.types("o")
    assert last(person).startswith("Explored.")
    lay(engine, "might_ring", 1, 1)
    person.types("o")
    assert last(person).endswith(" ring (here).")


def test_seeds_head_a_full_pack_where_its_list_is_longer_than_the_screen():
    person, engine = playing(columns=110, rows=32)
    bare(engine)
    seed = next(name for name, kind in item_kinds().items() if kind.seed)
    for kind in ("dagger",) * (MOST_STACKS - 1) + (seed,):
        give(engine, kind)
    person.types("i")
    assert "Seeds" in person.reads()
    assert person.top.items[0].kind == seed
