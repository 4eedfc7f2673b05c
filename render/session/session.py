"""A session: a run being played, its message log, its view and its animations.

Actions go through `Session.act`. Also the card that introduces a level on arrival.
"""

from collections import deque
from copy import copy
from dataclasses import dataclass

from engine.creatures.levelling import talents_owed
from engine.monsters.wandering_monsters import LevelAlert, level_alert, turns_until_next_alert
from engine.saves.ghost import ghost_of, ghost_sighting
from engine.saves.run import Run
from engine.state import events as ev
from engine.state.actions import Action, Refused
from engine.state.game_map import GameMap
from engine.state.game_state import GameState
from engine.state.run_setup import LAST_DEPTH, Mode, RunSetup
from entities.data_files import event_name
from entities.light_levels import light_levels
from entities.pack import MOST_STACKS
from entities.seed_kinds import seed_kinds
from entities.statuses import status_kinds
from entities.talents import talents
from entities.terrain import DEEP, LOCK_TILES, MECHANISMS, OPENERS, terrain, tile_mask
from entities.wording import pluralise
from procgen.blueprint import Point
from procgen.level_code import LevelCode
from procgen.position_hash import position_word
from render.map.place_names import code_here, depth_label, name_parts
from render.map.viewport import Viewport
from render.messages.event_messages import event_texts
from render.messages.message_log import MessageLog, turn_messages, witnessed
from render.messages.names import place_name
from render.messages.refusal_messages import refusal_message
from render.session.animations import Animations
from render.session.item_commands import LastItemCommand
from render.session.particles import particle_table
from render.session.turn_sounds import turn_sounds
from render.sound.synthesis import sound_table
from render.ui.buttons import Hint
from render.ui.frame import SoundCue
from render.ui.keymap import first_key
from render.ui.palette import theme
from render.ui.text import Line

NO_GHOST = "The recording of the earlier run is not in the runs folder, so there is no ghost."
ENDLESS_GOAL = "This world has no end, and danger grows with distance."
SEED_TIP = "A seed changes the ground where you plant it, for good."
LAST_TURNS = 10
"""Turns whose events are kept, to say at the end what did most damage."""
SIGHT_KEPT = 20
"""Turns out of view after which the return of a creature into view is news again."""
STIRS_SOON = 150
"""If fewer turns are left until the level stirs, the countdown moves beside the hit points."""


@dataclass(frozen=True)
class LevelStart:
    """The state of a run when the hero arrived on a level, for the summary on leaving it.

    ``name`` is what the summary calls the level: its depth or, of an infinite world, its place.
    """

    name: str
    turn: int
    kills: int
    gold: int


def level_start(state: GameState) -> LevelStart:
    """Return the start of a level at the present state."""
    world = place_name(state.code, state.map.theme) if state.map.is_infinite else ""
    name = f"{world[:1].upper()}{world[1:]}" or f"Depth {state.depth}"
    return LevelStart(name, state.turn, state.kills, state.gold)


def arrival_lines(state: GameState, behind: LevelStart | None) -> list[Line]:
    """Return the card for the level of ``state``, with a summary of the one left ``behind``."""
    label, deep = depth_label(state)
    grown = state.hollow == str(state.code)
    hollow = "This is your own hollow, grown from the First Seed."
    text = hollow if grown else arrival_text(state.code, state.map.theme)
    lines: list[Line] = [
        [(f"{label} {deep}", "accent"), (f"  {place_name(state.code, state.map.theme)}", "text")],
        [(text, "accent" if grown else "dim")],
        *level_notes(state),
    ]
    if behind and not grown:
        turns = pluralise(state.turn - behind.turn, "turn")
        kills = pluralise(state.kills - behind.kills, "kill")
        gold = state.gold - behind.gold
        lines += [[], [(f"{behind.name}: {turns}, {kills}, {gold:,} gold", "dim")]]
    return lines


def arrival_text(code: LevelCode, name: str) -> str:
    """Return the sentence that greets the hero on the level of ``code``, one of its theme's."""
    texts = theme(name).arrival
    return texts[position_word(code.seed, "arrival", code.depth, 0) % len(texts)]


def level_notes(state: GameState, *, brief: bool = False) -> list[Line]:
    """Return what the hero knows of the level: when it stirs, its locks, and its light.

    The light never changes, so it comes last: the foot line leaves out what does not fit.
    """
    lines: list[Line] = []
    if (tile := state.map.tiles[state.hero.y, state.hero.x]) in DEEP and state.hero.alive:
        turns = pluralise(state.hero.statuses.get("levitating", 0), "turn")
        lines.append([(f"Land within {turns}: below you is {terrain().kinds[tile].name}.", "bad")])
    left = turns_until_next_alert(state) or 0
    if left >= STIRS_SOON and level_alert(state) is LevelAlert.QUIET and state.hero.alive:
        stirs = f"Hunters come in {pluralise(left, 'turn')}."
        lines.append([(f"hunters in {left:,}" if brief else stirs, "dim")])
    # Skipped in an infinite world: the lock would be a chunk away, and the search takes 15 ms.
    locked = not state.map.is_infinite and tile_mask(LOCK_TILES)[state.map.tiles].any()
    if locked and state.hero.alive and (way := _way_to_open(state.map)):
        start = "Locked: you" if brief else "Something is locked here. You"
        lines.append([(f"{start} {way}.", "cold")])
    if state.hollow:
        lines.append([(f"Home is {pluralise(state.depth, 'level')} up.", "good")])
    if state.depth == LAST_DEPTH and state.won is None:
        lines.append([("The First Seed is on this level.", "good")])
    elif state.depth > LAST_DEPTH:
        lines.append([("Nobody has been here before you.", "warn")])
    if light := light_levels().get(state.map.light):
        lines.append([(light.name, "text")])
    return lines


def _way_to_open(game_map: GameMap) -> str:
    """Return what the hero knows of opening the locks of the level, to put after "you", if any."""
    tiles = set(game_map.tiles[game_map.explored].tolist())
    things = [tile for tile in (MECHANISMS if game_map.keys else OPENERS) if tile in tiles]
    names = " and ".join(f"a {terrain().kinds[tile].name}" for tile in things)
    if game_map.keys:
        keys = "a key" if game_map.keys == 1 else f"{game_map.keys} keys"
        return f"have {keys} and have seen {names}" if names else f"have {keys}"
    unopened = "" if tiles.isdisjoint(LOCK_TILES) else "must find what opens it"
    return f"have seen {names}" if names else unopened


class Session:
    """Carries out actions and turns their events into messages.

    ``hints`` are shown beside the map instead of the keys of play; ``last_command`` is the command
    that the repeat key repeats. ``card`` introduces a level until the next action, ``animations``
    are those of the last action, ``sounds`` those of turns not drawn yet, ``news`` the events of
    the last turn that became messages. ``tuned`` holds settings by recipe, ``warned`` is the
    problem with saving that was reported last.
    """

    def __init__(self, run: Run) -> None:
        for table in (particle_table, name_parts, sound_table):
            table()  # Report their faults now, not in the middle of the run.
        self.run = run
        self.log = MessageLog()
        # The Workshop is for looking at levels: it shows the whole level, without a lamp.
        self.view = Viewport(reveal=self.workshop, lit=self.workshop, fitted=self.workshop)
        self.disturbed = False
        self.news: list[ev.Event] = []
        self.warned: str | None = None
        self.hints: list[Hint] | None = None
        self.last_command: LastItemCommand | None = None
        begins = not (run.state.turn or self.workshop)  # In the Workshop a card hides the level.
        self.card: list[Line] = arrival_lines(run.state, None) if begins else []
        self.animations = Animations()
        self.asks_again = False  # A continued run offers a choice that was left open.
        self.sounds: list[SoundCue] = []
        self.last_turns = deque[list[ev.Event]](maxlen=LAST_TURNS)
        self.tuned: dict[str, tuple[str, ...]] = {}
        # In the middle of a run the state at arrival is unknown.
        self._mark = None if run.state.turn else level_start(run.state)
        self._warned_of_wounds = False
        # The turn on which each creature was last in view, by id and kind.
        self._in_view: dict[tuple[int, str], int] = {}
        self.ghost = ghost_of(self.setup)
        self.greet()
        self.follow_ghost()

    @property
    def setup(self) -> RunSetup:
        """The setup the run began with."""
        return self.run.state.setup

    @property
    def workshop(self) -> bool:
        """True if this is the Workshop."""
        return self.setup.mode is Mode.WORKSHOP

    @property
    def known_state(self) -> GameState:
        """The state for travel: the Workshop, while it shows the whole level, knows every tile."""
        state = self.run.state
        if self.workshop and self.view.reveal:
            state, state.map = copy(state), copy(state.map)
            state.map.explored = state.map.explored | True
        return state

    @property
    def badly_hurt(self) -> bool:
        """True if a third of the hit points or less is left: risky commands then ask first."""
        fighter = self.run.state.hero.fighter
        return 0 < fighter.hp * 3 <= fighter.max_hp

    def greet(self) -> None:
        """Add the welcome message: the goal, and the key for help."""
        help_key = first_key("play", "help")
        if self.workshop:
            keys = f"{first_key('play', 'previous')} {first_key('play', 'next')}"
            seed = first_key("play", "seed")
            text = f"Workshop: {keys} change the generator, {seed} the seed. {help_key} for help."
        elif self.run.state.map.is_infinite:
            text = f"{ENDLESS_GOAL} Press {help_key} for help."
        else:
            found = self.run.state.won is not None  # As in a run that is taken over.
            goal = "" if found else f"Find the First Seed on depth {LAST_DEPTH}. "
            text = f"Welcome to Seedhollow. {goal}Press {help_key} for help."
        self.say(text, "accent")
        if self.setup.drawn:
            self.say("You begin on a level from a file. This run is not scored.", "cold")
        if self.setup.ghost:
            walks = "The ghost of an earlier run walks with you." if self.ghost else NO_GHOST
            self.say(walks, "cold")
        explained = self.setup.drawn or self.setup.grew_from
        if not (explained or self.workshop or self.run.state.scored):
            self.say("This run is not scored.", "cold")

    def say(self, text: str, color: str = "text") -> None:
        """Add a message that comes from the interface, not from an event."""
        self.log.add(text, color, self.run.state.turn)

    def answer(self, text: str) -> None:
        """Answer a key that did nothing; this replaces the last answer of this turn."""
        self.log.answer(text, self.run.state.turn)

    def act(self, action: Action) -> list[ev.Event] | Refused:
        """Carry out ``action``; afterwards `disturbed` is set if danger came up."""
        outcome = self.run.act(action)
        self.disturbed = False
        if isinstance(outcome, Refused):
            self.card = []
            self.answer(refusal_message(outcome.why))
            return outcome
        self.add_events(outcome)
        self.follow_ghost()
        self.animations.begin(outcome, self.run.state.map)
        self.sounds += turn_sounds(outcome, self.run.state)
        self.report_save_problems()
        return outcome

    def follow_ghost(self) -> None:
        """Put the ghost where the earlier run's hero was on this turn, if on this level."""
        if self.ghost is None:
            return
        state, sighting = self.run.state, ghost_sighting(self.ghost, self.run.state.turn)
        last = sighting or ghost_sighting(self.ghost, state.turn - 1)
        (left, top), name = state.map.origin, state.map.name
        here = Point(last.x - left, last.y - top) if last and last.level == name else None
        self.view.ghost = here if sighting else None
        if sighting is None:
            self.ghost = None
            if here and state.map.contains(*here) and state.map.visible[here[::-1]]:
                self.say("The ghost fades: its run ended here.", "dim")

    def report_save_problems(self) -> None:
        """Report once when the run cannot be written to disk, and once when it can be again."""
        problem = self.run.recorder.problem if self.run.recorder else None
        if problem == self.warned:
            return
        self.warned = problem
        if problem:
            self.say(f"Warning: {problem}.", "bad")
        else:
            self.say("This run is being saved again; nothing is missing.", "good")

    @property
    def lost(self) -> str:
        """The part of the run that would be lost if the program ended now, or ''."""
        return self.run.recorder.lost if self.run.recorder else ""

    def add_events(self, events: list[ev.Event]) -> None:
        """Add the messages of a turn; note danger and arrival on a level."""
        learned = any(isinstance(event, ev.Learned) for event in events)
        self.card = self.card if learned else []  # The choice of a background hid it until now.
        self.last_turns.append(events)
        hero, turn = self.run.state.hero, self.run.state.turn
        before = {who for (who, _), seen in self._in_view.items() if seen >= turn - 1}
        self.news = self._without_repeated_sightings(events)
        told = witnessed(self.news, self.run.state, before)
        if self.workshop:
            told = [event for event in told if not isinstance(event, ev.Arrived)]
        for sentence in turn_messages(told, self.run.state):
            self.say(*sentence)
        taken = [it for it in events if isinstance(it, ev.PickedUp) and it.who.id == hero.id]
        if len(hero.inventory) == MOST_STACKS and any(it.what.count == it.taken for it in taken):
            self.say("Your pack is full now.", "warn")
        first_seeds = seed_kinds().keys() & hero.letters.keys() <= {it.what.kind for it in taken}
        for event in events:
            self.disturbed |= self._disturbs(event)
            match event:
                case ev.PickedUp(what=what) if what.kind in seed_kinds() and first_seeds:
                    self._explain_seeds()
                case ev.Learned(talent=name) if seed_kinds().keys() & talents()[name].items:
                    self._explain_seeds()
            if isinstance(event, ev.Learned) and not talents_owed(self.run.state.hero):
                asks = event_texts()[event_name(ev.LeveledUp)].text.partition("{")[0]
                for message in self.log.messages:
                    message.grave &= not message.text.startswith(asks)
            if isinstance(event, ev.Arrived) and self.workshop:
                place = place_name(self.run.state.code, self.run.state.map.theme)
                self.say(f"You look at {place}: {code_here(self.run.state)}.", "accent")
            elif isinstance(event, ev.Arrived):
                behind, self._mark = self._mark, level_start(self.run.state)
                self.card = arrival_lines(self.run.state, None if event.again else behind)
        self._warn_of_wounds()

    def _without_repeated_sightings(self, events: list[ev.Event]) -> list[ev.Event]:
        """Return ``events`` without `Spotted` for creatures that were in view a moment ago."""
        now, arrived = self.run.state.turn, any(isinstance(event, ev.Arrived) for event in events)
        recent = {who: turn for who, turn in self._in_view.items() if now - turn < SIGHT_KEPT}
        last_seen = {} if arrived else recent
        keys = [(event.who.id, event.who.kind) for event in events if isinstance(event, ev.Spotted)]
        keys += [(who.id, who.kind) for who in self.run.state.map.entities_in_view()]
        self._in_view = last_seen | dict.fromkeys(keys, now)
        return [
            event
            for event in events
            if not isinstance(event, ev.Spotted) or (event.who.id, event.who.kind) not in last_seen
        ]

    def _explain_seeds(self) -> None:
        """Say how seeds are used, once; not in a replay, where none can be planted."""
        explained = any(SEED_TIP in message.text for message in self.log.messages)
        if self.hints is None and not explained:
            self.say(f"{SEED_TIP} Press {first_key('play', 'use')} to plant it.", "accent")

    def skip_turns(self, begun: LevelStart | None = None) -> None:
        """Forget the creatures seen and set the start of the level, maybe another, to ``begun``."""
        self.card, self._mark, self._in_view = [], begun, {}
        self._warned_of_wounds = self.badly_hurt

    def _disturbs(self, event: ev.Event) -> bool:
        """Return whether keys pressed before ``event`` must be ignored after it."""
        hero = self.run.state.hero.id
        match event:
            case ev.Struck(_, who) | ev.ShotFired(_, who) | ev.Hurt(who) | ev.Stumbled(who):
                return who.id == hero
            case ev.StatusApplied(who, status):
                return who.id == hero and not status_kinds()[status].good
            case ev.Spotted() | ev.Stole() | ev.LevelAlerted() | ev.HunterArrived():
                return True
            case ev.AlarmRang() | ev.LeveledUp() | ev.Won():
                return True
        return False

    def _warn_of_wounds(self) -> None:
        """Warn once when the hero becomes badly hurt."""
        if self.badly_hurt and not self._warned_of_wounds:
            self.say("You are badly hurt!", "bad!")
            self.disturbed = True
        self._warned_of_wounds = self.badly_hurt
