"""The loop: the hero acts, time passes, everyone else acts."""

from engine.creatures.health import turns_per_hit_point
from engine.creatures.hearing import action_noise
from engine.creatures.status_effects import tick_statuses
from engine.items.item_table import item_table
from engine.monsters.choose_action import Senses, behaviours_by_kind, choose_action
from engine.monsters.wandering_monsters import send_wanderers
from engine.pathfinding.dijkstra_maps import DijkstraMaps
from engine.perform import perform
from engine.state.actions import Action, Refused, Wait
from engine.state.events import Arrived, Emit, Event, FoundGoal, Shifted, Spotted, creature_ref
from engine.state.game_state import TURN, GameState
from engine.terrain.door_actions import notice_secret_doors
from engine.terrain.fire import spread_fires
from engine.terrain.levitation import sink
from entities.statuses import speed


def pass_time(state: GameState, time: int, emit: Emit) -> None:
    """Let ``time`` pass: wounds close and statuses run out with every full turn."""
    before = state.clock
    state.clock += time
    for turn in range(before // TURN + 1, state.clock // TURN + 1):
        if not state.hero.alive:
            return
        _mend(state, turn)
        for creature in [one for one in state.map.entities.values() if one.statuses]:
            tick_statuses(state, creature, emit)
        spread_fires(state, emit)
        sink(state, emit)
        send_wanderers(state, emit)


def _mend(state: GameState, turn: int) -> None:
    """Let the hero's wounds close, a point at a time."""
    fighter, pace = state.hero.fighter, turns_per_hit_point(state.hero)
    if pace and turn % pace == 0:
        fighter.hp = min(fighter.max_hp, fighter.hp + 1)


STEP_COST = 100


class Engine:
    """Takes turns. `step` is the only way in, the events it returns the only way out."""

    def __init__(self, state: GameState) -> None:
        item_table()  # Whoever plays learns at once of a thing that cannot be.
        self.state = state
        self._ways = DijkstraMaps(state.map)
        self._worked = 0
        behaviours_by_kind()

    @property
    def work(self) -> int:
        """The number of distance maps made so far: the cost of replaying these turns."""
        return self._worked + self._ways.made

    def step(self, action: Action) -> list[Event] | Refused:
        """Let the hero do ``action`` and the world answer, or refuse it and change nothing."""
        state = self.state
        if not state.hero.alive:
            return Refused("dead")
        events: list[Event] = []
        known = {creature.id for creature in state.map.entities_in_view()}
        goal_known = state.map.beacon_found
        outcome = perform(state, state.hero, action, events.append)
        if isinstance(outcome, Refused):
            return outcome
        state.turn += 1
        arrived = any(isinstance(event, Arrived) for event in events)
        if (moved := state.recentre()) != (0, 0):
            events.append(Shifted(*moved))
        if arrived:
            known = {state.hero.id}
        else:
            notice_secret_doors(state, events.append, waiting=isinstance(action, Wait))
            state.look()
        goal_known &= not arrived
        state.noises.append(action_noise(state.hero, action, events))
        self._spot(known, events)
        time = 0 if arrived else outcome.time * 100 // speed(state.hero)
        if time:
            pass_time(state, time, events.append)
            self._others_act(time, events)
            self._spot(known, events)
        if state.map.beacon and state.map.beacon_found and not goal_known:
            events.append(FoundGoal(state.map.beacon))
        state.noises.clear()
        return events

    def _spot(self, known: set[int], events: list[Event]) -> None:
        """Tell of whoever is in view and not yet ``known``."""
        for creature in self.state.map.entities_in_view():
            if creature.id not in known:
                known.add(creature.id)
                events.append(Spotted(creature_ref(creature)))

    def _others_act(self, time: int, events: list[Event]) -> None:
        """Let every creature spend the energy that ``time`` brings it, oldest first."""
        state = self.state
        if self._ways.map is not state.map or self._ways.edits != state.map.edits:
            self._worked += self._ways.made
            self._ways = DijkstraMaps(state.map)
        senses = Senses(state, self._ways)
        for creature in state.map.near(state.hero.x, state.hero.y):
            ai = creature.ai
            if ai is None or not creature.alive:
                continue
            creature.energy.stored += time * speed(creature) // 100
            # A monster can die in its own turn (a ring of thorns): ask every time.
            while creature.energy.stored >= STEP_COST and creature.alive and state.hero.alive:
                action = choose_action(state, creature, senses, events.append)
                outcome = perform(state, creature, action, events.append)
                creature.energy.stored -= (
                    STEP_COST if isinstance(outcome, Refused) else outcome.time
                )
