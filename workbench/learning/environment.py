"""The Gymnasium environment: an episode is a run, an adventure by seed or a level by code."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from gymnasium.error import ResetNeeded
from numpy.typing import NDArray
from tcod.console import Console

from engine.bots.discrete_actions import COUNT, action_mask, game_action
from engine.levels.recipe_by_depth import parse_playable_code, setup_at
from engine.saves.run import Run
from engine.state.actions import Action, Move, Refused
from engine.state.events import Event
from engine.state.game_state import TURN, GameState
from engine.state.run_setup import Mode, RunSetup
from engine.state.score import score
from procgen.recipes import find_any
from render.map.map_view import draw_world
from render.map.viewport import Viewport
from render.tiles.lit_picture import lit_picture
from workbench.learning.observations import HEIGHT, KINDS, WIDTH, Observation, Observer, text_of

SEEDS = {"train": range(10**9), "test": range(10**9, 10**9 + 1000)}
"""The seeds of each set of adventures; they are the same in every version."""
REWARDS: dict[str, Callable[[GameState], float]] = {
    "score": lambda state: score(state).total,
    "depth": lambda state: state.deepest,
    "explore": lambda state: int(np.count_nonzero(state.map.explored)),
    "survive": lambda state: state.clock // TURN,
    "health": lambda state: max(0, state.hero.fighter.hp),
    "kills": lambda state: state.kills,
    "gold": lambda state: state.gold,
    "alive": lambda state: int(state.hero.alive),
}
"""The figures whose growth is rewarded; see docs/learning.md."""
PIXELS = 12
"""Pixels per side of a tile in pictures."""


class SeedhollowEnv(gymnasium.Env[Observation, np.int64]):
    """A run of Seedhollow, played by an agent.

    ``levels`` is the name of a set of `SEEDS`, so that each episode is an adventure, or a list of
    level codes, so that each episode is one level, up to its exit. ``recipe`` is the recipe of all
    levels of adventures. Episodes are drawn at random or, with ``stride``, taken in their order:
    that with the number ``seed`` of `reset`, then each ``stride`` after the last. ``observations``
    names some of `KINDS`; ``rewards`` gives the weights of `REWARDS`. ``record`` is a folder to
    which every episode is written as a run file. ``events`` are those of the last action.

    Raises `ValueError` for invalid arguments, `OSError` if a run file cannot be written,
    `gymnasium.error.ResetNeeded` for what needs an episode while there is none.
    """

    metadata = {"render_modes": ["ansi", "rgb_array"], "render_fps": 10}  # noqa: RUF012

    def __init__(
        self,
        *,
        levels: str | Sequence[str] = "train",
        recipe: str | None = None,
        stride: int | None = None,
        observations: Sequence[str] = KINDS[:4],
        rewards: Mapping[str, float] | None = None,
        record: str | Path | None = None,
        render_mode: str | None = None,
    ) -> None:
        rewards = {"score": 1.0} if rewards is None else rewards
        kinds, self.levels = _several("observations", observations), _several("levels", levels)
        _refuse_unknown("observations", kinds, KINDS)
        _refuse_unknown("rewards", rewards, REWARDS)
        weights = rewards.values() if isinstance(rewards, Mapping) else [rewards]
        most = np.int64(10**18)  # Half-precision weights can be compared with it without a warning.
        if not all(isinstance(w, int | float | np.number) and abs(w) < most for w in weights):
            raise ValueError("rewards: a weight is a finite number, as in {'score': 1}")
        self.rewards = dict(rewards)
        _refuse_unknown("render_mode", [render_mode], [None, *self.metadata["render_modes"]])
        by_set = isinstance(levels, str) and levels in SEEDS
        if self.levels == [levels] and ":" not in str(levels):
            _refuse_unknown("levels", [levels], [*SEEDS, "a level code"])
        self._codes = [] if by_set else [parse_playable_code(str(code)) for code in self.levels]
        if recipe and not by_set:
            raise ValueError("recipe: it is for adventures; a level code names its own")
        self.recipe = find_any(str(recipe)).name if recipe else None
        if stride is not None and (not isinstance(stride, int | np.integer) or stride < 1):
            raise ValueError(f"stride: it is a whole number of at least 1, not {stride!r}")
        self._stride, self._next = stride, 0
        self.render_mode = render_mode
        self.action_space = gymnasium.spaces.Discrete(COUNT)
        self._observer = Observer(kinds)
        self.observation_space = self._observer.space()
        self._record = Path(record) if record else None
        self.events: list[Event] = []
        self._episode = 0
        self._run: Run | None = None

    @property
    def state(self) -> GameState:
        """The state of the run in progress, which must not be changed."""
        return self._require_run().state

    @property
    def over(self) -> bool:
        """True if the hero is dead or home, or has left the level given by its code."""
        state = self.state
        left = state.setup.mode is Mode.WORKSHOP and state.code != self._started
        return left or state.end is not None

    def _require_run(self) -> Run:
        if self._run is None:
            raise ResetNeeded("no episode is in progress: call reset first")
        return self._run

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode; ``options`` may fix its ``code`` or, for an adventure, its ``seed``."""
        super().reset(seed=seed)
        self._next = self._next if seed is None else seed
        self.close()
        _refuse_unknown("options", options or {}, ["code"] if self._codes else ["code", "seed"])
        return self.begin(self._setup(options or {}))

    def begin(self, setup: RunSetup) -> tuple[Observation, dict[str, Any]]:
        """Begin an episode of ``setup``; one in progress goes on if its level cannot be built."""
        name = f"{self._episode + 1:06}-{setup.seed}.jsonl"
        run = Run.begin(setup, self._folder / name if self._record else None)
        self.close()
        self._episode, self._run = self._episode + 1, run
        _check_file(run)
        self._facing, self.events, self._worth = (0, 1), [], self._figures()
        self._started, self._first = self.state.code, self.state.map.name
        return self._observed()

    def step(self, action: np.int64 | int) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Perform the action with this number; a refused action takes no turn, ``info`` says why.

        Raises `ValueError` for anything but a whole number in the action space.
        """
        if not self.action_space.contains(action):
            raise ValueError(f"there is no action {action}; they are 0 to {COUNT - 1}")
        return self.act(game_action(self.state, int(action), self._facing))

    def act(self, action: Action | None) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Perform any action of the game, e.g. one chosen by a bot; return the same as `step`."""
        run = self._require_run()
        state, before = run.state, run.state.map
        if action is not None and not isinstance(action, Action):
            raise TypeError(f"{action!r} is not an action of the game, such as Wait()")
        if isinstance(action, Move):
            self._facing = action.dx, action.dy
        events = Refused("no such item or talent") if action is None else run.act(action)
        self.events = [] if isinstance(events, Refused) else events
        values = self._figures()
        if state.map is not before:
            self._worth["explore"] = values.get("explore", 0)  # A new level starts a new count.
        reward = sum(self.rewards[name] * (values[name] - self._worth[name]) for name in values)
        self._worth = values
        observation, info = self._observed()
        if isinstance(events, Refused):
            info["refused"] = events.why
        return observation, float(reward), self.over, False, info

    def action_masks(self) -> NDArray[np.int8]:
        """Return int8 [action], 1 for actions possible now, as in ``info`` of the last step."""
        self._require_run()
        return self._mask

    def render(self) -> Any:
        """Return the known map as text, or the part in ``map`` as uint8 [y, x, RGB]."""
        if self.render_mode == "ansi":
            return text_of(self.state, self.events)
        if self.render_mode is None:
            return None
        console, view = Console(WIDTH, HEIGHT), Viewport()
        view.follow(self.state, console)
        return np.asarray(lit_picture(console, draw_world(console, self.state, view), PIXELS))

    def close(self) -> None:
        """End the episode and complete its run file."""
        run, self._run = self._run, None  # Also if its file cannot be completed.
        if run:
            run.close()
            _check_file(run)

    def _setup(self, options: dict[str, Any]) -> RunSetup:
        """Return the setup of the next episode."""
        if {"code", "seed"} <= options.keys():
            raise ValueError("options: give code or seed, not both")
        if "code" in options:
            return setup_at(parse_playable_code(str(options["code"])))
        known: Sequence[Any] = self._codes or SEEDS[self.levels[0]]
        number = self._next if self._stride else int(self.np_random.integers(len(known)))
        self._next, chosen = number + (self._stride or 0), known[number % len(known)]
        if self._codes:
            return setup_at(chosen)
        seed = options.get("seed", chosen)
        if isinstance(seed, bool) or not isinstance(seed, int | np.integer):
            raise TypeError(f"options: seed must be a whole number, not {seed!r}")
        return RunSetup(int(seed), str(seed), generator=self.recipe)

    @cached_property
    def _folder(self) -> Path:
        """A new folder, made only now: Gymnasium makes environments that it never resets."""
        number = 0
        while True:
            try:
                (path := Path(self._record or "", f"env-{number}")).mkdir(parents=True)
            except FileExistsError:
                number += 1
            else:
                return path

    def _figures(self) -> dict[str, float]:
        return {name: REWARDS[name](self.state) for name in self.rewards}

    def _observed(self) -> tuple[Observation, dict[str, Any]]:
        run = self._require_run()
        state, self._mask = run.state, action_mask(run.state)
        end = state.end or ("left the level" if self.over else "")
        info = {"action_mask": self._mask, "code": state.map.name, "first_code": self._first}
        # In a vector environment a Python integer becomes an int64, too small for some seeds.
        info |= {"seed": np.uint64(state.setup.seed), "score": score(state).total}
        info |= {"deepest": state.deepest, "end": end, "success": bool(end) and state.hero.alive}
        if run.recorder:
            info["file"] = str(run.recorder.path)
        return self._observer.observe(state, self.events), info


def _check_file(run: Run) -> None:
    recorder = run.recorder
    if recorder and (recorder.problem or recorder.lost):
        raise OSError(f"{recorder.path}: {recorder.problem or recorder.lost}")


def _several(name: str, value: Any) -> list[Any]:
    """Return what a list has, or ``value`` if it is none; raise `ValueError` if it is empty."""
    found = list(value) if isinstance(value, Iterable) and not isinstance(value, str) else [value]
    if not found:
        raise ValueError(f"{name}: the list is empty")
    return found


def _refuse_unknown(name: str, given: object, known: Iterable[object]) -> None:
    """Raise `ValueError` for the first of ``given`` that is not ``known``."""
    choices = list(known)
    for value in given if isinstance(given, Iterable) else [given]:
        if value not in choices:
            raise ValueError(f"{name}: there is no {value!r}; there are {choices}")
