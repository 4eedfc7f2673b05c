"""Choices of the hero: a talent after a level-up, and the level that a way down leads to."""

from functools import partial

from engine.creatures.levelling import experience_of, offered_talents, talents_owed
from engine.state.actions import Choose, Descend
from engine.state.game_state import NoLevel
from engine.state.identification import unidentified_looks
from entities.talents import talents
from procgen.build import recipe_of
from procgen.level_code import LevelCode
from procgen.vocabulary import level_phrase
from render.map.map_view import item_icon
from render.map.whole_level import ground_points
from render.messages.item_descriptions import limit_of_defence
from render.messages.level_previews import preview_text
from render.screens.menu import Choice, DescribedMenu, confirmation
from render.screens.screen import Act, Play, Push, Reply
from render.session.session import Session
from render.ui.palette import colors, theme_name_at_depth


class TalentMenu(DescribedMenu):
    """The talents, or at the start of a run the backgrounds, on offer with their texts."""

    back_text = "later"

    def __init__(self, session: Session) -> None:
        names = offered_talents(session.run.state)
        choices = [
            Choice(talents()[name].name, f"{number}", partial(Play, Choose(name)))
            for number, name in enumerate(names, 1)
        ]
        hero, offered = session.run.state.hero, [talents()[name] for name in names]
        limit = f" {limit_of_defence(hero)}"
        texts = [talent.text + limit * bool(talent.defense) for talent in offered]
        more, level = talents_owed(hero) - 1, experience_of(hero).level
        note = f"{more} more to choose after this" if more > 0 else ""
        title, verb = f"Level {level}: learn a talent", "learn"
        if not experience_of(hero).talents:
            title, verb = "What were you before?", "choose"
        self.choose_text = f"or its number: {verb}"
        super().__init__(title, choices, texts, note)
        seed = session.run.state.setup.seed
        unknown = unidentified_looks(seed)  # Their colours would give them away.
        for icons, name in zip(self.icons, names, strict=True):
            for kind in talents()[name].items:
                letter, code, color = item_icon(kind, seed)
                icons.append((letter, code, colors()["dim"] if kind in unknown else color))


def talent_screen(session: Session) -> TalentMenu | None:
    """Return the menu of talents, None if there is none to choose."""
    return TalentMenu(session) if offered_talents(session.run.state) else None


PENDING = "…"
TICK_SECONDS = 0.01


class LevelChoiceMenu(DescribedMenu):
    """The levels on offer. Each tick builds one of them, so the menu opens at once.

    The chosen level is not built again.
    """

    choose_text, back_text = "or its number: go down", "stay"
    pictured = True

    def __init__(self, session: Session) -> None:
        self._state = session.run.state
        self._codes = self._state.levels.level_choices(self._state)
        choices = [
            Choice(_label(code), f"{number}", partial(Play, Descend(number - 1)))
            for number, code in enumerate(self._codes, 1)
        ]
        depth = self._state.depth + 1
        super().__init__(f"The way down to depth {depth}", choices, [PENDING] * len(choices))

    @property
    def interval(self) -> float | None:
        """Seconds until the next level is built, None once all are."""
        return TICK_SECONDS if PENDING in self.texts else None

    def tick(self) -> Reply:
        """Build the next level; tell what it is like and show its colours, but not its map."""
        number = self.texts.index(PENDING)
        try:
            level = self._state.levels.offered_level(self._codes[number])
        except NoLevel:
            self.texts[number] = "This level can't be built."
        else:
            self.texts[number] = preview_text(level)
            self.pictures[number] = ground_points(level.tiles, level.theme)
        return None


def descend_or_ask(session: Session) -> Reply:
    """Go down, or ask which way; on the level of the First Seed, ask before leaving it."""
    state = session.run.state
    choice = len(state.levels.level_choices(state)) > 1
    reply = Push(LevelChoiceMenu(session)) if choice else Act(Descend())
    if state.map.goal is None:
        return reply
    question = "The First Seed is still on this level. Go down without it?"
    return Push(confirmation(question, "Yes, go down", lambda _: reply))


def _label(code: LevelCode) -> str:
    """Return what kind of level it is, and where: ``a flooded keep in the silent old halls``.

    Not both if the place says the kind: ``the mossy caves``.
    """
    kind, place = level_phrase(code), theme_name_at_depth(recipe_of(code).theme, code.depth)
    says_kind = kind.partition(" ")[2] == place.split()[-1].rstrip("s")
    return place if says_kind else f"{kind} in {place}"
