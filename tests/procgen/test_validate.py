"""The promises a level keeps, one broken at a time."""

import re
from types import SimpleNamespace

import pytest

from procgen.blueprint import Point, Rejected, Spawn
from procgen.level_code import FROM_FILE
from procgen.mission import OPENERS, Mission, MissionEdge, MissionRoom
from procgen.recipe_builder import undo_mission_breaks
from procgen.validate import (
    ASTRAY,
    GATE_TILES,
    broken_invariants,
    broken_level,
    validate,
)
from support.blueprints import CHARS, drawn, text

ROOM = """
    #######
    #<....#
    #....>#
    #######
"""


def reasons(faults):
    """Return the ``faults`` without the places or numbers after a colon."""
    return [re.sub(r": (-?\d+,-?\d+|\w+ \d+, \w+ \d+)$", "", fault) for fault in faults]


def peopled(*places):
    """Return the room with an orc on each of ``places``."""
    plan = drawn(ROOM)
    plan.spawns.extend(Spawn("orc", x, y) for x, y in places)
    return plan


def test_monsters_that_stand_each_on_a_tile_of_their_own_are_fine():
    assert reasons(broken_invariants(peopled((2, 1), (3, 1), (1, 2)))) == []


@pytest.mark.parametrize("places", [[(2, 1), (2, 1)], [(1, 1)], [(5, 2)]])
def test_no_monster_stands_on_another_or_on_the_stairs(places):
    assert reasons(broken_invariants(peopled((3, 1), *places))) == [
        "two of start, exit and spawns share a tile"
    ]


@pytest.mark.parametrize("kind", ["orrc", "hero", ""])
def test_a_monster_is_of_a_kind_that_exists(kind):
    plan = peopled((2, 1))
    plan.spawns.append(Spawn(kind, 3, 1))
    assert reasons(broken_invariants(plan)) == [f"there is no monster {kind!r}"]


@pytest.mark.parametrize("place", [(0, 1), (-1, 1), (7, 1), (2, 4), (2, 99), (3, -2)])
def test_no_monster_stands_in_rock_or_off_the_map(place):
    assert reasons(broken_invariants(peopled(place))) == [
        "start, exit or a spawn is not on walkable ground"
    ]


@pytest.mark.parametrize(
    "drawing",
    [
        ROOM.replace("#######", "###.###", 1),
        ROOM.replace("#<", ".<"),
        ROOM.replace(">#", ">."),
        ROOM[::-1].replace("#######", "###.###", 1)[::-1],
    ],
    ids=["above", "left", "right", "below"],
)
def test_the_border_is_closed_on_every_side(drawing):
    with pytest.raises(Rejected, match="border is open"):
        validate(drawn(drawing))


SECRET = """
    #########
    #<..S..>#
    #########
"""


def test_a_secret_door_may_hide_a_room_but_not_the_exit():
    assert reasons(broken_invariants(drawn(SECRET))) == ["the way to the exit needs a secret door"]
    hidden = SECRET.replace("#<..S..>#", "#<.>S...#")
    assert reasons(broken_invariants(drawn(hidden))) == []


VAULT = """
    ###########
    #<?.>]....#
    ###########
"""


def test_the_key_of_a_locked_room_lies_outside_of_it():
    assert reasons(broken_invariants(drawn(VAULT))) == []
    inside = VAULT.replace("?", ".").replace("]..", "]?.")
    assert reasons(broken_invariants(drawn(inside))) == ["a key lies behind a lock"]
    for drawing in (VAULT.replace("?", "."), VAULT.replace("?.", "??")):
        assert reasons(broken_invariants(drawn(drawing))) == ["there is not a key for every lock"]


def faults(*rows, mission=None, **options):
    """Return what is wrong with the level that ``rows`` show."""
    plan = drawn("\n".join(rows))
    plan.mission = mission
    return reasons(broken_invariants(plan, **options))


NO_WAY = "the way to the exit needs a secret door"
KEYS = "there is not a key for every lock"
BEHIND = "a key lies behind a lock"
IDLE = "a lock can be bypassed"
PIECES = "the level is not in one piece"


@pytest.mark.parametrize(
    ("rows", "wrong"),
    [
        (("####", "####"), ["there is no floor", "start or exit is missing"]),
        (("#####", "#<.##", "#####"), ["start or exit is missing"]),
        (("#####", "#.>##", "#####"), ["start or exit is missing"]),
        (("######", "#<#.>#", "######"), [f"{PIECES}: 1,1 is cut off"]),
        (("#####", "#<###", "##.>#", "#####"), [f"{PIECES}: 1,1 is cut off"]),
        (("######", "#<.>##", "####.#", "######"), [f"{PIECES}: 4,2 is cut off"]),
        (("#####", "#<.##", "##.>#", "#####"), []),
    ],
)
def test_floor_start_and_exit_are_there_and_in_one_piece(rows, wrong):
    assert faults(*rows) == wrong


def test_start_and_exit_are_two_walkable_tiles():
    plan = drawn(ROOM)
    plan.exit = plan.start
    assert reasons(broken_invariants(plan)) == ["start and exit are the same tile"]
    plan.exit = Point(0, 2)
    assert reasons(broken_invariants(plan)) == ["start, exit or a spawn is not on walkable ground"]


@pytest.mark.parametrize(
    ("row", "spawn", "fault"),
    [
        ("#<.>.", (2, 1), "the border is open: 4,1"),
        ("#<.>#", (2, 0), "is not on walkable ground: 2,0"),
        ("#<.>#", (3, 1), "spawns share a tile: 3,1"),
        ("#<?>#", (2, 1), f"{KEYS}: key 1, locked_door 0"),
    ],
)
def test_a_fault_says_where_it_is(row, spawn, fault):
    plan = drawn(f"#####\n{row}\n#####")
    plan.spawns.append(Spawn("orc", *spawn))
    (told,) = broken_invariants(plan)
    assert told.endswith(fault)


@pytest.mark.parametrize("place", [(0, 1), (4, 1), (2, 0), (2, 2)])
def test_the_outermost_tiles_are_on_the_map(place):
    plan = drawn(".....\n<...>\n.....")
    plan.spawns.append(Spawn("orc", *place))
    shared = ["two of start, exit and spawns share a tile"] if place[1] == 1 else []
    assert reasons(broken_invariants(plan)) == ["the border is open", *shared]


def test_a_lock_bars_the_way_to_the_exit_only_in_a_level_from_a_file():
    barred = "#######", "#<.?]>#", "#######"
    assert faults(*barred) == [NO_WAY]
    assert faults(*barred, locked_way=True) == []
    hidden = "#########", "#<.?S.]>#", "#########"
    assert faults(*hidden, locked_way=True) == [NO_WAY]
    assert faults("#######", "#<.>]?#", "#######", locked_way=True) == [BEHIND]


@pytest.mark.parametrize("lock", ["?]", "l/"])
@pytest.mark.parametrize("order", [1, -1])
def test_a_lock_on_the_border_is_a_fault_of_a_level_from_a_file(lock, order):
    rows = ["######", f"#<{lock[0]}>.{lock[1]}"[::order], "######"]
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    expected = ["the border is open", IDLE]
    assert faults(*rows, locked_way=True) == faults(*columns, locked_way=True) == expected


@pytest.mark.parametrize(("lock", "opener"), ["/l", "uw", "vb"])
def test_every_mechanism_opens_one_lock_and_lies_before_it(lock, opener):
    def level(middle):
        rows = "###########", f"#<.>{middle:.<6}#", "###########"
        return faults(*(row.replace("L", lock).replace("o", opener) for row in rows))

    assert level("o.L") == []
    assert level("..Lo") == [BEHIND]
    assert level("..L") == level("o") == level("ooL") == level("oL.L") == [KEYS]
    assert level("ooL.L") == ["two locks share a mechanism"]


@pytest.mark.parametrize(
    ("row", "wrong"),
    [
        ("?.].", []),
        ("..].?]?.", [BEHIND]),
        ("?.].?].", []),
        ("??].].", []),
        (".S?.].", []),
        ("?.]l/.", []),
        ("l./?].", []),
        ("..]l/?.", [BEHIND]),
        ("..]?/l.", [BEHIND]),
    ],
)
def test_keys_and_mechanisms_may_lie_behind_each_other_but_not_in_a_ring(row, wrong):
    assert faults("#" * (len(row) + 5), f"#<.>{row}#", "#" * (len(row) + 5)) == wrong


@pytest.mark.parametrize(("x", "y"), [(2, 3), (3, 2), (2, 1), (1, 2)])
def test_a_lock_that_can_be_walked_round_shuts_nothing(x, y):
    rows = ["########", "#...<>?#", "#.#....#", "#......#", "########"]
    rows[y] = f"{rows[y][:x]}]{rows[y][x + 1 :]}"
    assert faults(*rows) == [IDLE]


def test_nothing_lies_in_rock():
    plan = drawn(ROOM)
    level = SimpleNamespace(
        tiles=plan.tiles, start=plan.start, exit=plan.exit, spawns=(), mission=None,
        code=SimpleNamespace(depth=1, recipe="rooms"), items=None,
    )  # fmt: skip
    for place, wrong in (((1, 1), 0), ((0, 1), 1), ((7, 1), 1), ((2, -1), 1), ((2, 4), 1)):
        level.items = (Point(2, 2), Point(*place))
        assert reasons(broken_level(level)) == ["an item is not on walkable ground"] * wrong
    level.tiles, level.items = drawn("#######\n#<?.]>#\n#######").tiles, ()
    level.exit = Point(5, 1)
    assert reasons(broken_level(level)) == [NO_WAY]
    level.code.recipe = FROM_FILE
    assert reasons(broken_level(level)) == []


def mission(*gates, start=(1, 2), end=(7, 2), holds=""):
    """Return two rooms, with these gates at (4, 1), (4, 3) ... between them."""
    rooms = (
        MissionRoom("start", "start", "main", holds=holds, anchor=start),
        MissionRoom("exit", "exit", "main", anchor=end),
    )
    edges = (MissionEdge(0, 1, "main", gate, place=(4, 1 + 2 * n)) for n, gate in enumerate(gates))
    return Mission(rooms, tuple(edges))


def two_rooms(upper="+", lower="#", before=".", beyond="."):
    """Return two rooms side by side with these tiles in the wall between them, and beside it."""
    return (
        "#########",
        f"#<..{upper}..>#",
        "#...#...#",
        f"#..{before}{lower}{beyond}..#",
        "#########",
    )


def turned(rows):
    return tuple("".join(column) for column in zip(*rows, strict=True))


@pytest.mark.parametrize(("gate", "opener"), OPENERS.items())
def test_the_lock_of_a_mission_stands_where_the_mission_says(gate, opener):
    tiles = {number: char for char, number in CHARS.items()}
    lock = tiles[GATE_TILES[gate]]
    key = {"key": "?", "lever": "l", "winch": "w", "brazier": "b"}[opener]
    graph = mission(gate, holds=opener)
    assert faults(*two_rooms(lock, before=key), mission=graph) == []
    assert faults(*two_rooms("#", lock, before=key), mission=graph) == [ASTRAY]
    assert faults(*two_rooms(lock, ".", before=key), mission=graph) == [IDLE, ASTRAY]
    assert faults(*two_rooms("S", before=key), mission=graph)[-1] == ASTRAY
    wrong = {"]": "/", "/": "]"}.get(lock, "]")
    assert faults(*two_rooms(wrong, before=key), mission=graph) == [KEYS, ASTRAY]
    away = faults(*two_rooms(lock, before=key), mission=mission(gate))
    assert away == [f"the mission cannot be done: there are 0 {opener}s for 1 {gate}s"]


@pytest.mark.parametrize(
    ("gate", "tile", "fine"),
    [
        ("secret", "S", True), ("secret", "+", False), ("secret", "#", False),
        ("window", "~", True), ("window", "!", True), ("window", "&", True),
        ("window", "#", False), ("window", "O", False), ("window", ".", False),
    ],
)  # fmt: skip
def test_a_secret_door_or_a_window_stands_where_the_mission_says(gate, tile, fine):
    assert faults(*two_rooms("+", tile), mission=mission("open", gate)) == [ASTRAY] * (not fine)


@pytest.mark.parametrize("turn", [False, True])
@pytest.mark.parametrize(
    ("before", "tile", "beyond", "fine"),
    [
        (")", "(", ".", True), (".", "(", ")", True), (")", "(", "O", False),
        ("O", "(", ")", False), (".", "(", ".", False), (")", ".", ".", False),
    ],
)  # fmt: skip
def test_a_ledge_has_its_brink_and_ground_to_land_on(before, tile, beyond, fine, turn):
    rows, graph = two_rooms("+", tile, before, beyond), mission("open", "drop")
    if turn:
        rows = turned(rows)
        ways = [MissionEdge(0, 1, "main", e.gate, place=e.place[::-1]) for e in graph.edges]
        graph = Mission(mission(start=(2, 1), end=(2, 7)).rooms, tuple(ways))
    assert faults(*rows, mission=graph) == [ASTRAY] * (not fine)


def test_the_rooms_of_a_mission_are_joined_on_the_map_as_in_the_graph():
    graph = mission("open")
    assert faults(*two_rooms(), mission=graph) == []
    assert faults(*two_rooms("S"), mission=graph) == [NO_WAY, ASTRAY]
    assert faults(*two_rooms("+", "S"), mission=graph) == []
    locked = mission("lock", holds="key")
    assert faults(*two_rooms("]", before="?"), mission=locked) == []
    corner = "#########", "#<?.]..>#", "#...#...#", "#..#....#", "#########"
    assert faults(*corner) == [NO_WAY, IDLE]
    assert faults(*corner, mission=locked) == [IDLE, ASTRAY], "a corner can be cut"
    both = tuple(row.replace(">", ".").replace("<.", "<>") for row in two_rooms("]", before="?"))
    assert faults(*both, mission=locked) == [ASTRAY], "the exit is not in the last room"
    swapped = tuple(row.translate(str.maketrans("<>", "><")) for row in two_rooms("]", beyond="?"))
    assert faults(*swapped, mission=locked) == [ASTRAY], "the start is not in the first room"
    for loose in (mission("open", start=None), mission("open", end=None)):
        assert faults(*two_rooms(), mission=loose) == ["the mission is not laid out"]


CHANGES = {
    "a hole in the wall": ({(4, 2): "."}, {(4, 2)}),
    "grass and a bush": ({(2, 2): '"', (6, 3): '"'}, set()),
    "a niche": ({(3, 4): "."}, set()),
    "a hole and a niche that touch at a corner": ({(4, 3): ".", (3, 4): "."}, {(4, 3), (3, 4)}),
    "a hole, a niche and grass": ({(4, 3): ".", (6, 4): ".", (1, 3): '"'}, {(4, 3)}),
    "a wall around the start": ({(2, 1): "#", (1, 2): "#"}, {(2, 1), (1, 2)}),
    "another and a pillar": ({(2, 1): "#", (1, 2): "#", (6, 2): "#"}, {(2, 1), (1, 2)}),
    "two pillars and holes": (
        {(2, 2): "#", (4, 1): ".", (6, 2): "#", (4, 3): "."},
        {(4, 1), (4, 3)},
    ),
}


@pytest.mark.parametrize(("changes", "undone"), CHANGES.values(), ids=CHANGES)
def test_only_those_changes_are_undone_that_break_the_mission(changes, undone):
    plan = drawn("\n".join([*two_rooms("]", before="?"), "#########"]))
    plan.mission = mission("lock", start=(1, 3), holds="key")
    before = plan.tiles.copy()
    for (x, y), char in changes.items():
        plan.tiles[y, x] = CHARS[char]
    wanted = plan.tiles.copy()
    for x, y in undone:
        wanted[y, x] = before[y, x]
    assert undo_mission_breaks(plan, before) is bool(undone)
    assert (plan.tiles == wanted).all(), text(plan)


def test_without_a_mission_on_the_map_nothing_is_undone():
    plan = drawn("\n".join(two_rooms("]", ".")))
    for graph in (None, mission("lock", start=None)):
        plan.mission = graph
        assert not undo_mission_breaks(plan, drawn("\n".join(two_rooms("]"))).tiles)
        assert plan.tiles[3, 4] == CHARS["."]
