"""The loop: the hero acts, time passes, everyone else acts."""

from engine.creatures.health import mending_of
from engine.creatures.hearing import footfall
from engine.creatures.status_effects import tick
from engine.items.item_table import wares
from engine.monsters.choose_action import Senses, brains, think
from engine.monsters.wandering_monsters import stir
from engine.pathfinding.dijkstra_maps import Ways
from engine.perform import perform
from engine.state.actions import Action, Refused, Wait
from engine.state.events import Arrived, Event, Shifted, Spotted, Tell, who
from engine.state.game_state import TURN, World
from engine.terrain.door_actions import search
from engine.terrain.fire import blaze
from engine.terrain.levitation import sink
from entities.statuses import speed


def pass_time(world: World, time: int, tell: Tell) -> None:
    """Let ``time`` pass: wounds close and statuses run out with every full turn."""
    before = world.clock
    world.clock += time
    for turn in range(before // TURN + 1, world.clock // TURN + 1):
        if not world.hero.alive:
            return
        _mend(world, turn)
        for creature in [one for one in world.map.entities.values() if one.statuses]:
            tick(world, creature, tell)
        blaze(world, tell)
        sink(world, tell)
        stir(world, tell)


def _mend(world: World, turn: int) -> None:
    """Let the hero's wounds close, a point at a time."""
    fighter, pace = world.hero.fighter, mending_of(world.hero)
    if pace and turn % pace == 0:
        fighter.hp = min(fighter.max_hp, fighter.hp + 1)


STEP_COST = 100


class Engine:
    """Takes turns. `step` is the only way in, the events it returns the only way out."""

    def __init__(self, world: World) -> None:
        wares()  # Whoever plays learns at once of a thing that cannot be.
        self.world = world
        self._ways = Ways(world.map)
        self._worked = 0
        brains()

    @property
    def work(self) -> int:
        """How many distance maps were made so far: what the turns played would cost again."""
        return self._worked + self._ways.made

    def step(self, action: Action) -> list[Event] | Refused:
        """Let the hero do ``action`` and the world answer, or refuse it and change nothing."""
        world = self.world
        if not world.hero.alive:
            return Refused("dead")
        events: list[Event] = []
        known = {creature.id for creature in world.map.entities_in_view()}
        outcome = perform(world, world.hero, action, events.append)
        if isinstance(outcome, Refused):
            return outcome
        world.turn += 1
        arrived = any(isinstance(event, Arrived) for event in events)
        if (moved := world.roam()) != (0, 0):
            events.append(Shifted(*moved))
        if arrived:
            known = {world.hero.id}
        else:
            search(world, events.append, waiting=isinstance(action, Wait))
            world.look()
        world.noises.append(footfall(world.hero, action, events))
        self._spot(known, events)
        time = 0 if arrived else outcome.time * 100 // speed(world.hero)
        if time:
            pass_time(world, time, events.append)
            self._others_act(time, events)
            self._spot(known, events)
        world.noises.clear()
        return events

    def _spot(self, known: set[int], events: list[Event]) -> None:
        """Tell of whoever is in view and not yet ``known``."""
        for creature in self.world.map.entities_in_view():
            if creature.id not in known:
                known.add(creature.id)
                events.append(Spotted(who(creature)))

    def _others_act(self, time: int, events: list[Event]) -> None:
        """Let every creature spend the energy that ``time`` brings it, oldest first."""
        world = self.world
        if self._ways.map is not world.map or self._ways.edits != world.map.edits:
            self._worked += self._ways.made
            self._ways = Ways(world.map)
        senses = Senses(world, self._ways)
        for creature in world.map.near(world.hero.x, world.hero.y):
            mind = creature.mind
            if mind is None or not creature.alive:
                continue
            creature.energy.stored += time * speed(creature) // 100
            while creature.energy.stored >= STEP_COST and world.hero.alive:
                action = think(world, creature, senses, events.append)
                outcome = perform(world, creature, action, events.append)
                creature.energy.stored -= (
                    STEP_COST if isinstance(outcome, Refused) else outcome.time
                )
