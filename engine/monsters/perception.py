"""Perception and AI state changes: notice, wake up, lose track, search, flee."""

from functools import cache

from components import Ai, AiState
from engine.creatures.noise import FIGHTING, SCENT_TURNS, STILL, alert, shout
from engine.monsters.wandering_monsters import LevelAlert, level_alert
from engine.pathfinding.dijkstra_maps import ApproachMap, DijkstraMaps
from engine.state.events import CalledForHelp, Emit, Fled, LostTrack, Noticed, Woke, creature_ref
from engine.state.game_map import DARK, HIDDEN, is_hidden
from engine.state.game_state import GameState, Noise
from entities.creature_kinds import IMMOBILE, Hiding, MonsterTraits, creature_kinds
from entities.entity import Entity
from entities.light_levels import light_levels

FURTHEST_SIGHT = 12
"""No monster sees further than this, in tiles."""
DARK_SIGHT = 1
"""Tiles beyond the hero's sight radius at which monsters still see it in the dark."""
HUNTING, FLEEING, ASLEEP = AiState.HUNTING, AiState.FLEEING, AiState.ASLEEP
"""Constants, because Python 3.11 takes five times as long to look up an enumeration's member."""


class Senses:
    """The monsters' knowledge of a target in this turn: place, visibility, noises, paths.

    The target is the hero; in war a monster also has a `Senses` of an enemy. Shared by all monsters
    of a turn, so that field of view and Dijkstra ``maps`` are computed once.
    """

    def __init__(self, state: GameState, maps: DijkstraMaps, target: Entity | None = None) -> None:
        self.state = state
        self.maps = maps
        self.noises: list[Noise] = state.noises
        self.target = target = target or state.hero
        self.place = self.x, self.y = target.x, target.y
        self.unseen = "invisible" in target.statuses
        glow = state.map.glow
        lit = glow is None or bool(glow[target.y, target.x])
        furthest = FURTHEST_SIGHT if lit else light_levels()[DARK].sight + DARK_SIGHT
        self._out_of_sight = furthest * furthest
        self._view: tuple[int, int, memoryview] | None = None
        self._reach = FURTHEST_SIGHT
        for noise in state.noises:
            carries = (noise.loudness + self.distance(noise.x, noise.y)) * _keenest_hearing() // 100
            self._reach = max(self._reach, carries)

    def in_range(self, creature: Entity) -> bool:
        """Return False if ``creature`` is too far away to see the target or to hear any noise."""
        right, down, reach = creature.x - self.x, creature.y - self.y, self._reach
        return -reach <= right <= reach and -reach <= down <= reach

    def distance_to(self, creature: Entity) -> int:
        """Return the distance of ``creature`` from the target in tiles, 1 if adjacent."""
        return max(abs(self.x - creature.x), abs(self.y - creature.y))

    def distance(self, x: int, y: int) -> int:
        """Return the distance of (x, y) from the target in tiles."""
        return max(abs(self.x - x), abs(self.y - y))

    def within(self, creature: Entity, reach: int) -> bool:
        """Return True if ``creature`` is within a circle of radius ``reach`` around the target."""
        return (self.x - creature.x) ** 2 + (self.y - creature.y) ** 2 <= reach**2

    def sees(self, creature: Entity) -> bool:
        """Return True if ``creature`` sees the target; an adjacent one always does.

        Like the hero's view, a circle ends before its radius: at the same sight, both see equally.
        """
        right, down = creature.x - self.x, creature.y - self.y
        squared = right * right + down * down
        if squared <= 2 or squared >= self._out_of_sight:
            return squared <= 2  # That is adjacent.
        assert creature.ai
        sight = creature.ai.sight
        if squared >= sight * sight or self.unseen or "blind" in creature.statuses:
            return False
        # Computed once a turn: sight is symmetric, so all monsters in this view see the target.
        if self._view is None:
            (rows, columns), seen = self.maps.seen_from(self.x, self.y, FURTHEST_SIGHT)
            self._view = columns.start, rows.start, seen.data  # Twice as fast as the array.
        left, top, tiles = self._view
        return bool(tiles[creature.y - top, creature.x - left])

    def approach_map(self, creature: Entity) -> ApproachMap:
        """Return the Dijkstra map towards the target, through doors if ``creature`` opens them."""
        return self.maps.to(self.x, self.y, self.maps.opens_doors(creature))


UNCONCERNED = (AiState.ASLEEP, AiState.HIDDEN, AiState.FLEEING)
"""The states in which a monster ignores enemies in war."""


def senses_of_enemy(state: GameState, creature: Entity, senses: Senses) -> Senses | None:
    """Return the senses of ``creature`` for the nearest monster of another side that it sees.

    None if it hunts the hero in sight and no enemy is nearer. None, too, if it is unhurt and does
    not see the hero: otherwise the battle would be over before the hero arrives.
    """
    ai, sees = creature.ai, senses.sees(creature)
    unhurt = creature.fighter.hp == creature.fighter.max_hp
    if ai is None or ai.state in UNCONCERNED or (unhurt and not sees):
        return None
    hunts = sees and ai.state is AiState.HUNTING
    reach = senses.distance_to(creature) if hunts else FURTHEST_SIGHT + 1
    enemies = [foe for foe in state.map.entities.values() if state.map.are_at_war(creature, foe)]
    near = [foe for foe in enemies if creature.distance_to(foe) < reach and not is_hidden(foe)]
    seen = [one for one in (Senses(state, senses.maps, foe) for foe in near) if one.sees(creature)]
    return min(seen, key=lambda sense: sense.distance_to(creature), default=None)


@cache
def _keenest_hearing() -> int:
    return max(100, *(kind.traits.hearing for kind in creature_kinds().values()))


NOTICE_RANGE = 3
"""An awake monster notices the hero at once within this many tiles."""
NOTICE_CHANCE, NOTICE_STILL_CHANCE = 0.75, 0.35
"""The chance per turn to notice a hero in sight but farther away, and one that stands still."""
WAKE_CHANCE = 0.3
"""The chance to be woken by an adjacent noise; it falls to 0 where the noise fades."""

FLEE_TURNS = 14
"""Turns for which a wounded monster flees; one that is afraid flees as long as that lasts."""
AMBUSH_RANGE = 2
"""The distance at which an ambush begins, in tiles."""
PACK_ALERT_RANGE = 4
"""A pack monster that notices the hero alerts its kind within this many tiles."""


def perceive(state: GameState, creature: Entity, senses: Senses, emit: Emit) -> bool:
    """Let ``creature`` look, listen and notice damage, and change its AI state.

    Return True if it hunts the hero and sees it.
    """
    ai, hp = creature.ai, creature.fighter.hp
    assert ai
    hurt = hp < ai.last_seen_hp
    if hp != ai.last_seen_hp:  # To compare takes a quarter of the time to store.
        ai.last_seen_hp = hp
    if ai.cooldown > 0:
        ai.cooldown -= 1
    if hurt or creature.statuses:
        _feel(state, creature, senses, emit, hurt=hurt)
    ai_state = ai.state
    if ai_state is HUNTING:
        if senses.sees(creature):
            ai.state_turns_left, ai.goal = ai.memory_turns, senses.place
            return True
        left = ai.state_turns_left
        if ai.goal is None or ai.memory_turns - left < SCENT_TURNS:
            ai.goal = senses.place
        ai.state_turns_left = left - 1
        if left <= 1:
            _lose_track(creature, ai, senses, emit)
        return False
    traits = creature_kinds()[creature.kind].traits
    if ai_state is FLEEING:
        ai.state_turns_left -= 1
        if ai.state_turns_left <= 0:
            ai.state, ai.state_turns_left = HUNTING, ai.memory_turns
            return senses.sees(creature)
    elif ai_state is HIDDEN:
        if senses.distance_to(creature) <= AMBUSH_RANGE and senses.sees(creature):
            _hunt(state, creature, senses, emit)
            return True
    elif ai_state is ASLEEP:
        if noise := _heard(state, creature, traits, senses, asleep=True):
            _investigate(creature, noise)
            emit(Woke(creature_ref(creature)))
    elif senses.sees(creature):
        if _notices(state, creature, senses):
            _hunt(state, creature, senses, emit)
            return True
    elif noise := _heard(state, creature, traits, senses, asleep=False):
        _investigate(creature, noise)
    elif ai_state is AiState.SEARCHING:
        ai.state_turns_left -= 1
        if ai.state_turns_left <= 0:
            _give_up(ai, traits, seen=bool(state.map.visible[creature.y, creature.x]))
    return False


def _feel(state: GameState, creature: Entity, senses: Senses, emit: Emit, *, hurt: bool) -> None:
    """Let ``creature`` flee if it is afraid or badly hurt; a lesser wound makes it hunt."""
    ai, fighter = creature.ai, creature.fighter
    assert ai
    flees_below = creature_kinds()[creature.kind].traits.flee_below
    weakened = hurt and fighter.hp < flees_below * fighter.max_hp
    if weakened or "afraid" in creature.statuses:
        if ai.state is not FLEEING:
            if ai.behaviour not in IMMOBILE:
                emit(Fled(creature_ref(creature)))
            ai.state, ai.state_turns_left = FLEEING, 0
        least = FLEE_TURNS if weakened else 2  # One of them passes in this turn.
        ai.state_turns_left = max(ai.state_turns_left, least)
    elif hurt and ai.state is not FLEEING:
        _hunt(state, creature, senses, emit)


def _hunt(state: GameState, creature: Entity, senses: Senses, emit: Emit) -> None:
    """Start to hunt the hero; alert the pack and all monsters within earshot of a shout."""
    ai = creature.ai
    assert ai
    if ai.state is not HUNTING:
        emit(Noticed(creature_ref(creature)))
        traits = creature_kinds()[creature.kind].traits
        if traits.pack[1] > 1:
            shout(state, creature, PACK_ALERT_RANGE, kin=True)
        if traits.shout_radius and ai.cooldown == 0:
            emit(CalledForHelp(creature_ref(creature)))
            shout(state, creature, traits.shout_radius)
            ai.cooldown = ai.memory_turns
    ai.state, ai.state_turns_left, ai.goal = HUNTING, ai.memory_turns, senses.place


def _lose_track(creature: Entity, ai: Ai, senses: Senses, emit: Emit) -> None:
    """Let ``creature`` give up, unless it came by the stairs and the level is alerted."""
    if creature.spawned_in_play and level_alert(senses.state) is not LevelAlert.QUIET:
        # Hunters of an alerted level keep coming: otherwise waiting them out would be safe.
        ai.state_turns_left, ai.goal = ai.memory_turns, senses.place
    else:
        traits = creature_kinds()[creature.kind].traits
        _give_up(ai, traits, seen=bool(senses.state.map.visible[creature.y, creature.x]))
        emit(LostTrack(creature_ref(creature)))


def _give_up(ai: Ai, traits: MonsterTraits, *, seen: bool) -> None:
    """Return to hiding unless ``seen`` by the hero, or to wandering or idling, as the kind does."""
    ai.goal = None
    if traits.hides is not Hiding.NOWHERE and not seen:
        ai.state = HIDDEN
    else:
        ai.state = AiState.WANDERING if traits.roams else AiState.IDLE


def _notices(state: GameState, creature: Entity, senses: Senses) -> bool:
    if senses.distance_to(creature) <= NOTICE_RANGE:
        return True
    quiet = all(noise.loudness <= STILL for noise in senses.noises)
    return state.stream("senses").chance(NOTICE_STILL_CHANCE if quiet else NOTICE_CHANCE)


def _heard(
    state: GameState, creature: Entity, traits: MonsterTraits, senses: Senses, *, asleep: bool
) -> Noise | None:
    """Return the first noise that ``creature`` hears, or that wakes it if it is ``asleep``."""
    for noise in senses.noises:
        loudness = _audibility(creature, traits, senses, noise)
        if loudness > 0 and (not asleep or state.stream("senses").chance(WAKE_CHANCE * loudness)):
            return noise
    return None


def _audibility(creature: Entity, traits: MonsterTraits, senses: Senses, noise: Noise) -> float:
    """Return the loudness of ``noise`` for ``creature``: 1 next to it, 0 if not heard."""
    carries = noise.loudness * traits.hearing // 100
    right, down = creature.x - noise.x, creature.y - noise.y
    if not (carries and -carries <= right <= carries and -carries <= down <= carries):
        return 0.0
    steps = senses.maps.to(noise.x, noise.y, traits.doors).at(creature.x, creature.y)
    return max(0.0, 1 - (steps - 1) / carries)


def _investigate(creature: Entity, noise: Noise) -> None:
    """Let ``creature`` search the place where ``noise`` came from, a boss only be awake."""
    alert(creature, noise.x, noise.y)
    if creature.ai and creature.ai.state is AiState.SEARCHING:
        extra = noise.loudness if noise.loudness >= FIGHTING else 0
        creature.ai.state_turns_left = creature.ai.memory_turns + extra
