"""Levelling: experience, levels and a talent for each; monsters get stronger by depth instead."""

from components import Experience
from components.fighter import HIGHEST_LEVEL
from components.inventory import Item
from engine.state.action_registry import handles
from engine.state.actions import Choose, Done, Outcome, Refused
from engine.state.events import Dropped, Emit, Learned, LeveledUp, creature_ref
from engine.state.game_state import GameState
from engine.state.identification import identify, item_ref
from engine.state.run_setup import LAST_DEPTH
from entities.creature_kinds import creature_kinds, make_creature
from entities.entity import Entity
from entities.item_kinds import item_kinds
from entities.pack import give_new
from entities.talents import talents
from procgen.rng import Rng

FIRST_LEVEL_UP = 45
"""Experience for level 2; each later level takes this much more than the one before."""
TALENT_CHOICES = 3
EXTRA_HIT_POINTS = 10
"""Percent of hit points added by each depth below the last; every other depth adds 1 power."""


def make_monster(kind: str, number: int, x: int, y: int, depth: int) -> Entity:
    """Return a new monster of ``kind`` at (x, y), made stronger if ``depth`` is below the last."""
    creature, below = make_creature(kind, number, x, y), depth - LAST_DEPTH
    if below > 0:
        fighter, percent = creature.fighter, 100 + EXTRA_HIT_POINTS * below
        fighter.max_hp = fighter.hp = min(100_000, fighter.max_hp * percent // 100)
        fighter.power = min(100_000, fighter.power + (below + 1) // 2)
        if creature.ai:
            creature.ai.last_seen_hp = fighter.hp
    return creature


def experience_of(hero: Entity) -> Experience:
    """Return the experience of ``hero``; zero experience for a creature without any."""
    return hero.experience or Experience()


def experience_value(kind: str) -> int:
    """Return the experience for killing a ``kind``: from its data, or computed from its stats."""
    form = creature_kinds()[kind]
    return form.experience or form.hp // 2 + 2 * form.power + 3 * form.defense


def experience_for_level(level: int) -> int:
    """Return the total experience at which ``level`` is reached."""
    return FIRST_LEVEL_UP * (level - 1) * level // 2


def gain_experience(state: GameState, creature: Entity, emit: Emit) -> None:
    """Give a living hero the experience for killing ``creature``; none for one summoned in play."""
    xp = state.hero.experience
    if xp is None or creature.spawned_in_play or not state.hero.alive:
        return
    xp.points += experience_value(creature.kind)
    while xp.level < HIGHEST_LEVEL and xp.points >= experience_for_level(xp.level + 1):
        xp.level += 1
        emit(LeveledUp(creature_ref(state.hero), xp.level))


def talents_owed(hero: Entity) -> int:
    """Return the number of talents that ``hero`` may still choose, its background included."""
    later = sum(talent.times for talent in talents().values() if talent.level > 1)
    xp = experience_of(hero)
    return min(xp.level, 1 + later) - len(xp.talents)


def offered_talents(state: GameState) -> list[str]:
    """Return the talents to choose from now, [] if no choice is open.

    They depend on the run's seed and the talents chosen before, so they stay until the next choice.
    """
    chosen = experience_of(state.hero).talents
    return _offer(state.setup.seed, chosen) if talents_owed(state.hero) > 0 else []


def _offer(seed: int, chosen: list[str]) -> list[str]:
    """Return the offer after the talents ``chosen``: other ones than before, if enough are left."""
    level = len(chosen) + 1
    before = _offer(seed, chosen[:-1]) if chosen else []
    available = [
        name
        for name, talent in talents().items()
        if chosen.count(name) < talent.times
        and talent.level <= level
        and (talent.level > 1 or level == 1)
    ]
    drawn = Rng(seed, "talents", level).shuffled(available)
    drawn.sort(key=lambda name: name in before)  # Those last that were refused before.
    return [name for name in available if name in drawn[:TALENT_CHOICES]]


@handles(Choose)
def choose_talent(state: GameState, actor: Entity, action: Choose, emit: Emit) -> Outcome:
    """Learn one of the offered talents; it takes no time."""
    if actor is not state.hero or action.talent not in offered_talents(state):
        return Refused("not offered")
    talent, fighter, xp = talents()[action.talent], actor.fighter, experience_of(actor)
    xp.talents.append(action.talent)
    # Only who is unhurt gains them at once: a talent kept for later would be the best potion.
    fighter.hp += talent.hp if fighter.hp == fighter.max_hp else 0
    fighter.max_hp += talent.hp
    fighter.power += talent.power
    fighter.defense += talent.defense
    if fighter.regeneration_turns:
        fighter.regeneration_turns = max(1, fighter.regeneration_turns - talent.faster_regeneration)
    emit(Learned(creature_ref(actor), action.talent))
    for name, kind in item_kinds().items():
        if name in talent.items or kind.item_class == talent.knows:
            identify(state, Item(0, name), lambda _: None)  # The talent's text tells it.
    for name, count in talent.items.items():
        if item := give_new(actor, name, count, state.new_id()):
            state.map.add_item(item, actor.x, actor.y)
            emit(Dropped(creature_ref(actor), item_ref(state, item)))
    return Done(0)
