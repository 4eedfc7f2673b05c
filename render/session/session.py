"""A run as a person plays it: the run, what has been said, and how it is looked at."""

from dataclasses import dataclass

from engine.monsters.wandering_monsters import quiet_turns, turns_until_next_alert
from engine.saves.run import Run
from engine.state.actions import Action, Refused
from engine.state.events import (
    Afflicted,
    Arrived,
    Event,
    Hunted,
    Hurt,
    LeveledUp,
    Rang,
    ShotFired,
    Spotted,
    Stirred,
    Stole,
    Struck,
    Stumbled,
    Won,
)
from engine.state.game_state import GameState
from engine.state.goal import LAST_DEPTH
from engine.state.run_setup import Mode, RunSetup
from entities.light_levels import light_levels
from entities.pack import worn
from entities.statuses import status_kinds
from entities.terrain import Tile
from procgen.recipes import find_any
from render.map.place_names import size_text
from render.map.viewport import Viewport
from render.messages.event_messages import refusal_message
from render.messages.message_log import MessageLog, turn_messages
from render.messages.names import BARE_HANDS
from render.session.animations import Animations
from render.session.item_commands import LastItemCommand
from render.ui.buttons import Hint
from render.ui.keymap import first_key
from render.ui.palette import theme
from render.ui.text import Line


@dataclass(frozen=True)
class LevelStart:
    """Where a run stood when a level began."""

    depth: int
    turn: int
    kills: int
    gold: int


def level_start(state: GameState) -> LevelStart:
    """Return where the run stands now."""
    return LevelStart(state.depth, state.turn, state.kills, state.gold)


def arrival_lines(state: GameState, behind: LevelStart | None) -> list[Line]:
    """Return what there is to say of the level of ``state``, and of the one ``behind``."""
    code = state.code
    recipe = find_any(code.recipe, code.version)
    lines: list[Line] = [
        [(f"Depth {state.depth}", "accent"), (f"  {theme(state.map.theme).name}", "text")],
        [(f"grown by {recipe.name}, {size_text(state)}", "dim")],
        *_level_notes(state),
    ]
    if behind:
        turns, kills = state.turn - behind.turn, state.kills - behind.kills
        gold = state.gold - behind.gold
        killed = "1 kill" if kills == 1 else f"{kills} kills"
        told = f"depth {behind.depth} took {turns} turns: {killed}, {gold} gold"
        lines += [[], [(told, "dim")]]
    return lines


def _level_notes(state: GameState) -> list[Line]:
    """Return what the hero feels of the level."""
    lines: list[Line] = []
    light = light_levels().get(state.map.light)
    if light:
        lines.append([(light.name, "text")])
    if (state.map.tiles == Tile.LOCKED_DOOR).any():
        lines.append([("a vault is locked here, and its key lies about", "accent")])
    if turns_until_next_alert(state) is not None:
        lines.append([(f"quiet for {quiet_turns(state)} turns, then hunters come", "dim")])
    if state.depth == LAST_DEPTH and state.won is None:
        lines.append([("What you came for lies here.", "good")])
    elif state.depth > LAST_DEPTH:
        lines.append([("Nobody has been here before you.", "warn")])
    return lines


class Session:
    """Acts through the run and turns what comes of it into words.

    ``hints`` are shown beside the map instead of the keys of play; ``last_deed`` is what one
    key does again; ``card`` tells of a level until the next action, ``show`` is what is seen of
    the last one. ``warned`` is the trouble with saving that has been told of.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.log = MessageLog()
        self.view = Viewport()
        self.disturbed = False
        self.warned: str | None = None
        self.hints: list[Hint] | None = None
        self.last_command: LastItemCommand | None = None
        self.card: list[Line] = [] if run.state.turn else arrival_lines(run.state, None)
        self.show = Animations()
        self._mark: LevelStart | None = level_start(run.state)
        self._warned_of_wounds = False
        self.greet()

    @property
    def setup(self) -> RunSetup:
        """What the run began with."""
        return self.run.state.setup

    @property
    def workshop(self) -> bool:
        """Whether this is the Workshop."""
        return self.setup.mode is Mode.WORKSHOP

    def greet(self) -> None:
        """Say where one is and how to get help."""
        help_key = first_key("play", "help")
        if self.workshop:
            switch = f"{first_key('play', 'previous')} {first_key('play', 'next')}"
            seed = first_key("play", "seed")
            text = (
                f"The Workshop: {switch} another generator, {seed} the next seed, {help_key} help."
            )
        else:
            depth = self.run.state.depth
            where = "at the top" if depth == 1 else f"on depth {depth}"
            where = f"{where} of a dungeon that grew from a seed"
            if self.run.state.map.is_infinite:
                where = "in a world that grows from a seed wherever you go"
            text = f"You stand {where}. {help_key} helps."
        self.say(text, "accent")

    def say(self, text: str, color: str = "text") -> None:
        """Add a message of the interface's own."""
        self.log.add(text, color, self.run.state.turn)

    def act(self, action: Action) -> list[Event] | Refused:
        """Carry out ``action``; afterwards `disturbed` tells whether danger came up."""
        outcome = self.run.act(action)
        self.disturbed, self.card = False, []
        if isinstance(outcome, Refused):
            self.say(refusal_message(outcome.why), "dim")
            return outcome
        self.hear(outcome)
        self.show.begin(outcome)
        self.report_save_problems()
        return outcome

    def report_save_problems(self) -> None:
        """Say when the disk refuses the run, and when it takes it again; each once."""
        problem = self.run.recorder.problem if self.run.recorder else None
        if problem == self.warned:
            return
        self.warned = problem
        if problem:
            self.say(f"Warning: {problem}.", "bad")
        else:
            self.say("This run is being saved again, with all that was missing.", "good")

    @property
    def lost(self) -> str:
        """What of the run would be gone if it were closed for good now, or ''."""
        return self.run.recorder.lost if self.run.recorder else ""

    def hear(self, events: list[Event]) -> None:
        """Put a turn's events into words; take note of danger and of a level begun."""
        self.card = []
        weapon = worn(self.run.state.hero, "weapon")
        for said in turn_messages(events, weapon.kind if weapon else BARE_HANDS):
            self.say(*said)
        for event in events:
            self.disturbed |= self._disturbs(event)
            if isinstance(event, Arrived):
                behind, self._mark = self._mark, level_start(self.run.state)
                self.card = arrival_lines(self.run.state, None if event.again else behind)
        self._heed_wounds()

    def jump(self) -> None:
        """Take note that turns are skipped: how long one has been on a level is not known then."""
        self.card, self._mark = [], None

    def _disturbs(self, event: Event) -> bool:
        """Whether no key that was pressed before ``event`` may count after it."""
        hero = self.run.state.hero.id
        match event:
            case Struck(_, target) | ShotFired(_, target):
                return target.id == hero
            case Hurt(who) | Stumbled(who):
                return who.id == hero
            case Afflicted(who, status):
                return who.id == hero and not status_kinds()[status].good
            case Spotted() | Stole() | Stirred() | Hunted() | Rang() | LeveledUp() | Won():
                return True
        return False

    def _heed_wounds(self) -> None:
        """Warn once when few hit points are left."""
        fighter = self.run.state.hero.fighter
        grave = 0 < fighter.hp * 3 <= fighter.max_hp
        if grave and not self._warned_of_wounds:
            self.say(f"You are badly hurt: {fighter.hp} hit points are left.", "bad")
            self.disturbed = True
        self._warned_of_wounds = grave
