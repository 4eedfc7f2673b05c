"""Level codes: the dialog that shows, copies and takes them; the next generator, the next seed."""

from collections.abc import Callable
from dataclasses import replace

from engine.state.actions import Visit
from procgen.level_code import SEED_LIMIT, CodeError, LevelCode, parse_code, parse_seed
from procgen.level_overlays import MOST, overlay_names, overlays, spoken
from procgen.recipes import Recipe, TooSmall, find_any, known_recipes
from procgen.settings import complete, generator_for_code
from procgen.world_types import WorldType, world_types
from render.map.place_names import code_here
from render.screens.menu import LETTERS, Choice, Menu, confirmation
from render.screens.screen import Act, Pop, Push, Reply
from render.screens.text_entry import TextEntry
from render.session.session import Session
from render.ui.text import clipped


def neighbouring_code(session: Session, step: int, seed_step: int = 0) -> str | None:
    """Return the code ``step`` generators and ``seed_step`` seeds further.

    Says why and returns None if the size is too small for that generator.
    """
    code = session.run.state.code
    names = [*(recipe.name for recipe in known_recipes()), *world_types()]
    index = names.index(code.recipe) if code.recipe in names else 0
    recipe: Recipe | WorldType = generator_for_code(code)
    if step:
        name = names[(index + step) % len(names)]
        worn = () if name in world_types() else code.overlays
        recipe = find_any("+".join([name, *worn]))
    size = session.setup.size or ((code.width, code.height) if step == 0 else None)
    try:
        return str(recipe.code((code.seed + seed_step) % SEED_LIMIT, code.depth, size))
    except TooSmall as fault:
        session.answer(f"{fault}.")
        return None


def visit_level(session: Session, code: str | None) -> Reply:
    """Go to the level ``code``; ask first if the run is scored, for leaving ends that."""
    if code is None:
        return None
    if not session.run.state.scored:
        return Act(Visit(code))
    ask = "Go to another level? This run will no longer be scored."
    return Push(confirmation(ask, "Yes, go there", lambda _: Act(Visit(code))))


def resolve_code(session: Session, text: str) -> str:
    """Return the full code for ``text``, a code or a seed; raise ValueError with a sentence."""
    code = session.run.state.code
    if ":" in text:
        return str(complete(parse_code(text)))
    size = (code.width, code.height)
    return str(generator_for_code(code).code(parse_seed(text), code.depth, size))


def level_code_entry(session: Session, visit: Callable[[str], Reply]) -> TextEntry:
    """Return the screen that shows this level's code and takes another one or a seed."""
    state = session.run.state
    lead = (
        f"Seed {session.setup.typed_seed}, turn {state.turn}. The code of this level is below; "
        "Ctrl+C copies it. Type or paste another code, or a seed (a number or any text), to go "
        "there."
    )

    def done(text: str) -> Reply:
        if not text.strip():
            raise CodeError("type a level code or a seed")
        code = resolve_code(session, text)
        if ":" in text or text.strip().lstrip("+-").isdecimal():
            return visit(code)
        # A mistyped code is a valid seed, too.
        ask = f'"{clipped(text.strip(), 40)}" is no level code. Use it as a seed?'
        return Push(confirmation(ask, "Yes, as a seed", lambda _: visit(code)))

    return TextEntry("Level code", lead, done, copies=code_here(state))


def wear_menu(code: LevelCode, wear: Callable[[LevelCode], Reply]) -> Menu:
    """Return a menu that puts overlays on the level ``code``, or takes them off, one at a time.

    ``wear`` gets the changed code, once the menu is closed.
    """
    worn = [text.partition(".")[0] for text in code.overlays]

    def changed(overlays: list[str]) -> Callable[[], Reply]:
        left = [s for s in code.settings if "/" not in s or s.partition("/")[0] in overlays]
        partial = replace(parse_code(str(code)), overlays=tuple(overlays), settings=tuple(left))
        found = complete(partial)
        return lambda: Pop(lambda _: wear(found))

    choices = []
    for letter, name in zip(LETTERS, overlay_names(), strict=False):
        on = name in worn
        # One more than a level can wear takes the place of the last.
        after = [one for one in worn if one != name] if on else [*worn[: MOST - 1], name]
        label = f"{'-' if on else '+'} {name.replace('_', ' ')}"
        choices.append(Choice(label, letter, changed(after), overlays()[name].description))
    if worn:
        choices.append(Choice("take everything off", "0", changed([])))
    lead = f"The level wears {spoken(code)}." if worn else f"Up to {MOST} at once."
    return Menu(f"{code.name}: overlays", choices, lead)
