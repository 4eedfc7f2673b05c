"""Level codes on screen: seeing, copying, entering; the next generator, the next seed."""

from collections.abc import Callable

from engine.state.actions import Visit
from procgen.level_code import SEED_LIMIT, CodeError, parse_code, parse_seed
from procgen.recipes import TooSmall, complete, current_recipes, find_any
from procgen.world_types import world_types
from render.map.place_names import code_here
from render.screens.menu import question
from render.screens.screen import Act, Push, Reply
from render.screens.text_entry import TextEntry
from render.session.session import Session


def neighbour(session: Session, step: int, seed_step: int = 0) -> str | None:
    """Return the code ``step`` generators and ``seed_step`` seeds on; None if too small."""
    code = session.run.state.code
    names = [*(recipe.name for recipe in current_recipes()), *world_types()]
    index = names.index(code.recipe) if code.recipe in names else 0
    recipe = find_any(names[(index + step) % len(names)])
    size = session.setup.size or ((code.width, code.height) if step == 0 else None)
    try:
        return str(recipe.code((code.seed + seed_step) % SEED_LIMIT, code.depth, size))
    except TooSmall as fault:
        session.say(f"{fault}.", "dim")
        return None


def elsewhere(session: Session, code: str | None) -> Reply:
    """Go to ``code`` at once in the Workshop; in an adventure that still counts, ask first."""
    if code is None:
        return None
    if not session.run.state.scored:
        return Act(Visit(code))
    ask = "Leave this level for another? This run is no longer scored then."
    return Push(question(ask, "Yes, go there", lambda _: Act(Visit(code))))


def resolved(session: Session, text: str) -> str:
    """Return the full code for ``text``: a level code, or a seed for the generator at hand.

    Raises ValueError with what is wrong.
    """
    code = session.run.state.code
    if ":" in text:
        return str(complete(parse_code(text)))
    size = (code.width, code.height)
    return str(find_any(code.recipe).code(parse_seed(text), code.depth, size))


def code_entry(session: Session, visit: Callable[[str], Reply]) -> TextEntry:
    """Return the screen that shows this level's code and takes another one or a seed."""
    state = session.run.state
    lead = (
        f"Seed {session.setup.typed_seed}, turn {state.turn}. The code of this level is below, "
        "and on the clipboard. Type or paste another code, or a seed, a number or any text, "
        "to go there."
    )

    def done(text: str) -> Reply:
        if not text.strip():
            raise CodeError("type a level code or a seed")
        return visit(resolved(session, text))

    return TextEntry("Level code", lead, done, copies=code_here(state))
