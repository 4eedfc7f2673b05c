"""The play screen: translates keys and mouse into actions of the hero and into other screens."""

import time
from collections.abc import Callable
from functools import partial

from engine.monsters.combat_forecast import Danger, combined_danger
from engine.pathfinding import auto_travel, known_paths
from engine.pathfinding.known_paths import PASSABLE_LATER, path_to, player_rules
from engine.pathfinding.threats import enemies_in_view, threats_in_view
from engine.state.actions import Action, Climb, Move, Refused, Visit, Wait
from procgen.level_code import parse_code
from procgen.recipe_builder import REJECTED
from procgen.settings import complete
from render.messages.names import creature_name
from render.messages.refusal_messages import no_way_message
from render.panels.examine import shown_creature
from render.panels.hud import draw_play
from render.screens.hero_choices import descend_or_ask
from render.screens.inventory_screens import inventory_command, pick_up_or_ask
from render.screens.journeys import (
    AGAIN_SECONDS,
    REPEAT_SECONDS,
    JourneyRunner,
    KnownThreats,
)
from render.screens.map_cursor import ChooseTile, known_stairs
from render.screens.play_commands import EventScreens, screen_command, zoom
from render.screens.screen import Act, Push, Reply, Screen
from render.screens.watch_build import WatchBuildScreen
from render.screens.world_map_screen import WorldMapScreen
from render.session.animations import ANIMATION_SECONDS, spotlight
from render.session.session import Session
from render.ui.frame import FLICKER_SECONDS, Frame
from render.ui.input import Input, Key, Pointer
from render.ui.keymap import DIRECTIONS, command_of, first_key
from render.ui.options import current
from render.workshop.build_view import LevelCharts

STEP_SECONDS = 0.014
DEATH_SECONDS = 0.8
"""Seconds for which the last blow is shown, in narrowed light; keys are ignored meanwhile."""
LIGHT_RESTS = 10.0  # Seconds without input after which light in a terminal stops flickering.
FREE_COMMANDS = (
    *("inventory", "use", "equip", "throw", "drop", "look", "list", "character", "talent"),
    *("history", "code", "map", "menu", "options", "help"),
)
"""Commands whose key stops a journey and is still carried out: they take no game time."""
FRAMES_PER_PHASE = round(FLICKER_SECONDS / ANIMATION_SECONDS)
AFTER_DEATH = ("look", "character", "history", "code", "watch", "zoom_in", "zoom_out", "calm")
"""Commands that work while the player looks at the map after a death; others reopen the end."""


class PlayScreen(Screen):
    """Shows the dungeon and turns input into actions of the hero."""

    def __init__(self, session: Session, clock: Callable[[], float] = time.monotonic) -> None:
        self.session = session
        self.pointed: Pointer | None = None
        self._journeys = JourneyRunner(session)
        self._acknowledged = KnownThreats(session, clock)
        self._clock, self._walked, self._last_key = clock, 0.0, ""
        self._journal = auto_travel.Journal()
        self._charts = LevelCharts(session)
        self._ignore_repeats = self._asked_hurt = self._dying = False
        self._event_screens = EventScreens(session)
        self._frames, self._heard = 0, clock()
        self._flicker: float | None = FLICKER_SECONDS

    @property
    def interval(self) -> float | None:
        """Seconds between journey steps or frames; None if nothing moves by itself."""
        if self._journeys.active:
            return STEP_SECONDS
        if self.session.animations.playing:
            return ANIMATION_SECONDS
        if self._dying:
            return DEATH_SECONDS
        rests = self._flicker != FLICKER_SECONDS and self._clock() - self._heard > LIGHT_RESTS
        return self._flicker if current().motion and not rests else None

    def draw(self, frame: Frame) -> None:
        """Draw the map, the panels and the chart."""
        self._flicker = frame.flicker
        status = "You die." if self._dying else "a key or right click stops" * self._journeys.active
        draw_play(frame, self.session, status=status, pointed=self.pointed)
        self._acknowledged.shown()
        self._charts.draw(frame)
        if self._dying:
            hero, view = self.session.run.state.hero, self.session.view
            spotlight(frame, hero.x - view.left, hero.y - view.top)

    def tick(self) -> Reply:
        """Take the journey's next step, or let the light flicker."""
        if self._journeys.active:
            self._walked = self._clock()
            return _acting(self._journeys.next_action())
        if self.session.animations.playing:
            self._frames += 1
            moves = current().motion and self._flicker and self._frames % FRAMES_PER_PHASE == 0
            self.session.view.phase += bool(moves)  # Light keeps flickering.
            return None
        if self._dying:
            self._dying = False
            return self._event_screens.over()
        self.session.view.phase += 1
        return None

    def key(self, key: Key) -> Reply:
        """Handle a key, unless it is held after danger came up or has begun the present journey."""
        going = self._journeys.active and str(key) == self._last_key
        if self._dying or going or (key.repeat and self._ignore_repeats):
            return None
        self._ignore_repeats, self.pointed, self._last_key = False, None, str(key)
        name = command_of("play", key)
        if self._journeys.active:
            self._journeys.stop()
            # Any other key only stops: the scene may have changed since the player chose it.
            return self._command(name) if name in FREE_COMMANDS else None
        self.session.view.path = []
        if direction := command_of("move", key):
            return Act(Move(*DIRECTIONS[direction]))
        if direction := command_of("run", key):
            run = auto_travel.run(self.session.run.state, *DIRECTIONS[direction])
            return _acting(self._journeys.start(run))
        if name:
            return self._command(name)
        if len(key.name) == 1 and not (key.ctrl or key.alt):
            help_key = first_key("play", "help")
            self.session.answer(f"No command is on {key.name}: {help_key} lists all keys.")
        return None

    def _command(self, name: str) -> Reply:
        state, session = self.session.run.state, self.session
        if not state.hero.alive and name not in AFTER_DEATH:
            return self._event_screens.over()
        match name:
            case "wait":
                return Act(Wait())
            case "rest":
                return self._start_journey(name, lambda ids: auto_travel.rest(state, ids))
            case "explore":
                ready = self._walked + AGAIN_SECONDS
                if self._asks_first():
                    return None
                if self._journeys.offer and (now := self._clock()) < ready:  # Held or typed ahead.
                    self._walked += max(0, now + REPEAT_SECONDS - ready)  # As long as it is held.
                    return None
                go = partial(auto_travel.explore, state, avoid_exit=session.workshop)
                if place := self._journeys.offer:
                    go = partial(auto_travel.travel, state, place)
                return self._start_journey(name, lambda ids: go(ids, journal=self._journal))
            case "fight":
                return self._fight()
            case "descend" | "climb":
                here, place = (state.hero.x, state.hero.y), known_stairs(session, name)
                if here != place:
                    return self._travel_to(*place) if place else None
                return descend_or_ask(session) if name == "descend" else Act(Climb())
            case "travel":
                return Push(ChooseTile(session, "Travel where?", self._travel_to))
            case "map" if state.map.is_infinite:
                return Push(WorldMapScreen(session, self._travel_to))
            case "reveal" | "chart":
                self._charts.command(name)
            case _:
                return inventory_command(session, name) or screen_command(session, name)
        return None

    def handle(self, event: Input) -> Reply:
        """Handle one input; on the map the right button examines a tile."""
        session, self._heard = self.session, self._clock()
        if isinstance(event, Pointer) and event.spot and event.button == "right":
            self._journeys.stop()
            self.pointed, session.view.path, at = None, [], session.view.tile(event.spot)
            return None if self._dying else Push(ChooseTile(session, "Examine", None, target=at))
        return super().handle(event)

    def pointer(self, pointer: Pointer) -> Reply:
        """Describe the tile under the pointer and show the path to it; a click walks there."""
        if pointer.kind == "wheel":
            self.pointed = None  # Its cell shows another tile afterwards.
            return zoom(self.session, 1 if pointer.amount > 0 else -1, by_wheel=True)
        if self._dying:
            return None
        state, view = self.session.known_state, self.session.view
        if pointer.kind == "press":
            if not state.hero.alive:
                return self._event_screens.over()
            self._journeys.stop()  # As other keys do.
            self._last_key = ""
        self.pointed, view.path = pointer, []
        if pointer.spot is None:
            return None
        x, y = view.tile(pointer.spot)
        # A path search for every move of the mouse would make a journey stutter.
        view.path = [] if self._journeys.active else path_to(state, (x, y), player_rules(state))
        if pointer.kind != "press" or pointer.button != "left":
            return None
        return self._here(x, y) if (x, y) == (state.hero.x, state.hero.y) else self._travel_to(x, y)

    def back(self) -> Reply:
        """Stop any journey and open the menu of commands; for a dead hero open the end screen."""
        if not self.session.run.state.hero.alive:
            return None if self._dying else self._event_screens.over()
        self._journeys.stop()
        return self._command("menu")

    def _fight(self) -> Reply:
        """Attack the nearest monster or step towards it; say why if that cannot be done."""
        state, rules = self.session.run.state, known_paths.WalkRules(decides=False)
        known_ids = self._acknowledged.ids("fight")
        threats = threats_in_view(state)
        asks = self.session.badly_hurt and any(foe.id not in known_ids for foe in threats)
        if asks and combined_danger(state.hero, threats) is not Danger.HARMLESS:
            self.session.answer("You are badly hurt. Do it again to fight on.")
            self._acknowledged.refused("fight")
            return None
        action, foes = known_paths.attack_nearest(state, rules), enemies_in_view(state)
        if action is None and not foes:
            self.session.answer("There is no enemy in view.")
        elif action is None:
            self._say_no_way(foes[0].x, foes[0].y)
        return _acting(action)

    def _say_no_way(self, x: int, y: int) -> None:
        creature = shown_creature(self.session, x, y)
        name = creature_name(creature.kind) if creature else ""
        self.session.answer(no_way_message(self.session.known_state, x, y, name))

    def _here(self, x: int, y: int) -> Reply:
        """Do the obvious thing on the hero's tile: pick up, use stairs, or wait."""
        state = self.session.run.state
        if state.map.items_at(x, y):
            return pick_up_or_ask(self.session)
        gated = state.depth == 1 and not state.hollow
        if (x, y) == state.map.start and not (gated or self.session.workshop):
            return Act(Climb())
        return descend_or_ask(self.session) if state.map.is_way_down(x, y) else Act(Wait())

    def _travel_to(self, x: int, y: int) -> Reply:
        """Travel to a tile; with a threat in view take only the first step."""
        state = self.session.known_state
        path = path_to(state, (x, y), player_rules(state))
        self.session.view.path = []
        if not path and (x, y) != (state.hero.x, state.hero.y):
            self._say_no_way(x, y)
            return None
        # Under threat each step is a decision, by mouse as well as by key; one onto a sleeper is an
        # attack. A step into a lock or deep water is refused, with the reason.
        taken = shown_creature(self.session, x, y) or state.map.tiles[y, x] in PASSABLE_LATER
        if path and ((taken and len(path) == 1) or threats_in_view(state)):
            return Act(Move(path[0].x - state.hero.x, path[0].y - state.hero.y))
        go = auto_travel.travel(self.session.run.state, (x, y), journal=self._journal, known=state)
        return _acting(self._journeys.start(go))

    def _asks_first(self) -> bool:
        """Ask a badly hurt player whether to explore, once until healed; return whether it asks."""
        asks = self._ignore_repeats = self.session.badly_hurt and not self._asked_hurt
        self._asked_hurt |= asks
        if asks:
            self.session.answer("You are badly hurt. Do it again to explore.")
        return asks

    def _start_journey(
        self, command: str, journey: Callable[[frozenset[int]], auto_travel.Journey]
    ) -> Reply:
        """Start a journey past acknowledged monsters; remember it if it is refused."""
        known_ids = self._acknowledged.ids(command)
        action = self._journeys.start(journey(known_ids), known_ids)
        if action is None:
            self._acknowledged.refused(command)
        return _acting(action)

    def act(self, action: Action) -> Reply:
        """Perform ``action`` and react to its events."""
        before = self.session.run.state.map
        self._acknowledged.forget_refusals()
        outcome = self.session.act(action)
        state = self.session.run.state
        if isinstance(outcome, Refused):
            self._journeys.stop()
            if isinstance(action, Visit) and REJECTED in outcome.why and self.session.workshop:
                note = outcome.why.partition(": ")[2]
                return Push(WatchBuildScreen(complete(parse_code(action.code)), note=note))
            return None if state.hero.alive else self._event_screens.over()
        self._dying = not state.hero.alive
        self._asked_hurt &= self.session.badly_hurt
        self._journeys.handle(outcome)
        self._ignore_repeats = self.session.disturbed
        if state.map is not before:
            self._journeys.stop()
            self.session.view.reveal &= self.session.workshop
        reply = self._event_screens.of(outcome)
        if reply or self._dying:
            self._journeys.stop()
            # Drop keys typed ahead, since they were meant for the game.
            self._ignore_repeats = self.session.disturbed = True
        return reply

    def close(self) -> None:
        """Close the run file; the run can be continued."""
        self.session.run.add_keyframe()
        self.session.run.close()


def _acting(action: Action | None) -> Reply:
    return Act(action) if action else None
