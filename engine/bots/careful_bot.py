"""The careful bot: rests, changes equipment, identifies items, forecasts fights, and flees."""

from collections.abc import Collection
from functools import cache
from typing import ClassVar

import numpy as np

from components.inventory import Item
from engine.bots import emergency, tactics
from engine.bots.simple_bot import Bot
from engine.creatures.health import can_regenerate
from engine.creatures.levelling import experience_of
from engine.items.aiming import fire_aim
from engine.monsters.combat_forecast import Danger, combined_danger, fight_cost, forecast
from engine.monsters.wandering_monsters import LevelAlert, level_alert
from engine.pathfinding.auto_travel import Journey, explore, rest
from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import Action, Choose, Climb, Descend, Equip, Fire, Strike, Use, Wait
from engine.state.game_state import GameState
from engine.state.identification import is_identified, knows_pack
from entities.entity import Entity
from entities.equipment import equipped
from entities.item_kinds import SLOTS, item_class_of, item_kinds
from entities.pack import improvable
from entities.target_shapes import TargetShape
from procgen.blueprint import Point

USE_AT_ONCE = ("life_potion", "enchanting_scroll", "insight_scroll", "mapping_scroll")
"""Items that are used as soon as they are identified."""


def better_gear(hero: Entity, slots: Collection[str]) -> Action | None:
    """Return the action that equips a better item in one of ``slots``, None if there is none."""
    ids = hero.equipment.values()
    for item in hero.inventory:
        slot = _gear(item.kind)[0]
        if slot and slot in slots and item.id not in ids:
            now = equipped(hero, slot)
            if _merit(item) > (_merit(now) if now else 0):
                return Equip(item.id)
    return None


def _merit(item: Item) -> float:
    return _gear(item.kind)[1] + (item.bonus if item.identified else 0)


@cache
def _gear(name: str) -> tuple[str | None, float]:
    """Return the slot of items of this kind, and their value without a bonus."""
    kind = item_kinds()[name]
    drawback = 2 * ("noisy" in kind.worn_abilities) + 3 * ("unmending" in kind.worn_abilities)
    gain = 2 * ("mending" in kind.worn_abilities)
    return item_class_of(name).slot, kind.power + 1.5 * kind.defense + gain - drawback


def identify_by_use(state: GameState) -> Action | None:
    """Return the use of an unidentified potion or scroll, or of one in `USE_AT_ONCE`, or None."""
    hero = state.hero
    for item in hero.inventory:
        kind = item_kinds()[item.kind]
        if kind.item_class not in ("potion", "scroll") or kind.target is None:
            continue
        if is_identified(state, item.kind) and item.kind not in USE_AT_ONCE:
            continue
        if item.kind == "insight_scroll" and knows_pack(state, hero):
            continue
        if kind.target.shape is not TargetShape.ITEM:
            return Use(item.id)
        worn = (equipped(hero, slot) for slot in ("armour", "weapon", "bow"))
        if best := next((one for one in worn if one and improvable(one)), None):
            return Use(item.id, on=best.id)
    return None


TALENTS = ("tough", "strong", "guarded", "harvest", "hardy", "thornskin", "cornered", "swift")
"""Talents, most preferred first."""
RESTED, WOUNDED, DYING = 0.9, 0.5, 0.35
COSTLY = 0.6
"""A fight that costs more than this share of the hit points is avoided or eased by items."""
WORTH_A_SEED, PLANTED_AMONG = 0.3, 6
"""Seeds are planted among foes that would take more than this share of the hit points.

The second number is the greatest distance to such a foe, in tiles.
"""
MOST_FLIGHTS = 4
"""Escapes up the stairs without progress after which the bot stands and fights.

Stairs take no time: without this limit, a bot could go up and down them for ever.
"""
STUCK_TURNS = 600
"""Turns without progress after which the bot fights whatever the odds and leaves the level."""
SLEEPER_DISTANCE = 8
"""Monsters asleep or unaware are attacked only within this distance, in tiles."""
WORTH_ATTACKING = (Danger.HARMLESS, Danger.EASY, Danger.FAIR)


class CarefulBot(Bot):
    """Plays to reach the next depth alive, and to bring the First Seed home.

    It changes equipment in ``slots`` only; ``plants`` says whether it plants the seeds it finds.
    """

    slots: ClassVar[Collection[str]] = SLOTS
    plants: ClassVar[bool] = True
    goes_home = True

    def __init__(self) -> None:
        super().__init__()
        self._flights = 0
        self._come_to = (0, 0)
        self._progress: tuple[int, ...] = ()
        self._progress_turn = 0

    def choose(self, state: GameState) -> Action:
        """Return the next action; count the escapes since the last progress."""
        come_to = state.deepest, experience_of(state.hero).points
        progress = *come_to, state.depth, int(np.count_nonzero(state.map.explored))
        if progress != self._progress:
            self._progress, self._progress_turn = progress, state.turn
        if come_to != self._come_to:
            self._come_to, self._flights = come_to, 0
        action = super().choose(state)
        self._flights += isinstance(action, Climb)
        return Descend(tactics.safest_choice(state)) if isinstance(action, Descend) else action

    def _learn(self, offered: list[str]) -> Action:
        return Choose(([name for name in TALENTS if name in offered] or offered)[0])

    def _prepare(self, state: GameState) -> Action | None:
        """Return the most urgent action while no monster is near."""
        hero = state.hero
        if (action := better_gear(hero, self.slots)) and not isinstance(self._last, Equip):
            return action
        rested = hero.fighter.hp >= RESTED * hero.fighter.max_hp
        if not rested or hero.statuses:
            dying = hero.statuses and hero.fighter.hp < DYING * hero.fighter.max_hp
            kinds = emergency.HEALING[: None if dying else 1]  # A fruit wilts: it comes first.
            return None if rested else emergency.drink_healing(state, kinds)
        if action := tactics.step_home(state):
            return action
        planting = emergency.plant_in_peace(state, self.tried) if self.plants else None
        # A bot that leaves would turn back again and again for a memory in view of an idle monster.
        memory = None if self._leaving else tactics.step_to_memory(state)
        return identify_by_use(state) or planting or memory

    def _plan(self, state: GameState) -> Journey:
        fighter, alert = state.hero.fighter, level_alert(state)
        share = fighter.hp / fighter.max_hp
        calm = alert in (LevelAlert.QUIET, LevelAlert.STIRRING)
        besieged = alert is LevelAlert.BESIEGED
        self._leaving = self._leaving or besieged
        disturbed = besieged or self._alarm
        if can_regenerate(state.hero) and share < (RESTED if calm else WOUNDED) and not disturbed:
            return rest(state)
        return self._journey_on(state)

    def _journey_on(self, state: GameState) -> Journey:
        if state.hollow:  # On the way home: explore until the stairs up are seen.
            return explore(state, avoid_exit=True, decides=True)
        return super()._journey_on(state)

    def _onward(self, state: GameState) -> Action:
        return tactics.step_home(state) or super()._onward(state)

    def _under_fire(self, state: GameState, place: Point) -> Action | None:
        fighter = state.hero.fighter
        drink = emergency.drink_healing(state) if fighter.hp < WOUNDED * fighter.max_hp else None
        return drink or super()._under_fire(state, place)

    def _fight(self, state: GameState) -> Action:
        """Return the action against the foes in view: a seed, a potion, an escape or an attack."""
        if state.turn - self._progress_turn > STUCK_TURNS:
            self._leaving = True
            return super()._fight(state)
        against = tactics.threatening_foes(state)
        if not against:
            return self._attack_sleeper(state)
        hero = state.hero
        share, price = hero.fighter.hp / hero.fighter.max_hp, fight_cost(hero, against)
        if self.plants and price > WORTH_A_SEED:
            # Before any potion: a seed weakens the foes from now on, and leaves a fruit.
            near = [foe for foe in against if state.hero.distance_to(foe) <= PLANTED_AMONG]
            if action := emergency.plant_among(state, near, self.tried):
                return action
        if share < WOUNDED and price > COSTLY and (action := emergency.drink_healing(state)):
            return action
        if (price > COSTLY or share < DYING) and (action := self._escape(state, against, share)):
            return action
        if len(against) > 1 and (action := tactics.step_to_narrow_place(state, against)):
            return action
        if victim := tactics.weakest_adjacent(state, against):
            return Strike(victim.x - hero.x, victim.y - hero.y)
        return self._engage(state, against)

    def _escape(self, state: GameState, against: list[Entity], share: float) -> Action | None:
        """Return an escape from a losing fight, or the use of an item that turns it, or None.

        After `MOST_FLIGHTS` escapes without progress the bot uses items instead, and fights.
        """
        near = [foe for foe in against if state.hero.distance_to(foe) <= 4]
        weary = self._flights >= MOST_FLIGHTS
        away = None if weary else emergency.flee_by_stairs(state, against)
        if not near:
            barrier = emergency.plant_barrier(state, against, self.tried) if self.plants else None
            return barrier or away
        desperate = weary or share < DYING
        if action := emergency.use_combat_item(state, near, desperate=desperate):
            return action
        if desperate and (action := emergency.throw_harmful(state, against)):
            return action
        return (emergency.drink_healing(state) if share < WOUNDED else None) or away

    def _engage(self, state: GameState, against: list[Entity]) -> Action:
        """Shoot the nearest foe, or wait for it to close in from two tiles, or walk up to it."""
        foe = against[0]
        place = Point(foe.x, foe.y)
        if fire_aim(state, state.hero, place).tiles == (place,):
            return Fire(foe.x, foe.y)
        shoots = forecast(state.hero, foe).monster_shot is not None
        if state.hero.distance_to(foe) == 2 and not shoots and not isinstance(self._last, Wait):
            return Wait()
        return tactics.step_towards(state, place) or self._onward(state)

    def _attack_sleeper(self, state: GameState) -> Action:
        """Attack a monster that is asleep or unaware if that is worth it; otherwise go on."""
        hero = state.hero
        for foe in enemies_in_view(state):
            if tactics.is_alert(foe) or hero.distance_to(foe) > SLEEPER_DISTANCE:
                continue
            worth = combined_danger(hero, [foe]) in WORTH_ATTACKING
            if not worth or forecast(hero, foe).received.hits is None:
                continue
            if hero.distance_to(foe) == 1:
                return Strike(foe.x - hero.x, foe.y - hero.y)
            if step := tactics.step_towards(state, (foe.x, foe.y)):
                return step
        return self._onward(state)


class SeedlessBot(CarefulBot):
    """A careful bot that plants no seeds: the difference shows what seeds are worth."""

    plants = False
