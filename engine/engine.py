"""The turn loop: the hero acts, time passes, then the monsters act."""

from engine.creatures.health import regenerate, tick_statuses
from engine.creatures.noise import action_noise
from engine.creatures.status_effects import action_after_statuses
from engine.items.effects.effect_registry import validate_items
from engine.levels.transitions import wilt
from engine.monsters.choose_action import Wakeups, behaviours_by_kind, choose_action
from engine.monsters.perception import Senses
from engine.monsters.wandering_monsters import send_wanderers
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.perform import perform, walks
from engine.state.actions import Action, AdjacentAction, Done, Refused, Wait
from engine.state.events import Arrived, Emit, Event, FoundGoal, Shifted, Spotted, creature_ref
from engine.state.game_state import TURN, GameState
from engine.terrain.door_actions import notice_secret_doors
from engine.terrain.fire import spread_fires
from engine.terrain.growth import grow_turn
from engine.terrain.levitation import sink
from engine.terrain.tile_effects import on_enter_tile
from entities.statuses import speed


def pass_time(state: GameState, time: int, emit: Emit) -> None:
    """Advance the clock by ``time`` units (`TURN` is one turn) and run each full turn's upkeep.

    Upkeep: the hero's healing, statuses, fire, seeds, the end of levitation, wandering monsters.
    """
    hero, before = state.hero, state.clock
    state.clock += time
    for turn in range(before // TURN + 1, state.clock // TURN + 1):
        if not hero.alive:
            return
        regenerate(hero, turn)
        stood = hero.x, hero.y, "levitating" in hero.statuses
        for creature in [creature for creature in state.map.entities.values() if creature.statuses]:
            tick_statuses(state, creature, emit)
        spread_fires(state, emit)
        grow_turn(state, emit)
        state.look()  # Blindness may have ended, and terrain changed.
        if hero.alive and stood != (hero.x, hero.y, "levitating" in hero.statuses):
            on_enter_tile(state, emit)  # Washed there by a flood, or no longer levitating.
        sink(state, emit)
        state.map.turns_here += 1
        send_wanderers(state, emit)


class Engine:
    """The turn loop: `step` takes an `Action` and returns the events, or why it was refused.

    `step` is the only way in and the events are the only way out. The player, the bots, the
    tests and replays all go through it, so recording the arguments of `step` records the run.
    """

    def __init__(self, state: GameState) -> None:
        # Validate the data now: a mistake in it must not surface mid-run.
        validate_items()
        behaviours_by_kind()
        self.state = state
        self._maps = DijkstraMaps(state.map)
        self._wakeups = Wakeups()
        self._worked = 0

    @property
    def work(self) -> int:
        """The number of Dijkstra maps computed so far: a measure of what replaying costs."""
        return self._worked + self._maps.made

    def step(self, action: Action) -> list[Event] | Refused:
        """Perform the hero's ``action``, let time pass, and return the events in order.

        A refused action changes nothing: no state, no clock, no random stream. Raises `ValueError`
        for an action on an adjacent tile that points further than one tile away.
        """
        if isinstance(action, AdjacentAction) and max(abs(action.dx), abs(action.dy)) > 1:
            raise ValueError(f"{action}: the tile is not adjacent")
        state = self.state
        if not state.hero.alive:
            return Refused("dead")
        if state.home is not None:
            return Refused("home")
        events: list[Event] = []
        spotted = {creature.id for creature in state.map.entities_in_view()}
        # What statuses leave of the action: a hero in a net neither walks nor is heard walking.
        doing = action_after_statuses(state, state.hero, action)
        outcome = perform(state, state.hero, doing, events.append)
        if isinstance(outcome, Refused):
            # Run files record performed actions only. If a refused one drew a random number or
            # took time, a replay, which never sees it, would end in a different state.
            return outcome
        state.turn += 1
        arrived = Arrived in map(type, events)
        # As the hero walks, an infinite map takes over chunks from the loader thread only here.
        # At a fixed place in the turn, the speed of the thread cannot change the results.
        if (moved := state.recentre()) != (0, 0):
            events.append(Shifted(*moved))
            wilt(state, events.append)
        if arrived:
            spotted = {state.hero.id}  # A new level: every creature in view is newly spotted.
        else:
            notice_secret_doors(state, events.append, waiting=isinstance(doing, Wait))
            state.look()
        state.noises.append(action_noise(state.hero, doing, events))
        self._spot(spotted, events)
        time = 0 if arrived else outcome.time * 100 // speed(state.hero)
        if time:
            pass_time(state, time, events.append)
            if Arrived not in map(type, events):  # Else the hero fell, and acts first down there.
                self._others_act(time, events)
            self._spot(spotted, events)
        else:
            self._wakeups = Wakeups()
        if state.map.goal and state.map.goal_found and not state.map.goal_known:
            state.map.goal_known = True
            events.append(FoundGoal(state.map.goal))
        state.noises.clear()
        return events

    def _spot(self, spotted: set[int], events: list[Event]) -> None:
        """Append `Spotted` for each creature in view of a living hero that is not ``spotted``."""
        for creature in self.state.map.entities_in_view():
            if creature.id not in spotted and self.state.hero.alive:
                spotted.add(creature.id)
                events.append(Spotted(creature_ref(creature)))

    def _others_act(self, time: int, events: list[Event]) -> None:
        """Give each monster the energy for ``time`` units and let it act, oldest first.

        Energy scheduling: energy grows with speed, and an action needs `TURN` of it: a monster at
        double speed acts twice a turn. Undisturbed monsters gain none and are skipped to save time.
        """
        state = self.state
        # Dijkstra maps are cached until the terrain changes; monsters share them within a turn.
        if self._maps.map is not state.map or self._maps.tile_edits != state.map.tile_edits:
            self._worked += self._maps.made
            self._maps = DijkstraMaps(state.map)
        self._wakeups.senses = senses = Senses(state, self._maps)
        emit, hero, body, moved = events.append, state.hero, state.hero.fighter, False
        for creature in self._wakeups.disturbed(state, events):
            energy, fighter, statuses = creature.energy, creature.fighter, creature.statuses
            pace = speed(creature) if statuses else energy.speed
            stored = energy.stored + time * pace // 100
            # A monster can die in its own turn (a ring of thorns): check every time.
            while stored >= TURN and fighter.hp > 0 and body.hp > 0:
                if moved:  # The last action moved the hero.
                    self._wakeups.senses = senses = Senses(state, self._maps)
                    moved = False
                action = choose_action(state, creature, senses, emit)
                if statuses:
                    action = action_after_statuses(state, creature, action)
                if type(action) is Wait or walks(state, creature, action, emit):
                    stored -= TURN  # The usual cases; both take this time.
                    continue
                outcome = perform(state, creature, action, emit)
                stored -= outcome.time if isinstance(outcome, Done) else TURN
                moved = senses.place != (hero.x, hero.y)
            if stored != energy.stored:  # Most have as much as before.
                energy.stored = stored
