"""The keyframes of a recorded run by turn: those kept in memory and those of its keyframe file."""

from engine.levels.dungeon import new_game
from engine.levels.recipe_by_depth import code_at, level_of, parse_playable_code
from engine.levels.saved_map import parse_full_code
from engine.saves.digests import state_digest
from engine.saves.keyframes import Keyframe, KeyframeWriter, read_keyframes, take_keyframe
from engine.saves.run_file import RecordedRun
from engine.saves.saved_state import load_state, unpack_state
from engine.state.compression import InvalidSave
from engine.state.game_state import GameState
from procgen.level import Level
from procgen.recipe_builder import BuildFailed

MOST_TILES = 16 << 20
"""The most tiles of all visited levels kept in memory."""
MOST_TEMPORARY = 256
"""The most close keyframes kept in memory; the oldest are dropped."""


class KeyframeIndex:
    """The keyframes of one run, by turn, and the levels they are on.

    ``sound`` is set if the keyframe file holds all of them and nothing else.
    """

    def __init__(self, recorded: RecordedRun) -> None:
        self.sound = True
        self._recorded = recorded
        self._setup = recorded.header.setup
        self._frames: dict[int, Keyframe] = {}
        self._taken: set[int] = set()
        self._temporary: dict[int, Keyframe] = {}
        self._parts: dict[bytes, bytes] = {}
        self._levels: dict[str, Level] = {}
        self._read = False

    def start(self) -> GameState:
        """Return the state before the first action; raise `BuildFailed` or `ValueError`."""
        packed = self._recorded.header.state
        if packed is None:
            return new_game(self._setup, self._level(str(code_at(self._setup, self._setup.depth))))
        saved = unpack_state(packed)
        if saved.scored:  # Anybody can write a state: only actions from the start earn points.
            raise InvalidSave("it has no beginning, since its file starts with a state, yet scores")
        return load_state(self._setup, saved, self._level(str(parse_full_code(saved.code))))

    @property
    def all_saved(self) -> bool:
        """True if the keyframe file is trusted and holds every keyframe of this index."""
        self._ensure_read()
        return self.sound

    def add(self, turns: int, state: GameState, digest: str) -> None:
        """Add a keyframe of ``state`` after ``turns`` actions."""
        self._levels[str(state.code)] = state.map.level
        frame = self._take(state, turns, digest)
        self._taken.add(turns)
        if self._frames.get(turns) != frame:
            self._frames[turns] = frame
            self.sound = False

    def add_temporary(self, turns: int, state: GameState, digest: str) -> None:
        """Keep ``state`` in memory for a while, so that seeking back a little is fast."""
        self._temporary.pop(turns, None)
        self._temporary[turns] = self._take(state, turns, digest)
        if len(self._temporary) > MOST_TEMPORARY:
            del self._temporary[next(iter(self._temporary))]

    def _take(self, state: GameState, turns: int, digest: str) -> Keyframe:
        frame, parts = take_keyframe(state, turns, self._recorded.ends[turns], digest)
        self._parts.update(parts)
        return frame

    def nearest(self, limit: int, above: int = 0) -> tuple[int, GameState] | None:
        """Return the last keyframe up to turn ``limit`` and after ``above`` as (turn, state).

        A keyframe is trusted only if its restored state has the digest that the log has at that
        turn. One that does not match discredits the whole file: all its keyframes are dropped.
        """
        self._ensure_read()
        passed = max((turns for turns in self._temporary if above < turns <= limit), default=0)
        # Only if no stored keyframe lies between this one and the limit.
        near = self._temporary[passed] if passed > self.before(limit + 1) else None
        if near and (state := self._restored(near)):
            return passed, state
        while (turns := self.before(limit + 1)) > above:
            if state := self._restored(self._frames[turns]):
                return turns, state
            # A wrong digest means that the file was edited or damaged. Other keyframes of it may
            # be wrong too, so keep only those that this process has taken.
            kept = self._taken & self._frames.keys() - {turns}
            self._frames = {turn: self._frames[turn] for turn in kept}
            self.sound = False
        return None

    def after(self, turn: int) -> int | None:
        """Return the turn of the first keyframe after ``turn``, if any."""
        self._ensure_read()
        return min((later for later in self._frames if later > turn), default=None)

    def before(self, turn: int) -> int:
        """Return the turn of the last keyframe before ``turn``, 0 if there is none."""
        self._ensure_read()
        return max((earlier for earlier in self._frames if earlier < turn), default=0)

    def writer(self) -> KeyframeWriter:
        """Return a writer for the keyframe file; first rewrite the file if it is not sound."""
        self._ensure_read()
        path, identity = self._recorded.path, self._recorded.identity
        frames = [frame for _, frame in sorted(self._frames.items())]
        if self.sound:
            return KeyframeWriter.resume(path, frames)
        return KeyframeWriter.begin(path, identity, frames, self._parts)

    def _ensure_read(self) -> None:
        """Read the keyframe file, once, when it is first needed."""
        if self._read:
            return
        self._read = True
        frames, parts, sound = read_keyframes(self._recorded)
        self._parts = parts | self._parts
        by_turn = {frame.turns: frame for frame in frames}
        self.sound = sound and len(frames) == len(by_turn) and by_turn | self._frames == by_turn
        self._frames = by_turn | self._frames

    def _restored(self, frame: Keyframe) -> GameState | None:
        try:
            saved = frame.joined(self._parts)
            # Before building: a forged keyframe could name a level of a million tiles.
            if saved.code != self._code_at(frame.turns):
                return None
            state = load_state(self._setup, saved, self._level(str(parse_full_code(saved.code))))
        except (InvalidSave, BuildFailed):
            return None
        return state if self._recorded.foreign or state_digest(state) == frame.digest else None

    def _code_at(self, turns: int) -> str:
        """Return the level code after ``turns`` actions according to the log."""
        arrivals = self._recorded.arrivals
        return arrivals[max(turn for turn in arrivals if turn <= turns)].code

    def _level(self, code: str) -> Level:
        """Return the level of ``code`` from the cache, or build it."""
        # Put back at the end: the dictionary is an LRU cache, and its first entry is dropped.
        level = self._levels.pop(code, None) or level_of(self._setup, parse_playable_code(code))
        self._levels[code] = level
        while sum(cached.tiles.size for cached in self._levels.values()) > MOST_TILES:
            del self._levels[next(iter(self._levels))]
        return level
