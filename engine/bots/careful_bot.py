"""A player who rests, learns, dresses, looks before leaping, and knows when to be elsewhere."""

from components.inventory import Item
from engine.bots.emergency import heal, hurl, stairs, tricks
from engine.bots.simple_bot import Bot
from engine.bots.tactics import apart, awake, cost, foes, narrow_place, towards, weakest
from engine.creatures.health import heals
from engine.creatures.levelling import growth_of
from engine.items.aiming import fire_aim
from engine.items.effects.mind_and_item_effects import improvable
from engine.items.item_table import wares
from engine.monsters.combat_forecast import Danger, threat
from engine.monsters.wandering_monsters import Unrest, unrest
from engine.pathfinding.auto_travel import Journey, enemies_in_view, rest
from engine.state.actions import Action, Choose, Climb, Equip, Fire, Strike, Use, Wait
from engine.state.game_state import World
from engine.state.identification import knows
from entities.entity import Entity
from entities.item_kinds import sort_of
from entities.pack import slot_of, worn
from entities.target_shapes import Shape
from procgen.blueprint import Point

AT_ONCE = ("life_potion", "enchanting_scroll", "insight_scroll", "mapping_scroll")
"""What is best used as soon as it is known."""


def better_gear(hero: Entity) -> Action | None:
    """Return the putting on of something better than what is worn."""
    for item in hero.pack:
        slot = sort_of(item.kind).slot
        if slot is None or slot_of(hero, item):
            continue
        now = worn(hero, slot)
        if _merit(item) > (_merit(now) if now else 0):
            return Equip(item.id)
    return None


def _merit(item: Item) -> float:
    kind = wares()[item.kind]
    drawback = 2 * ("noisy" in kind.gifts) + 3 * ("unmending" in kind.gifts)
    gain = 2 * ("mending" in kind.gifts)
    return kind.power + 1.5 * kind.defense + (item.bonus if item.known else 0) + gain - drawback


def to_learn(world: World) -> Action | None:
    """Return the use of something whose kind is unknown, or of what is best used at once."""
    hero = world.hero
    for item in hero.pack:
        kind = wares()[item.kind]
        if kind.sort not in ("potion", "scroll") or kind.target is None:
            continue
        if knows(world, item.kind) and item.kind not in AT_ONCE:
            continue
        if kind.target.shape is Shape.ITEM:
            best = improved(hero)
            if best:
                return Use(item.id, on=best.id)
            continue
        return Use(item.id)
    return None


def improved(hero: Entity) -> Item | None:
    """Return the thing worn that is most worth improving: armour before weapons."""
    for slot in ("armour", "weapon", "ring"):
        item = worn(hero, slot)
        if item and improvable(item):
            return item
    return None


TALENTS = ("tough", "strong", "guarded", "hardy", "stubborn", "swift", "assassin")
"""What to learn, most wanted first."""
RESTED, WOUNDED, DYING = 0.9, 0.5, 0.35
DEAR = 0.6
"""A fight that would take more of one's hit points than this is better not fought plainly."""
FLIGHTS = 4
"""Flights up the stairs from which nothing came, after which one stands and fights.

Stairs take no time, so whoever waits on either side of them waits for ever.
"""
BOLD = (Danger.HARMLESS, Danger.EASY, Danger.FAIR)


class Careful(Bot):
    """Plays as somebody does who wants to see the next depth."""

    def __init__(self) -> None:
        super().__init__()
        self._flights = 0
        self._come_to = (0, 0)

    def choose(self, world: World) -> Action:
        """Return what to do now; count the flights since one last got any further."""
        come_to = world.deepest, growth_of(world.hero).experience
        if come_to != self._come_to:
            self._come_to, self._flights = come_to, 0
        action = super().choose(world)
        self._flights += isinstance(action, Climb)
        return action

    def _learn(self, offered: list[str]) -> Action:
        wanted = [name for name in TALENTS if name in offered]
        return Choose((wanted or offered)[0])

    def _prepare(self, _world: World) -> Action | None:
        """Return what to do first while nobody is near."""
        world, hero = _world, _world.hero
        if (action := better_gear(hero)) and not isinstance(self._last, Equip):
            return action
        whole = hero.fighter.hp >= RESTED * hero.fighter.max_hp
        return to_learn(world) if whole and not hero.statuses else None

    def _plan(self, world: World) -> Journey:
        fighter, mood = world.hero.fighter, unrest(world)
        share = fighter.hp / fighter.max_hp
        calm = mood in (Unrest.QUIET, Unrest.STIRRING)
        besieged = mood is Unrest.BESIEGED
        self._leaving = self._leaving or besieged
        if heals(world.hero) and share < (RESTED if calm else WOUNDED) and not besieged:
            return rest(world)
        return self._journey_on(world)

    def _under_fire(self, world: World, place: Point) -> Action | None:
        fighter = world.hero.fighter
        drink = heal(world) if fighter.hp < WOUNDED * fighter.max_hp else None
        return drink or super()._under_fire(world, place)

    def _fight(self, world: World) -> Action:
        against = foes(world)
        if not against:
            return self._unnoticed(world)
        hero = world.hero
        share, price = hero.fighter.hp / hero.fighter.max_hp, cost(world, against)
        if share < WOUNDED and price > DEAR and (action := heal(world)):
            return action
        if (price > DEAR or share < DYING) and (action := self._out(world, against, share)):
            return action
        if len(against) > 1 and (action := narrow_place(world, against)):
            return action
        if victim := weakest(world, against):
            return Strike(victim.x - hero.x, victim.y - hero.y)
        return self._meet(world, against)

    def _out(self, world: World, against: list[Entity], share: float) -> Action | None:
        """Return what gets one out of a fight that goes ill, or turns it.

        Who has fled in vain often enough uses up what there is instead, and fights.
        """
        near = [one for one in against if apart(world, one) <= 4]
        weary = self._flights >= FLIGHTS
        away = None if weary else stairs(world, against)
        if not near:
            return away
        desperate = weary or share < DYING
        if action := tricks(world, near, desperate=desperate):
            return action
        if desperate and (action := hurl(world, against)):
            return action
        return (heal(world) if share < WOUNDED else None) or away

    def _meet(self, world: World, against: list[Entity]) -> Action:
        """Shoot who comes, wait for who is near, go for who stays away."""
        foe = against[0]
        place = Point(foe.x, foe.y)
        found = fire_aim(world, world.hero, place)
        if found.why is None and found.tiles[-1:] == (place,):
            return Fire(foe.x, foe.y)
        shoots = threat(world.hero, foe).shot is not None
        if apart(world, foe) == 2 and not shoots and not isinstance(self._last, Wait):
            return Wait()
        return towards(world, place) or self._onward(world)

    def _unnoticed(self, world: World) -> Action:
        """Stab who sleeps if that is worth it; else pass by."""
        hero = world.hero
        for one in enemies_in_view(world):
            found = threat(hero, one)
            if awake(one) or found.danger not in BOLD or found.taken.hits is None:
                continue
            if apart(world, one) == 1:
                return Strike(one.x - hero.x, one.y - hero.y)
            if apart(world, one) <= 8 and (step := towards(world, (one.x, one.y))):
                return step
        return self._onward(world)
