"""Item commands: what can be done with an item, and the action or aiming that performs it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from components.inventory import Item
from engine.combat.targeting import Aim
from engine.items import aiming
from engine.items.item_actions import ARMOUR_TIME, handling_time
from engine.pathfinding.threats import enemies_in_view
from engine.state.actions import Action, Drop, Equip, Fire, TakeOff, Throw, Use
from engine.state.game_state import GameState
from entities.equipment import slot_of
from entities.item_kinds import item_class_of, item_kinds
from entities.pack import find_item
from entities.target_shapes import TargetShape
from procgen.analysis.distances import DIRECTIONS
from procgen.blueprint import Point
from render.messages.names import single_item_name


class ItemCommand(NamedTuple):
    """A command for an item: its word, its key, and its label."""

    word: str
    key: str
    text: str


def item_commands(state: GameState, item: Item) -> list[ItemCommand]:
    """Return the commands for ``item``, the most likely first."""
    item_class, kind = item_class_of(item.kind), item_kinds()[item.kind]
    on = slot_of(state.hero, item) is not None
    takes = f" ({ARMOUR_TIME // 100} turns)" if item_class.slot == "armour" else ""
    choices, slowly = [], takes if on else ""
    if item_class.slot:
        held = {"weapon": "wield", "bow": "sling it on your back"}
        off = "put it away" if item_class.slot in held else f"take it off{takes}"
        verb = held.get(item_class.slot, f"put on{takes}")
        choices.append(ItemCommand("take off", "e", off) if on else ItemCommand("equip", "e", verb))
    elif kind.target and kind.item_class != "missile":
        choices.append(ItemCommand("use", "a", item_class.verb))
    several = item.count > 1
    if (ready := aiming.ammunition(state.hero)) and ready[0] and ready[1] is item:
        choices.append(ItemCommand("fire", "f", "shoot one" if several else "shoot it"))
    choices.append(ItemCommand("throw", "t", "throw one" if several else f"throw it{slowly}"))
    choices.append(ItemCommand("drop", "d", "drop them" if several else f"drop it{slowly}"))
    return [ItemCommand(word, key, f"{text[:1].upper()}{text[1:]}") for word, key, text in choices]


def needs_aim(state: GameState, word: str, item: Item) -> bool:
    """Return whether the command ``word`` shows its tiles first: it needs a target, or plants."""
    plants = item_kinds()[item.kind].seed and not aiming.aim_of(state, state.hero, item, None).why
    return word == "throw" or (word == "use" and (plants or aiming.needs_target(state, item)))


def action_for(
    word: str, item: Item, target: Point | None = None, other: Item | None = None
) -> Action:
    """Return the action of a command, at ``target`` or on the item ``other`` if it needs one."""
    match word:
        case "drop":
            return Drop(item.id)
        case "equip":
            return Equip(item.id)
        case "take off":
            return TakeOff(item.id)
        case "throw":
            assert target
            return Throw(item.id, target.x, target.y)
    return Use(item.id, (target.x, target.y) if target else None, other.id if other else None)


@dataclass(frozen=True)
class ItemAim:
    """A command to aim: its verb, the item's name, and affected tiles and action by target.

    It is not ``harmful`` if it hurts no creature there; ``power`` is that of a missile, else 0.
    ``warning`` is a sentence to read before aiming. ``here``: it acts around the hero only.
    """

    verb: str
    name: str
    aim_at: Callable[[Point], Aim]
    action: Callable[[Point], Action]
    harmful: bool = True
    power: int = 0
    warning: str = ""
    here: bool = False


@dataclass
class LastItemCommand:
    """The last item command and its target, for the repeat key."""

    word: str
    kind: str
    item: int
    foe: int | None = None


def item_aim(state: GameState, word: str, item: Item) -> ItemAim:
    """Return the command ``word`` with ``item`` as a command to aim."""
    kind = item_kinds()[item.kind]
    useless = word == "throw" and not kind.damage and kind.shatters is None
    turns = handling_time(state.hero, item) // 100
    slow = f"No damage, and {turns} turns to take it off."
    verb = "throw" if word == "throw" else item_class_of(item.kind).verb
    aim = aiming.throw_aim if word == "throw" else aiming.aim_of
    return ItemAim(
        verb,
        single_item_name(state, item),
        lambda target: aim(state, state.hero, item, target),
        lambda target: action_for(word, item, target),
        harmful=word != "use" or kind.seed is None,
        power=aiming.missile_power(state.hero, item, None) if word == "throw" else 0,
        warning=(slow if turns > 1 else "It does no damage.") * useless,
        here=word == "use" and kind.target is not None and kind.target.shape is TargetShape.SELF,
    )


def fire_command(state: GameState) -> ItemAim | None:
    """Return a shot or throw of the available ammunition, None without any."""
    ammunition = aiming.ammunition(state.hero)
    if ammunition is None:
        return None
    bow, missile = ammunition
    return ItemAim(
        "shoot" if bow else "throw",
        single_item_name(state, missile),
        lambda target: aiming.fire_aim(state, state.hero, target),
        lambda target: Fire(target.x, target.y),
        power=aiming.missile_power(state.hero, missile, bow),
    )


def first_target(state: GameState, shot: ItemAim, foe: int | None) -> Point:
    """Return ``foe`` or the nearest monster, those in reach first; the hero if none is in view.

    A seed is aimed at another tile beside the hero if nothing can grow there.
    """
    foes = enemies_in_view(state)
    ranked = sorted(foes, key=lambda other: other.id != foe)  # stable: others stay by distance
    x, y = state.hero.x, state.hero.y
    places = [Point(other.x, other.y) for other in ranked if not shot.here] or [Point(x, y)]
    if not shot.harmful:
        places += [Point(x + dx, y + dy) for dx, dy in DIRECTIONS]
    return next((place for place in places if shot.aim_at(place).why is None), places[0])


def repeat_command(state: GameState, last: LastItemCommand) -> Action | ItemAim | None:
    """Return the action that repeats ``last``, or the command to aim; None if it is impossible.

    It is aimed at the same monster or, if that is gone, at the nearest one in reach.
    """
    if last.word == "fire":
        shot = fire_command(state)
        return _at_foe_in_reach(state, shot, last.foe) if shot else None
    alike = (other for other in state.hero.inventory if other.kind == last.kind)
    item = find_item(state.hero, last.item) or next(alike, None)
    if item is None:
        return None
    if not needs_aim(state, last.word, item):
        return action_for(last.word, item)
    return _at_foe_in_reach(state, item_aim(state, last.word, item), last.foe)


def _at_foe_in_reach(state: GameState, shot: ItemAim, foe: int | None) -> Action | ItemAim:
    """Return the action at a monster in reach, or the aim itself if there is none."""
    target = first_target(state, shot, foe)
    creature = state.map.entity_at(*target)
    if creature is None or creature is state.hero or shot.aim_at(target).why:
        return shot
    return shot.action(target)
