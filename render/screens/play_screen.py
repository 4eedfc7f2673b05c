"""Playing: keys and mouse become actions, one turn at a time."""

from engine.pathfinding.auto_travel import (
    Journey,
    Stop,
    attack_nearest,
    enemies_in_view,
    explore,
    rest,
    run,
    travel,
)
from engine.pathfinding.known_paths import known_way_down, path_to
from engine.state.actions import Action, Climb, Descend, Move, Refused, Wait
from engine.state.events import Event, Spotted
from render.messages.event_messages import STOP_MESSAGES
from render.messages.names import creature_name
from render.panels.examine import short_description
from render.panels.hud import draw_play
from render.screens.choose_tile import ChooseTile
from render.screens.inventory_screens import belongings, pick_up
from render.screens.play_commands import Aftermath, opened
from render.screens.screen import Act, Push, Reply, Screen, Zoom
from render.session.session import Session
from render.ui.frame import Frame
from render.ui.input import Key, Pointer
from render.ui.keymap import DIRECTIONS, command_of, first_key
from render.ui.options import current
from render.workshop.build_view import Workbench


class Walker:
    """Asks a journey for actions, feeds it what came of them, and says why it ended."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._journey: Journey | None = None
        self._events: list[Event] = []

    @property
    def walking(self) -> bool:
        """Whether a journey is under way."""
        return self._journey is not None

    def set_out(self, journey: Journey) -> Action | None:
        """Begin ``journey`` and return its first action, None if it ends at once."""
        self._journey, self._events = journey, []
        return self._taken(first=True)

    def stride(self) -> Action | None:
        """Return the next action, None if there is none."""
        return self._taken(first=False) if self._journey else None

    def hear(self, events: list[Event]) -> None:
        """Take note of what came of the last action."""
        self._events = events

    def stop(self) -> None:
        """Give up the journey without a word."""
        self._journey = None

    def _taken(self, *, first: bool) -> Action | None:
        assert self._journey is not None
        try:
            return next(self._journey) if first else self._journey.send(self._events)
        except StopIteration as end:
            self._journey = None
            reason: Stop = end.value
            self._session.say(self._why(reason, first=first), "dim")
            return None

    def _why(self, reason: Stop, *, first: bool) -> str:
        """Return why the journey ended, empty if what happened has said it already."""
        if reason is not Stop.ENEMY:
            return STOP_MESSAGES.get(reason, "").format(descend=first_key("play", "descend"))
        foes = enemies_in_view(self._session.run.state)
        if not foes or any(isinstance(event, Spotted) for event in self._events):
            return ""
        name = creature_name(foes[0].kind)
        return f"Not while {name} is in view." if first else f"You stop: {name} is in view."


STRIDE = 0.014
BREATH = 0.16
AT_ONCE = frozenset(
    [
        "inventory",
        "look",
        "character",
        "talent",
        "history",
        "code",
        "map",
        "menu",
        "options",
        "help",
    ]
)
"""Commands that are obeyed even by a key that stops a journey: they take no time."""
FRAME = 1 / 40
"""Seconds between two pictures of what flies or glows."""


class PlayScreen(Screen):
    """The dungeon, the hero in it, and everything the keys of play do."""

    def __init__(self, session: Session) -> None:
        self.session = session
        self.hover = ""
        self._walker = Walker(session)
        self._bench = Workbench(session)
        self._deaf = False
        self._after = Aftermath(session)

    @property
    def interval(self) -> float | None:  # type: ignore[override]
        """A stride while on a journey, a breath while light lives, never where it does not."""
        if self._walker.walking:
            return STRIDE
        if self.session.show.lasts:
            return FRAME
        return BREATH if current().motion else None

    def draw(self, frame: Frame) -> None:
        """Draw the map and all around it."""
        status = "any key stops" if self._walker.walking else ""
        draw_play(frame, self.session, self.hover, status)
        self._bench.draw(frame)

    def tick(self) -> Reply:
        """Take the journey's next step, or let the lamp flicker."""
        if self._walker.walking:
            return _acting(self._walker.stride())
        if not self.session.show.lasts:
            self.session.view.phase += 1
        return None

    def key(self, key: Key) -> Reply:
        """Answer a key; held ones do nothing once something dangerous came up."""
        if key.repeat and self._deaf:
            return None
        self._deaf = False
        if self._walker.walking:
            self._walker.stop()
            name = command_of("play", key)
            return self._command(name) if name in AT_ONCE else None
        self.session.view.path = []
        if direction := command_of("move", key):
            return Act(Move(*DIRECTIONS[direction]))
        if direction := command_of("run", key):
            return self._set_out(run(self.session.run.state, *DIRECTIONS[direction]))
        name = command_of("play", key)
        return self._command(name) if name else None

    def _command(self, name: str) -> Reply:
        state, session = self.session.run.state, self.session
        match name:
            case "wait":
                return Act(Wait())
            case "rest":
                return self._set_out(rest(state))
            case "explore":
                return self._set_out(explore(state, avoid_exit=session.workshop))
            case "fight":
                return _acting(attack_nearest(state))
            case "descend" | "climb":
                return self._stairs(down=name == "descend")
            case "travel":
                return Push(ChooseTile(session, "Travel where?", self._travel_to))
            case "reveal" | "overlay":
                self._bench.command(name)
            case _:
                return belongings(session, name) or opened(session, name)
        return None

    def pointer(self, pointer: Pointer) -> Reply:
        """Name what is pointed at, show the way there, walk there when pressed."""
        if pointer.kind == "wheel":
            return Zoom(1 if pointer.amount > 0 else -1)
        if pointer.kind == "press" and pointer.button == "right":
            self._walker.stop()
            return opened(self.session, "menu")
        state, view = self.session.run.state, self.session.view
        if pointer.spot is None:
            self.hover, view.path = "", []
            return None
        x, y = view.tile(pointer.spot)
        self.hover = short_description(self.session, x, y)
        view.path = path_to(state, (x, y)) if not self._walker.walking else []
        if pointer.kind != "press" or pointer.button != "left":
            return None
        if (x, y) == (state.hero.x, state.hero.y):
            return self._here(x, y)
        return self._travel_to(x, y)

    def _here(self, x: int, y: int) -> Reply:
        """Do what the place underfoot is there for: take what lies there, use stairs, wait."""
        state = self.session.run.state
        if state.map.items_at(x, y):
            return pick_up(self.session)
        if (x, y) in {state.map.exit, state.map.start} and not self.session.workshop:
            return self._stairs(down=(x, y) == state.map.exit)
        return Act(Descend() if state.map.is_way_down(x, y) else Wait())

    def _travel_to(self, x: int, y: int) -> Reply:
        """Set out for a tile; with enemies in view, only take the first step."""
        state = self.session.run.state
        path = path_to(state, (x, y))
        self.session.view.path = []
        if enemies_in_view(state) and path:
            return Act(Move(path[0].x - state.hero.x, path[0].y - state.hero.y))
        return self._set_out(travel(state, (x, y)))

    def _stairs(self, *, down: bool) -> Reply:
        """Take the stairs underfoot, or travel to those that are known."""
        state = self.session.run.state
        place = known_way_down(state) if down else state.map.start
        if (state.hero.x, state.hero.y) == place:
            return Act(Descend() if down else Climb())
        if not down and state.map.is_infinite:
            self.session.say("Nothing leads up but the sky.", "dim")
            return None
        if place is None or not state.map.explored[place.y, place.x]:
            way = "down" if down else "up"
            self.session.say(f"You have not seen a way {way} yet.", "dim")
            return None
        return self._set_out(travel(state, place))

    def _set_out(self, journey: Journey) -> Reply:
        return _acting(self._walker.set_out(journey))

    def act(self, action: Action) -> Reply:
        """Carry out ``action`` and look at what came of it."""
        before = self.session.run.state.map
        outcome = self.session.act(action)
        state = self.session.run.state
        if isinstance(outcome, Refused):
            self._walker.stop()
            return None if state.hero.alive else self._after.over()
        self._walker.hear(outcome)
        self._deaf = self.session.disturbed
        if state.map is not before:
            self._walker.stop()
            self.session.view.reveal = False
        shown = self._after.of(outcome)
        if shown:
            self._walker.stop()
            self._deaf = self.session.disturbed = True  # no key that waits may answer it
        return shown

    def closed(self) -> None:
        """Let go of the run file; the run can be continued."""
        self.session.run.close()


def _acting(action: Action | None) -> Reply:
    return Act(action) if action else None
