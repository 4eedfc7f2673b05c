"""The player for runs: everywhere in a run by key and mouse, and out of it into a new one."""

import math
import time

import pytest

from engine.actions import Descend, Refused, Visit, Wait
from engine.events import (
    Afflicted,
    Arrived,
    Died,
    FoundDoor,
    Hurt,
    Moved,
    Noticed,
    Relieved,
    Spotted,
    Struck,
    TookGold,
    Who,
)
from engine.records.places import recorded_paths
from engine.records.record import RunFileError, read_run
from engine.records.run import Playback, Run
from engine.setup import Mode, Setup
from fakes import FakeFace, Person
from procgen.blueprint import Point
from render.app import App
from render.inputs import Closed, Key, Pointer
from render.keys import bindings, shown
from render.replays import branching
from render.replays.chapters import kind_of
from render.replays.pace import SPEEDS, Pace
from render.replays.playhead import Playhead
from render.screen import Leave, Push
from render.screens.play import PlayScreen
from render.screens.replay import ReplayScreen
from render.screens.replay_asking import Growing
from render.screens.replay_panel import column
from render.screens.title import Title
from render.search.playing import simulated

TURNS = 700


@pytest.fixture(scope="module")
def adventure(tmp_path_factory):
    """A bot's run through at least two depths."""
    folder = tmp_path_factory.mktemp("runs")
    simulated(Setup(1, "1", generator="rooms", size=(40, 25)), TURNS, folder)
    recorded = read_run(folder / "run-1.jsonl")
    assert any(isinstance(action, Descend) for action, *_ in recorded.actions)
    return recorded


def acted(path, setup, *actions):
    """Return a recorded run of these actions."""
    run = Run.begin(setup, path)
    for action in actions:
        assert not isinstance(run.act(action), Refused)
    run.close()
    return read_run(path)


def watching(recorded, **options):
    """Return a person before a replay that is paused, and the replay."""
    person = Person(**options)
    person.app.answer(Push(ReplayScreen(recorded)))
    person.presses("space")
    return person, person.top


def settled(person, replay):
    """Wait until the replay is where it was going."""
    for _ in range(1000):
        if replay.head.goal is None:
            return
        person.waits()
    raise AssertionError("it never arrives")


def states(recorded):
    """Return the digest after each turn, as playing it again gives them."""
    playback = Playback(recorded)
    world = playback.engine.world
    return [world.digest(), *(world.digest() for _ in playback.to_end())]


def first_blow(recorded):
    """Return the first turn of the run on which someone was struck."""
    playback = Playback(recorded)
    for turn, events in enumerate(playback.to_end(), 1):
        if kind_of(events, playback.engine.world.hero.id) == "fight":
            return turn
    raise AssertionError("nobody fights in this run")


# Time


def test_turns_become_due_with_time_and_absence_does_not_count():
    pace = Pace(1.0)
    pace.turns(100.0)
    assert sum(pace.turns(100.0 + part / 30) for part in range(1, 31)) == 8
    assert pace.turns(500.0) <= 2
    pace.speed = 64.0
    pace.rest()
    pace.turns(0.0)
    assert sum(pace.turns(part / 30) for part in range(1, 31)) == 512


def test_speed_goes_from_an_eighth_to_64_and_then_as_fast_as_possible():
    pace, heard = Pace(3.0), []
    for _ in range(20):
        pace.hasten(-1)
    for _ in range(len(SPEEDS) + 3):
        heard.append(str(pace))
        pace.hasten(1)
    assert heard[:4] == ["1/8x", "1/4x", "1/2x", "1x"]
    assert heard[9] == "64x"
    assert heard[10:] == ["as fast as possible"] * 4
    pace.hasten(-1)
    assert pace.speed == 64
    pace.rush()
    assert pace.speed == math.inf
    pace.rush()
    assert pace.speed == 64


def test_slow_or_fast_no_more_than_thirty_pictures_a_second():
    for speed in (*SPEEDS, 3.0):
        assert math.isinf(speed) or Pace(speed).interval >= 1 / 30


class SlowFace(FakeFace):
    """A face that takes its time, as real ones do."""

    def wait(self, timeout):
        if len(self.shown) > 400:
            raise AssertionError("too many pictures")
        time.sleep(timeout or 0)
        return super().wait(timeout)


@pytest.mark.parametrize("speed", [64.0, math.inf])
def test_fast_forward_draws_few_pictures_of_many_turns(adventure, speed):
    face = SlowFace()
    app = App(face, Title())
    app.answer(Push(ReplayScreen(adventure, speed)))
    start = time.monotonic()
    app.run()
    seconds = time.monotonic() - start
    assert app.stack == []
    assert len(face.shown) <= 30 * seconds + 3
    assert len(face.shown) < TURNS / 2


class RestlessFace(SlowFace):
    """A face whose mouse never rests."""

    def wait(self, timeout):
        if len(self.shown) == 60:
            return [Closed()]
        return super().wait(timeout) or [Pointer("move", 1, 1)]


@pytest.mark.parametrize("speed", [64.0, math.inf])
def test_a_moving_mouse_does_not_make_time_stand_still(adventure, speed):
    app = App(RestlessFace(), Title())
    replay = ReplayScreen(adventure, speed)
    app.answer(Push(replay))
    app.run()
    assert replay.head.position > 60


def test_it_plays_by_itself_stops_at_the_end_and_begins_again(adventure):
    person, replay = watching(adventure)
    assert replay.interval is None
    person.types("f").presses("space")
    while replay.interval is not None:
        person.waits()
    assert replay.head.position == len(adventure.actions)
    assert "paused as fast as possible" in person.reads()
    person.presses("space").waits()
    assert 0 < replay.head.position < len(adventure.actions)


# Places


def test_every_way_of_going_leads_to_the_state_that_was(adventure):
    states_then = states(adventure)
    person, replay = watching(adventure)

    def stands_on(turn):
        settled(person, replay)
        assert replay.head.position == turn
        assert replay.session.run.world.digest() == states_then[turn]
        assert f"turn {turn} of {len(adventure.actions)}" in person.reads()

    person.presses("home", "right", "right", "right")
    stands_on(3)
    person.presses("left")
    stands_on(2)
    person.presses("pagedown", "pagedown")
    stands_on(22)
    person.presses("pageup")
    stands_on(12)
    person.types("321").presses("enter")
    stands_on(321)
    person.types("g").types("40\n")
    stands_on(40)
    person.presses("left")
    stands_on(39)
    person.presses("end")
    stands_on(len(adventure.actions))
    person.presses("right")
    stands_on(len(adventure.actions))
    person.presses("home", "left")
    stands_on(0)


def test_a_turn_that_does_not_exist_is_said_and_can_be_corrected(adventure):
    person, replay = watching(adventure)
    person.presses("home").types("99999\n")
    assert f"a whole number from 0 to {len(adventure.actions)}" in person.reads()
    person.presses(*["backspace"] * 5).types("-3\n")
    assert "a whole number" in person.reads()
    person.presses("escape")
    assert person.top is replay
    assert replay.head.position == 0


def test_depths_are_marked_on_the_bar_and_can_be_gone_to(adventure):
    person, replay = watching(adventure)
    turns = [n for n, (a, *_) in enumerate(adventure.actions, 1) if isinstance(a, Descend)]
    person.presses("home", "]")
    settled(person, replay)
    assert replay.head.position == turns[0]
    assert replay.session.run.world.depth == 2
    bar = person.reads().splitlines()[-2]
    at = replay._bar.x + column(replay._bar, turns[0], len(adventure.actions))
    assert bar[2] == "1"
    assert bar[at] == "●"
    person.types("10").presses("enter")
    settled(person, replay)
    assert person.reads().splitlines()[-2][at] == "2"
    person.presses("]")
    settled(person, replay)
    person.presses("right", "[")
    settled(person, replay)
    assert replay.head.position == turns[0]
    person.presses("[")
    assert replay.head.position == 0
    person.presses("end")
    settled(person, replay)
    person.presses("]")
    assert "ends on this level" in person.reads()


def test_levels_that_are_reached_by_a_step_are_marked_too(tmp_path):
    simulated(Setup(5, "5", Mode.WORKSHOP, "rooms"), 600, tmp_path)
    recorded = read_run(tmp_path / "run-5.jsonl")
    assert not any(isinstance(action, Descend) for action, *_ in recorded.actions)
    person, replay = watching(recorded)
    assert replay.head.chapters.levels[1][1] == 2
    person.presses("home", "]")
    settled(person, replay)
    assert replay.session.run.world.depth == 2
    person.presses("left")
    assert replay.session.run.world.depth == 1


def test_what_is_told_of_a_level_stays_for_a_turn_and_is_true(adventure):
    person, replay = watching(adventure)
    arrived = replay.head.chapters.levels[1][0]
    for turn in (arrived, arrived + 1, arrived + 9):
        replay.player.to(turn)
        settled(person, replay)
        assert ("grown by" in person.reads()) == (turn == arrived)
        assert "turns: " not in person.reads()
    person, replay = watching(adventure)
    while replay.head.position < arrived:
        person.presses("right")
    assert f"took {arrived} turns" in person.reads()


def test_a_visit_counts_as_another_level(tmp_path):
    setup = Setup(5, "5", Mode.WORKSHOP, "rooms")
    recorded = acted(tmp_path / "a.jsonl", setup, Wait(), Visit("caves:7:9"), Wait(), Wait())
    person, replay = watching(recorded)
    person.presses("home", "]")
    assert replay.head.position == 2
    assert "depth 9" in person.reads()


def test_the_next_event_is_the_first_blow_and_not_the_second(adventure):
    blow = first_blow(adventure)
    person, replay = watching(adventure)
    replay.player.to(blow - 1)
    settled(person, replay)
    person.types("n")
    settled(person, replay)
    assert replay.head.position == blow
    chapters = replay.head.chapters
    person.types("n")
    settled(person, replay)
    later = replay.head.position
    assert later > blow + 1
    assert chapters.worth_seeing(later)
    assert not any(map(chapters.worth_seeing, range(blow + 1, later)))
    person.types("N")
    settled(person, replay)
    assert replay.head.position == blow


@pytest.fixture
def bare(adventure, tmp_path):
    """The adventure without the keyframes beside it."""
    path = tmp_path / "bare.jsonl"
    path.write_bytes(adventure.path.read_bytes())
    return read_run(path)


def test_a_long_way_is_gone_in_pieces_and_any_pause_stops_it(bare, monkeypatch):
    person, replay = watching(bare)
    person.presses("home")
    monkeypatch.setattr(Playhead.work, "__defaults__", (0.0,))
    person.presses("end")
    assert replay.head.position < 30
    assert f"going to turn {len(bare.actions)}" in person.reads()
    person.waits(20)
    here = replay.head.position
    assert 20 <= here < 50
    person.presses("escape").waits(3)
    assert replay.head.position == here
    assert person.top is replay
    monkeypatch.setattr(replay.head.chapters, "worth_seeing", lambda turn: False)
    person.types("n")
    assert "searching" in person.reads()
    person.presses("space")
    assert replay.head.goal is None
    assert replay.interval is None


# What was said


def test_messages_are_those_of_the_turn_however_one_came_there(adventure):
    turn = first_blow(adventure) + 12
    person, replay = watching(adventure)
    person.presses("home")
    for _ in range(turn):
        person.presses("right")
    told = [str(message) for message in replay.session.log.messages]
    assert any("You hit" in line or "hits you" in line for line in told)
    for keys in (["end", "go"], ["pagedown", "go"], ["home", "go"]):
        for key in keys:
            person.types(f"{turn}\n" if key == "go" else [Key(key)])
            settled(person, replay)
        assert [str(message) for message in replay.session.log.messages] == told
    person.types("M")
    assert "Messages" in person.reads()
    assert told[-1] in person.reads()


def test_where_turns_were_skipped_the_log_says_so(adventure, bare):
    whole, hasty = Playhead(bare), Playhead(adventure)
    whole.go(whole.end)
    while whole.goal is not None:
        whole.work()
    turn = whole.chapters.previous_event(whole.end) + 9
    assert turn > 250
    told = []
    for head in (whole, hasty):
        head.go(turn)
        while head.goal is not None:
            head.work()
        told.append([str(message) for message in head.session.log.messages])
    assert "…" not in told[0]
    assert told[1][0] == "…"
    assert 1 < len(told[1]) < len(told[0])
    assert told[1][1:] == told[0][1 - len(told[1]) :]


# Looking


def test_the_whole_level_can_be_seen_and_anything_named(adventure):
    person, replay = watching(adventure)
    person.types("60\n")
    settled(person, replay)
    world, view = replay.session.run.world, replay.session.view
    hidden = next(
        (x, y)
        for y in range(world.map.height)
        for x in range(world.map.width)
        if not world.map.explored[y, x]
    )
    person.reads()
    spot = hidden[0] - view.left, hidden[1] - view.top
    person.app.hear(Pointer("move", 3, 3, spot))
    assert "not seen yet" in person.reads()
    person.presses("tab")
    person.app.hear(Pointer("move", 3, 3, spot))
    assert "everything is shown" not in person.reads()
    assert "not seen yet" not in person.reads()
    person.app.hear(Pointer("move", 0, 0))
    assert "everything is shown" in person.reads()
    person.types("x")
    assert "Look" in person.reads()
    assert "turn 60 of" in person.reads()
    person.presses("right", "escape")
    assert person.top is replay


def test_help_names_every_key_of_a_replay(adventure):
    person, _ = watching(adventure)
    person.types("?")
    text = person.reads()
    for _ in range(5):
        person.presses("pagedown")
        text += person.reads()
    for section in ("player", "replay"):
        for binding in bindings()[section].values():
            assert binding.help in text
            assert shown(binding.keys[0]) in text


@pytest.mark.parametrize("size", [(80, 30), (200, 60), (40, 12), (20, 8), (1, 1)])
def test_it_draws_at_any_size(adventure, size):
    person, replay = watching(adventure, columns=size[0], rows=size[1])
    for keys in ("?", "x", "M", "g", "t"):
        person.types(keys).reads()
        person.presses("escape")
    assert person.top is replay
    if size[0] >= 80:
        assert f"of {len(adventure.actions)}" in person.reads()


# The bar


def test_the_bar_can_be_pressed_and_dragged(adventure):
    person, replay = watching(adventure)
    person.presses("home").reads()
    bar, total = replay._bar, len(adventure.actions)
    middle = bar.x + bar.width // 2
    person.app.hear(Pointer("move", middle, bar.y))
    assert "press to go there" in person.reads()
    assert replay.head.position == 0
    person.app.hear(Pointer("press", middle, bar.y, None, "left"))
    settled(person, replay)
    assert abs(replay.head.position - total / 2) <= total / bar.width
    person.app.hear(Pointer("move", bar.x, bar.y + 1, None, "left"))
    settled(person, replay)
    assert replay.head.position == 0
    person.app.hear(Pointer("move", middle, bar.y))
    person.app.hear(Pointer("move", middle, bar.y, None, "left"))
    assert replay.head.position == 0


# Taking over


def test_taking_over_asks_first_and_no_is_the_default(adventure):
    person, replay = watching(adventure)
    person.types("100\n")
    settled(person, replay)
    person.types("t")
    assert "Take over on turn 100?" in person.reads()
    person.presses("enter")
    assert person.top is replay
    assert recorded_paths() == []


def test_a_run_taken_over_stands_alone_says_where_from_and_is_not_scored(adventure):
    before = adventure.path.read_bytes()
    then = states(adventure)[100]
    person, replay = watching(adventure)
    person.types("100\n")
    settled(person, replay)
    wounded = replay.session.run.world.hero.fighter.hp
    person.types("ty").waits(100)
    assert isinstance(person.top, PlayScreen)
    world = person.top.session.run.world
    assert world.turn == 100
    assert not world.scored
    assert world.hero.fighter.hp == wounded
    assert "unscored" in person.reads()
    assert "You take over on turn 100" in person.reads()
    person.types("..S")
    assert "New adventure" in person.reads()
    (path,) = recorded_paths()
    grown = read_run(path)
    assert grown.header.setup.grew_from == f"{adventure.path.name}@100"
    assert [a for a, *_ in grown.actions[:100]] == [a for a, *_ in adventure.actions[:100]]
    assert len(grown.actions) == 102
    replayed = states(grown)
    assert replayed[100] != then  # For it is not scored.
    assert replayed[102] == world.digest()
    assert adventure.path.read_bytes() == before
    person.types("r\n")
    assert f"grown from {adventure.path.name}@100" in person.reads()


def test_giving_up_half_way_leaves_nothing_behind(adventure, monkeypatch):
    monkeypatch.setattr(branching.time, "monotonic", iter(range(10**6)).__next__)
    person, replay = watching(adventure)
    replay.head.playback.seek(300)
    person.types("ty").waits(3)
    assert isinstance(person.top, Growing)
    assert "played over" in person.reads()
    assert len(recorded_paths()) == 1
    person.presses("escape")
    assert person.top is replay
    assert recorded_paths() == []


def test_the_dead_cannot_be_taken_over(adventure):
    person, replay = watching(adventure)
    replay.session.run.world.hero.fighter.hp = 0
    person.types("t")
    assert "The hero is dead" in person.reads()
    person.presses("escape")
    assert person.top is replay


# Trouble


def broken(adventure, tmp_path, turn):
    """Return the run with a wrong action on ``turn``."""
    lines = adventure.path.read_text().splitlines()
    action = lines[turn][lines[turn].index("[") : lines[turn].index("]") + 1]
    lines[turn] = lines[turn].replace(action, '["descend"]', 1)
    path = tmp_path / "broken.jsonl"
    path.write_text("\n".join(lines) + "\n")
    return read_run(path)


@pytest.fixture
def damaged(adventure, tmp_path):
    """The adventure, wrong from turn 50 on."""
    return broken(adventure, tmp_path, 50)


def test_divergence_is_said_in_a_sentence_and_what_came_before_can_be_watched(damaged, adventure):
    person, replay = watching(damaged)
    person.presses("end").waits(5)
    text = person.reads()
    assert "The replay ends here" in text
    assert "out of sync at turn 50" in text
    assert str(damaged.path) not in text
    assert replay.head.position == 49
    assert replay.session.run.world.digest() == states(adventure)[49]
    person.types("wf")
    assert replay.interval is not None
    while replay.interval is not None:
        person.waits()
    assert person.top is replay
    assert replay.head.position == 49
    assert "out of sync at turn 50" in person.reads()
    assert "╌" in person.reads()
    person.presses("right", "end")
    assert replay.head.position == 49
    assert person.top is replay


def test_a_damaged_run_can_be_taken_over_before_the_damage(damaged):
    person, _ = watching(damaged)
    person.presses("end").waits(5)
    person.types("ty").waits(50)
    assert isinstance(person.top, PlayScreen)
    assert person.top.session.run.world.turn == 49


def test_a_run_wrong_from_the_first_turn_still_shows_its_beginning(adventure, tmp_path):
    person, replay = watching(broken(adventure, tmp_path, 1))
    person.presses("right")
    assert "The replay ends here" in person.reads()
    assert "up to there" not in person.reads()
    person.types("l")
    assert person.top is not replay


def test_leaving_does_what_was_asked_for(adventure):
    person = Person()
    person.app.answer(Push(ReplayScreen(adventure, away=Leave())))
    person.presses("escape")
    assert person.app.stack == []


def test_keys_with_ctrl_are_not_turns(adventure):
    person, replay = watching(adventure)
    person.app.hear(Key("3", ctrl=True))
    assert person.top is replay


def test_what_is_worth_seeing():
    hero, rat = Who(0, "hero", Point(1, 1)), Who(5, "rat", Point(2, 1))
    dull = [Moved(hero, Point(0, 1)), Spotted(rat), Noticed(rat)]
    assert kind_of(dull, 0) == ""
    assert kind_of([*dull, Struck(hero, rat, 2), Died(rat, "hero")], 0) == "fight"
    assert kind_of([Hurt(rat, "trap", 3)], 0) == ""
    assert kind_of([Hurt(hero, "trap", 3)], 0) == "find"
    assert kind_of([Hurt(hero, "poisoned", 1)], 0) == "fight"
    assert kind_of([Afflicted(hero, "poisoned", 9)], 0) == "find"
    assert kind_of([Afflicted(hero, "poisoned", 9, again=True), Relieved(hero, "held")], 0) == ""
    assert kind_of([FoundDoor(Point(4, 4))], 0) == "find"
    assert kind_of([TookGold(hero, 7), Arrived("rooms:1", 2)], 0) == "level"


def test_what_comes_before_damage_can_be_watched(adventure, tmp_path):
    path = tmp_path / "cut.jsonl"
    lines = adventure.path.read_text().splitlines()
    path.write_text("\n".join([*lines[:26], '{"do": nonsense}', *lines[26:]]) + "\n")
    person, replay = watching(read_run(path, tolerant=True))
    assert person.top is replay
    person.presses("end")
    settled(person, replay)
    person.waits()
    assert "is not part of a run" in person.reads()
    assert replay.head.position == 25
    person.presses("enter", "left")
    settled(person, replay)
    assert replay.head.position == 24


def test_a_run_of_another_version_is_paged_through_and_taken_over_as_it_is(adventure, monkeypatch):
    monkeypatch.setattr("engine.records.record.RULES", 999)
    foreign = read_run(adventure.path, tolerant=True)
    assert foreign.foreign
    person, replay = watching(foreign)
    assert "another version's" in person.reads()
    pages = []
    for _ in range(4):
        person.presses("right")
        pages.append(replay.head.position)
    assert pages == sorted(set(pages))
    assert pages[-1] < len(foreign.actions)
    person.presses("left")
    assert replay.head.position == pages[-2]
    person.presses("pageup")
    assert replay.head.position == pages[-3]
    hero = replay.session.run.world.hero
    monkeypatch.undo()
    person.types("ty").waits(3)
    assert isinstance(person.top, PlayScreen)
    world = person.top.session.run.world
    assert (world.hero.x, world.hero.y, world.turn) == (hero.x, hero.y, pages[-3])
    assert not world.scored
    person.types(".S")
    grown = read_run(recorded_paths()[0])
    assert grown.header.setup.grew_from == f"{adventure.path.name}@{pages[-3]}"
    assert states(grown)[-1] == world.digest()


def test_a_run_of_another_version_without_keyframes_is_said_to_be_one(bare, monkeypatch):
    monkeypatch.setattr("engine.records.record.RULES", 999)
    foreign = read_run(bare.path, tolerant=True)
    with pytest.raises(RunFileError, match="no keyframes of it are left"):
        ReplayScreen(foreign)


def test_a_run_without_a_single_turn_can_be_looked_at_and_taken_over(tmp_path):
    person, replay = watching(acted(tmp_path / "new.jsonl", Setup(5, "5", generator="rooms")))
    for key in ("right", "left", "end", "home", "pagedown", "n", "N", "]", "[", "space", "f"):
        person.presses(key).waits(2)
        assert "turn 0 of 0" in person.reads()
    person.app.hear(Pointer("press", replay._bar.x, replay._bar.y, None, "left"))
    person.types("ty").waits(2)
    assert isinstance(person.top, PlayScreen)
    assert not person.top.session.run.world.scored
