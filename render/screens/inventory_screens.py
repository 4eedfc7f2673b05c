"""Inventory screens: the pack by letter, an item's details and commands, and picking up.

`inventory_command` turns a command of play (use, equip, drop, throw, fire ...) into the screen
that asks for an item or target, or straight into the action.
"""

from collections.abc import Callable
from functools import partial

from components.inventory import Item
from engine.items.aiming import needs_item
from engine.state.actions import PickUp
from entities.equipment import slot_of
from entities.item_kinds import item_class_of, item_classes, item_kinds
from entities.pack import MOST_STACKS, improvable
from procgen.blueprint import Point
from render.map.map_view import item_icon
from render.messages.item_descriptions import improvement, item_details
from render.messages.names import item_name, plural
from render.messages.refusal_messages import refusal_message
from render.screens.map_cursor import AimScreen
from render.screens.menu import Choice, Menu
from render.screens.screen import Play, Push, Reply
from render.session import item_commands
from render.session.session import Session
from render.ui.buttons import hinted_panel
from render.ui.frame import Frame, Rect
from render.ui.input import Key
from render.ui.text import centered, clipped, write, write_icon, write_lines, write_range

LIST_WIDTH, BOTH = 52, 96
"""Columns of the list, and of the list with details beside it; a narrower map shrinks both."""
SLOTS = {"weapon": "in hand", "bow": "on your back", "armour": "worn", "ring": "on a finger"}


class InventoryScreen(Menu):
    """Items of the pack under headings by class; ``chosen`` is called with the chosen item."""

    choose_text = "or its letter: choose"

    def __init__(
        self,
        session: Session,
        title: str,
        items: list[Item],
        chosen: Callable[[Item], Reply],
        improved: Callable[[Item], str] | None = None,
    ) -> None:
        """``improved`` says what improving an item gives; the details then compare nothing."""
        order = ["seed", *item_classes()]  # A full pack is longer than the list on the screen.
        self.session, self._compares = session, improved is None
        self.items = sorted(items, key=lambda item: order.index(item_kinds()[item.kind].item_class))
        state, choices = session.run.state, list[Choice]()
        for item in self.items:
            note = SLOTS.get(slot_of(state.hero, item) or "", "")
            note = improved(item) if improved else note
            choices.append(Choice(item_name(state, item), item.letter, partial(chosen, item), note))
        super().__init__(title, choices)

    def draw(self, frame: Frame) -> None:
        """Draw the list; if on top, draw its keys and, if there is room, the item's details."""
        room = frame.columns >= BOTH
        below_details = frame.above and isinstance(frame.above[-1], ItemScreen)
        if frame.above and not (below_details and frame.map_area.width >= BOTH):
            return  # Its border would show around another list.
        width = BOTH if room else LIST_WIDTH
        lines = self._lines()
        height = max(min(len(lines) + 5, frame.rows - 2), 20 if room else 9)
        rect = self.rect = centered(frame, width, height)
        inner = hinted_panel(frame, rect, self.title, self.hints())
        list_width = inner.width - room * (ITEM_WIDTH if frame.above else inner.width // 2 - 1)
        first = self.draw_choices(frame, Rect(inner.x, inner.y, list_width, inner.height))
        write_range(frame, rect, first, inner.height, len(lines))
        if not self.choices:
            write(frame.text, inner.x, inner.y, "Nothing.", "dim", list_width)
        elif room and not frame.above:
            x = inner.x + list_width + 4
            self._pane(frame, Rect(x, inner.y, inner.x + inner.width - x, inner.height))

    def _pane(self, frame: Frame, rect: Rect) -> None:
        item, state = self.items[self.index], self.session.run.state
        name = item_name(state, item)
        write(frame.text, rect.x, rect.y, name[:1].upper() + name[1:], "accent", rect.width)
        lines = item_details(state, item, rect.width, compare=self._compares)[: rect.height - 2]
        write_lines(frame.text, rect.x, rect.y + 2, lines)

    def _lines(self) -> list[int | str]:
        lines: list[int | str] = []
        for number, item in enumerate(self.items):
            name = item_class_of(item.kind).name
            heading = name if name.endswith("armour") else plural(name)
            if heading not in lines:
                lines.append(heading)
            lines.append(number)
        return lines

    def _draw_choice(self, frame: Frame, rect: Rect, number: int) -> None:
        choice, lit = self.choices[number], number == self.index
        write(frame.text, rect.x + 1, rect.y, choice.key, "accent")
        look = item_icon(self.items[number].kind, self.session.setup.seed)
        write_icon(frame, rect.x + 4, rect.y, look)
        name = clipped(choice.label, rect.width - 8 - len(choice.note))
        write(frame.text, rect.x + 7, rect.y, name, "accent" if lit else "text")
        write(frame.text, rect.x + rect.width - len(choice.note), rect.y, choice.note, "good")

    def key(self, key: Key) -> Reply:
        """Handle a key as any menu does; any key closes an empty list."""
        return super().key(key) if self.choices else self.back()


ITEM_WIDTH = 56


class ItemScreen(Menu):
    """The details of an item and its commands."""

    def __init__(self, session: Session, item: Item) -> None:
        self.session, self.item = session, item
        state = session.run.state
        name = item_name(state, item)
        deeds = item_commands.item_commands(state, item)
        do = partial(_start_action, session)
        choices = [Choice(deed.text, deed.key, partial(do, deed.word, item)) for deed in deeds]
        super().__init__(f"{name[:1].upper()}{name[1:]}", choices)

    def draw(self, frame: Frame) -> None:
        """Draw the item's description, then the commands, unless a list covers it."""
        if frame.above:
            return
        width = min(ITEM_WIDTH, frame.columns - 2)
        lines = item_details(self.session.run.state, self.item, width - 6)
        rect = centered(frame, width, len(lines) + len(self.choices) + 6)
        if frame.map_area.width >= BOTH:  # Inside the pack's frame, so that its list stays in view.
            pack = centered(frame, BOTH, rect.height)
            rect = rect._replace(x=pack.x + pack.width - width - 2)
        self.rect = rect
        inner = hinted_panel(frame, rect, self.title, self.hints())
        write(frame.text, rect.x + rect.width - 6, rect.y, "    ")
        look = item_icon(self.item.kind, self.session.setup.seed)
        write_icon(frame, rect.x + rect.width - 5, rect.y, look)
        y = inner.y + inner.height - len(self.choices)
        write_lines(frame.text, inner.x, inner.y, lines[: y - inner.y - 1])
        self.draw_choices(frame, Rect(inner.x, y, inner.width, len(self.choices)))


def inventory_command(session: Session, name: str) -> Reply:
    """Return the reply to the command ``name``; None if it is not about items."""
    hero = session.run.state.hero
    match name:
        case "inventory":
            title, pack = f"Pack · {len(hero.inventory)} of {MOST_STACKS}", hero.inventory
            return Push(
                InventoryScreen(session, title, pack, lambda it: Push(ItemScreen(session, it)))
            )
        case "use":
            usable = [item for item in hero.inventory if item_kinds()[item.kind].target]
            return _choose_item(session, "Use what?", usable, "use")
        case "equip":
            gear = [item for item in hero.inventory if item_class_of(item.kind).slot]
            return _choose_item(session, "Equip or take off what?", gear, "equip")
        case "drop":
            return _choose_item(session, "Drop what?", hero.inventory, "drop")
        case "throw":
            return _choose_item(session, "Throw what?", hero.inventory, "throw")
        case "fire":
            return _fire(session)
        case "again":
            return _repeat(session)
        case "pick_up":
            return pick_up_or_ask(session)
    return None


def pick_up_or_ask(session: Session) -> Reply:
    """Pick up the item on the hero's tile, or ask which of several."""
    state, seed = session.run.state, session.setup.seed
    pile = state.map.items_at(state.hero.x, state.hero.y)
    if len(pile) < 2:
        return Play(PickUp())
    choices = [Choice("Everything", "g", lambda: Play(PickUp()))]
    for item, letter in zip(reversed(pile), "abcdefhimnopqrstvwxyz", strict=False):
        pick_up, look = partial(Play, PickUp(item.id)), item_icon(item.kind, seed)
        choices.append(Choice(item_name(state, item), letter, pick_up, look=look))
    return Push(Menu("Pick up what?", choices))


def _choose_item(session: Session, title: str, items: list[Item], word: str) -> Reply:
    """Ask which of ``items`` to ``word`` (use, equip ...), or say that there are none."""
    if not items:
        session.answer(f"You have nothing to {word}.")
        return None

    def chosen(item: Item) -> Reply:
        on = word == "equip" and slot_of(session.run.state.hero, item) is not None
        return _start_action(session, "take off" if on else word, item)

    screen, hero = InventoryScreen(session, title, items, chosen), session.run.state.hero
    if word == "throw":  # Pressing Enter at once must not throw the weapon in hand.
        unequipped = [number for number, item in enumerate(screen.items) if not slot_of(hero, item)]
        missiles = [n for n in unequipped if item_kinds()[screen.items[n].kind].damage]
        screen.index = next(iter(missiles or unequipped), 0)
    return Push(screen)


def _start_action(session: Session, word: str, item: Item) -> Reply:
    """Return the reply that performs ``word`` with ``item``; it may ask for a target."""
    if word == "fire":
        return _fire(session)
    state = session.run.state
    last = item_commands.LastItemCommand(word, item.kind, item.id)
    if item_commands.needs_aim(state, word, item):
        return _aim(session, item_commands.item_aim(state, word, item), last)
    if word == "use" and needs_item(item):
        return _choose_second_item(session, item)
    if word in {"use", "throw"}:
        session.last_command = last
    return Play(item_commands.action_for(word, item))


def _choose_second_item(session: Session, item: Item) -> Reply:
    """Ask which item of the pack to use ``item`` on."""
    hero = session.run.state.hero
    fit = [other for other in hero.inventory if improvable(other)]
    if not fit:
        session.answer("You have nothing it could improve.")
        return None

    def use(other: Item) -> Reply:
        return Play(item_commands.action_for("use", item, other=other))

    note = partial(improvement, session.run.state)
    screen = InventoryScreen(session, "Enchant what?", fit, use, note)
    screen.index = next((n for n, other in enumerate(screen.items) if slot_of(hero, other)), 0)
    return Push(screen)


def _fire(session: Session) -> Reply:
    state = session.run.state
    shot = item_commands.fire_command(state)
    if shot is None:
        bowless = "missile" in {item_kinds()[item.kind].item_class for item in state.hero.inventory}
        session.answer(refusal_message("no bow" if bowless else "nothing to fire"))
        return None
    return _aim(session, shot, item_commands.LastItemCommand("fire", "", 0))


def _aim(
    session: Session, shot: item_commands.ItemAim, last: item_commands.LastItemCommand
) -> Reply:
    """Open the aim screen for ``shot``; firing it makes it the command that `_repeat` repeats."""

    def done(target: Point) -> Reply:
        creature = session.run.state.map.entity_at(*target)
        last.foe = creature.id if creature else None
        session.last_command = last
        return Play(shot.action(target))

    foe = session.last_command.foe if session.last_command else None
    return Push(AimScreen(session, shot, done, foe))


def _repeat(session: Session) -> Reply:
    """Repeat the last item command."""
    last = session.last_command
    if last is None:
        session.answer("There is nothing to repeat yet.")
        return None
    command = item_commands.repeat_command(session.run.state, last)
    if isinstance(command, item_commands.ItemAim):
        return _aim(session, command, last)
    if command is None:
        session.answer("You have no more of what you last used, threw or shot.")
        return None
    return Play(command)
