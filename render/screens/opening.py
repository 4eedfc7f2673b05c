"""The commands of play that open another screen, or change how things are shown."""

from msgspec.structs import replace

from render.options.choices import current
from render.options.file import keep
from render.screen import Pop, Push, Reply, Zoom
from render.screens.atlas import AtlasScreen
from render.screens.character import character_screen
from render.screens.choose import ChooseTile
from render.screens.codes import code_entry, elsewhere, neighbour
from render.screens.commands import commands_menu
from render.screens.help import help_screen
from render.screens.history import history_screen
from render.screens.leaving import abandon, leave
from render.screens.options import OptionsScreen
from render.screens.talents import talent_screen
from render.screens.watch import WatchScreen
from render.session import Session
from render.whereabouts import around, code_here


def opened(session: Session, name: str) -> Reply:
    """Answer the command ``name``; nothing if it is none of these."""
    match name:
        case "look":
            return Push(ChooseTile(session, "Look", None))
        case "character":
            return Push(character_screen(session))
        case "talent":
            if chosen := talent_screen(session):
                return Push(chosen)
            session.say("There is no talent to choose now; every level brings one.", "dim")
        case "history":
            return Push(history_screen(session.log))
        case "help":
            return Push(help_screen())
        case "menu":
            return Push(commands_menu(workshop=session.workshop))
        case "options":
            return Push(OptionsScreen())
        case "watch":
            return Push(WatchScreen(around(session.run.world)))
        case "map":
            if session.run.world.map.endless:
                return Push(AtlasScreen(session))
            session.say("This level has an edge: there is no more of it than you see.", "dim")
        case "code":
            visit = code_entry(session, lambda code: Pop(lambda _: elsewhere(session, code)))
            return Push(visit, copy=code_here(session.run.world))
        case "previous" | "next":
            return elsewhere(session, neighbour(session, -1 if name == "previous" else 1))
        case "seed":
            return elsewhere(session, neighbour(session, 0, seed_step=1))
        case "zoom_in" | "zoom_out":
            return Zoom(1 if name == "zoom_in" else -1)
        case "calm":
            keep(replace(current(), motion=not current().motion))
        case "save":
            return leave(session)
        case "abandon":
            return abandon(session)
    return None
