"""How runs end: the screen, the morgue file, and the words for it."""

import re
from datetime import timedelta

import pytest

from components import AiState
from engine.infinite.infinite_map import NOWHERE
from engine.levels.dungeon import new_game
from engine.saves.high_scores import daily_setup, read_scores, today
from engine.state.run_setup import Mode, RunSetup
from entities.creature_kinds import make_creature
from entities.item_kinds import item_classes, item_kinds
from main import main
from render.messages.names import item_name
from render.panels.morgue import (
    ending_text,
    map_rows,
    morgue_folder,
    ordinal,
)
from render.screens.menu import Menu
from render.screens.play_screen import PlayScreen
from render.screens.replay_screen import ReplayScreen
from render.screens.run_end import EndScreen, ScoresScreen
from render.screens.screen import Push
from render.screens.title import TitleScreen
from render.ui.input import Key, Pointer
from render.ui.text import path_lines
from support.fake_backend import Person
from support.items import give
from support.play_screens import playing, slain, world_of
from support.scenes import ROOMS, scene

SIZES = [(80, 30), (110, 44), (200, 60)]


@pytest.mark.usefixtures("rooms_count")
@pytest.mark.parametrize("size", SIZES)
def test_a_death_says_how_where_and_what_it_was_worth(size):
    person = slain(columns=size[0], rows=size[1])
    assert isinstance(person.top, EndScreen)
    text = person.reads()
    for words in ("Killed by an orc on depth 1", "0 points: 1st of 1", "morgue", "main.py replay"):
        assert words in text, words
    for choice in ("Look at the map", "Watch the run", "The same dungeon again", "To the title"):
        assert choice in text, choice


def test_a_death_in_an_infinite_world_tells_its_danger():
    person = slain(RunSetup(5, "5", generator="wilds"))
    assert "Killed by an orc at danger 1, turn 0" in person.reads()
    assert "orc at danger 1, turn" in next(morgue_folder().iterdir()).read_text("utf-8")


def test_the_end_names_the_seed_and_a_replay_command_that_is_not_cut(capsys):
    lines = slain(RunSetup(42, "forty two", strata=ROOMS), columns=80, rows=24).reads().splitlines()
    assert "turn 0. Seed forty two." in "\n".join(lines)
    command = next(line for line in lines if " replay " in line).partition("main.py ")[2]
    assert main([*command.strip("│ ").split(), "--verify"]) == 0
    assert "turns   0" in capsys.readouterr().out


def test_the_commands_for_a_run_name_the_folder_that_an_option_chose(tmp_path, monkeypatch):
    for variable in ("SEEDHOLLOW_DATA", "SEEDHOLLOW_MINE"):
        monkeypatch.setenv(variable, "")  # The option sets them; this undoes that.
    monkeypatch.chdir(tmp_path)
    assert main(["runs", "--data-dir", "my runs"]) == 0
    lines = slain(RunSetup(42, "42", strata=ROOMS)).reads()
    assert re.search(r"main\.py replay [0-9-]+ --data-dir 'my\W+runs'", lines)
    (path,) = morgue_folder().iterdir()
    text = path.read_text()
    assert re.search(r"replay 'my runs.*' --data-dir 'my runs'\n", text)
    assert re.search(r"map rooms\.1:42:1@\S+ --mine 'my runs'\n", text)
    assert text.endswith("play --seed 42 --data-dir 'my runs'\n")


@pytest.mark.usefixtures("rooms_count")
def test_a_death_is_told_once_however_often_one_looks():
    person = slain().presses("escape").types(".")
    assert isinstance(person.top, EndScreen)
    assert len(read_scores()) == 1


def test_after_a_death_the_run_can_be_watched_and_begun_again():
    person = slain().types("w")
    assert isinstance(person.top, ReplayScreen)
    person = slain().types("aa").presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).turn == 0
    assert world_of(person).setup.typed_seed == "42"
    assert [type(screen) for screen in person.app.stack] == [TitleScreen, PlayScreen]


def test_two_lines_to_share_are_copied():
    [text] = slain(RunSetup(42, "42")).types("s").backend.copied
    first, path = text.splitlines()
    code = "digger.1+overgrown.1:42:1@80x45"
    assert first == f"Seedhollow {code}: depth 1, 0 points, killed by an orc"
    assert path == "digger"


def test_the_end_offers_a_new_dungeon_and_comes_back_after_a_look_at_the_map():
    person = slain(RunSetup(42, "42", generator="rooms"))
    assert "x examine" not in person.reads().splitlines()[-1]  # Not while the end lies over it.
    person.types("l")
    assert isinstance(person.top, PlayScreen)
    # The side bar or, without one, the foot line names the keys that still work, and only once.
    for columns, line in ((80, "x examine · Esc go on"), (120, r"x +examine *\n.*Esc +go on")):
        person.backend.size = (columns, 40)
        assert re.search(line, person.reads())
        assert person.reads().count("Esc") == 1
        assert "help" not in person.reads().replace("for help", "")
    for key in "o>Z.ait\x1b":
        person.types(key)
        assert isinstance(person.top, EndScreen), key
        person.types("l")
    person.types("x").presses("escape")
    assert isinstance(person.top, PlayScreen)
    person.types("on").presses("escape")
    assert isinstance(person.top, PlayScreen)
    assert world_of(person).turn == 0
    assert world_of(person).setup.seed != 42
    assert world_of(person).setup.generator == "rooms"


@pytest.mark.parametrize("size", [(60, 20), (60, 16), (80, 24)])
def test_the_files_of_a_run_end_above_the_keys_of_the_end_screen(size, monkeypatch):
    monkeypatch.setattr(EndScreen, "_files", lambda *_: [("morgue", "folder/")] * 9)
    person = slain(columns=size[0], rows=size[1])
    rows = [row.strip() for row in person.reads().splitlines()]
    (border,) = (number for number, row in enumerate(rows) if re.fullmatch("╰─+╯", row))
    assert rows[border - 2].strip("│ ") == ""
    assert re.fullmatch(r"│ +Enter choose · Esc \w+ +│", rows[border - 1])


def test_the_morgue_holds_what_a_reader_asks_for():
    slain(RunSetup(42, "forty two", generator="rooms"))
    (path,) = morgue_folder().iterdir()
    text = path.read_text()
    for words in (
        "Killed by an orc on depth 1, turn 0.",
        "forty two",
        "rooms.1:42:1@80x45",
        "--seed 'forty two' --generator rooms",
        "Last messages",
        "In the pack",
        "leather armour",
        "replay",
        "@",
        "hit points",
    ):
        assert words in text, words
    assert max(map(len, text.splitlines()[:20])) <= 80


def test_the_end_screen_does_not_stick_out_around_what_lies_on_it():
    person = playing()
    world_of(person).gold = 3
    person.types("Qy")
    for key in "ha":
        text = person.types(key).reads()
        assert "Abandoned" not in text
        assert [text.count(corner) for corner in "╭╮╰╯"] == [1, 1, 1, 1]
        assert "Abandoned on depth 1" in person.presses("escape").reads()


def test_a_run_abandoned_without_a_point_stands_on_no_board():
    for setup in (None, daily_setup(today())):
        person = playing(setup).types("Qy")
        assert isinstance(person.top, EndScreen)
        assert "0 points." in person.reads()
        assert "No scored runs yet." in person.types("h").reads()
    assert "No scored runs yet." in person.presses("left").reads()
    person = playing().types(".....Qyh")
    assert "No scored runs yet." in person.reads()


@pytest.mark.usefixtures("rooms_count")
def test_an_abandoned_run_with_points_stands_on_the_boards():
    person = playing()
    world_of(person).gold = 3
    person.types("Qy")
    assert "3 points: 1st of 1" in person.reads()
    assert isinstance(person.top, EndScreen)
    assert "Abandoned on depth 1" in person.reads()
    assert read_scores()[0].end == "abandoned"
    person.types("t")
    assert isinstance(person.top, TitleScreen)


@pytest.mark.usefixtures("rooms_count")
def test_a_single_point_is_one_point():
    person = playing()
    world_of(person).gold = 1
    person.types("Qy")
    assert "1 point: 1st of 1" in person.reads()
    assert "depth 1, 1 point, abandoned" in person.types("s").backend.copied[0]
    assert "\n1 point: 1st of 1." in next(morgue_folder().glob("*.txt")).read_text("utf-8")


def test_the_workshop_and_branches_are_not_scored():
    person = slain(RunSetup(42, "42", Mode.WORKSHOP, "rooms"))
    assert "not scored" in person.reads()
    assert read_scores() == []
    assert not morgue_folder().exists()
    playing(RunSetup(42, "42", Mode.WORKSHOP, "rooms")).types("Qy")
    assert read_scores() == []


def test_words_for_ends_and_places():
    assert ending_text("killed by orc") == "killed by an orc"
    assert ending_text("killed by trap") == "killed by a dart trap"
    assert ending_text("killed by poisoned") == "killed by poison"
    assert ending_text("killed by nobody-knows") == "killed by nobody-knows"
    assert ending_text("killed by an orc") == "killed by an orc"
    assert ending_text("") == "unfinished"
    assert [ordinal(n) for n in (1, 2, 3, 4, 11, 21, 112)] == [
        "1st", "2nd", "3rd", "4th", "11th", "21st", "112th",
    ]  # fmt: skip


@pytest.mark.parametrize(("kills", "told"), [(0, "0 kills"), (1, "1 kill"), (2, "2 kills")])
def test_the_end_counts_one_kill_as_one(kills, told):
    person = playing()
    world_of(person).kills, world_of(person).gold = kills, 1666
    person.types("Qy")
    assert f"Level 1, {told}, 1,666 gold" in person.reads()


@pytest.mark.parametrize("size", SIZES)
def test_the_character_screen_tells_all(size):
    person = playing(columns=size[0], rows=size[1])
    state = world_of(person)
    state.hero.statuses["burning"] = 4
    state.hero.experience.talents.append("tough")
    state.kills_by_kind, state.kills = {"orc": 3}, 3
    person.types("@")
    text = person.reads()
    person.presses("end")
    text += person.reads()
    assert re.search(r"orc +3", text)
    for words in ("hit points", "power", "burning, 4 turns", "Tough", "a dagger"):
        assert words in text, words


def test_what_was_learned_by_wearing_it_is_known_on_the_sheet_and_in_the_morgue():
    with_looks = {name for name, sort in item_classes().items() if sort.slot and sort.looks}
    person = playing()
    state, engine = world_of(person), person.top.session.run.engine
    for kind in [one for one, data in item_kinds().items() if data.item_class in with_looks]:
        item = give(engine, kind)
        look = item_name(state, item)
        person.types(f"e{item.letter}@")
        assert look not in person.reads()
        assert item_name(state, item) in person.reads()
        person.presses("escape")
    assert look != item_name(state, item)
    person.types("Qy")
    text = next(morgue_folder().glob("*.txt")).read_text(encoding="utf-8")
    assert item_name(state, item) in text
    assert look not in text


def test_a_command_is_broken_at_its_blanks_before_a_path_in_it():
    text = "python main.py replay run-17 --data-dir /home/somebody/games"
    lines = ["python main.py replay run-17 --data-dir ", "/home/somebody/games"]
    assert path_lines(text, 45) == lines


def test_a_long_path_is_broken_behind_its_folders():
    text = 'seedhollow replay "/home/somebody/.local/share/a-folder/runs/adventure-17.jsonl"'
    lines = path_lines(text, 40)
    assert lines == [
        'seedhollow replay "/home/somebody/',
        ".local/share/a-folder/runs/",
        'adventure-17.jsonl"',
    ]
    assert "".join(path_lines(text, 12)) == text
    assert max(map(len, path_lines(text, 12))) <= 12


@pytest.mark.usefixtures("rooms_count")
def test_a_narrow_list_of_scores_leaves_out_the_seeds_and_no_end():
    for columns, seeds in ((80, False), (125, False), (126, True)):
        head, row = slain(columns=columns, rows=24).types("h").reads().splitlines()[8:10]
        assert "killed by an orc" in row
        assert ("seed" in head, " 42 " in row) == (seeds, seeds)


@pytest.mark.usefixtures("rooms_count")
def test_a_click_on_an_empty_list_of_scores_chooses_nothing():
    person = slain().types("h")
    rows = person.reads().splitlines()
    y = next(y for y, row in enumerate(rows) if "killed by an orc" in row)
    screen = person.presses("left").top
    assert "No scored runs yet." in person.reads()
    person.app.handle(Pointer("move", 40, y))
    person.app.handle(Pointer("press", 40, y, None, "left"))
    assert person.top is screen
    assert "killed by an orc" in person.presses("right").reads()
    person.app.handle(Pointer("press", 40, y, None, "left"))
    assert isinstance(person.top, ReplayScreen)


def test_a_run_that_could_not_be_recorded_is_begun_again_without_asking_for_a_ghost():
    person = slain()
    person.top.session.run.recorder.problem = "this run is not saved"
    person.types("a").presses("escape")
    assert isinstance(person.top, PlayScreen)
    state = world_of(person)
    assert (state.turn, state.setup.typed_seed, state.setup.ghost) == (0, "42", None)


@pytest.mark.parametrize("name", ["← today's dungeon", "→ day after"])
@pytest.mark.parametrize("front", [Person, slain])
def test_a_double_click_that_turns_to_todays_scores_does_not_begin_its_dungeon(front, name):
    person, yesterday = front(), (today() - timedelta(days=1)).isoformat()
    for column in range(len(name)):
        person.app.answer(Push(ScoresScreen(day="" if "today" in name else yesterday)))
        row, words = next(
            (y, row) for y, row in enumerate(person.reads().split("\n")) if name in row
        )
        for _ in range(2):
            x = words.index(name) + column
            person.app.handle(Pointer("press", x, row, None, "left"))
            person.reads()
        assert not isinstance(person.top, PlayScreen)


def test_todays_dungeon_is_begun_from_its_scores():
    person = slain().types("h")
    assert "p play it" not in person.reads()
    assert "p play it" not in person.presses("left", "left").reads()
    assert "p play it" in person.presses("right").reads()
    person.types([Key("p", ctrl=True), Key("p", alt=True)])
    assert isinstance(person.top, ScoresScreen), "those are other keys"
    person.types("p1")
    assert [type(screen) for screen in person.app.stack] == [TitleScreen, PlayScreen]
    assert world_of(person).setup.typed_seed == daily_setup(today()).typed_seed
    person.types(".S").app.answer(Push(ScoresScreen(day=today().isoformat())))
    person.types("p")
    assert isinstance(person.top, Menu), "as in the menu of the day"
    assert "With the ghost of the earlier run" in person.reads()
    person.types("a1")
    assert [type(screen) for screen in person.app.stack] == [TitleScreen, PlayScreen]


def test_the_morgue_names_the_settings_and_the_size_of_its_dungeon(capsys):
    settings = ("scatter_rock.rock=0.5",)
    setup = RunSetup(3, "3", generator="caves", settings=settings, size=(60, 40), depth=2)
    slain(setup)
    text = next(morgue_folder().iterdir()).read_text("utf-8")
    given = "--generator caves --set scatter_rock.rock=0.5 --size 60x40 --depth 2"
    assert text.endswith(f"play --seed 3 {given}\n")
    code = re.search(r"map '(caves.*)'", text)[1]
    assert code == "caves.1;scatter_rock.rock=0.5:3:2@60x40"
    assert main(["map", code]) == 0


@pytest.mark.parametrize(("level", "told"), [(2, "1 talent"), (3, "2 talents")])
def test_the_sheet_reminds_of_talents_that_are_not_chosen(level, told):
    person = playing()
    person.types("T1")
    assert "to choose" not in person.types("@").reads()
    person.presses("escape")
    world_of(person).hero.experience.level = level
    assert f"You have {told} to choose." in person.types("@").reads()


def test_the_map_of_the_morgue_shows_a_disguised_monster_as_a_statue():
    state = scene("######\n#@..>#\n######").state
    gargoyle = make_creature("gargoyle", 900, 3, 1)
    gargoyle.ai.state = AiState.HIDDEN
    state.map.add_entity(gargoyle)
    assert map_rows(state) == ["######", "#@.&>#", "######"]


def test_stairs_off_the_map_of_an_infinite_world_are_at_no_edge_of_it():
    state = new_game(RunSetup(4, "4", generator="wilds"))
    state.map.explored[-1, -1] = True
    assert state.map.exit == NOWHERE
    assert not {"<", ">"} & set(map_rows(state)[-1])
