"""What is said when the game breaks or the disk fails: what of the run is kept, and where."""

from collections.abc import Iterator
from contextlib import contextmanager

from render.app import App
from render.cli.faults import DEBUG, Mishap
from render.screens.play import PlayScreen


@contextmanager
def run_kept(app: App) -> Iterator[None]:
    """Turn whatever breaks while ``app`` runs into a `Mishap` that says where the run is."""
    try:
        yield
    except Exception as fault:
        what = f"{type(fault).__name__}: {fault}"[:200]
        text = f"something went wrong in the game ({what}); {_whereabouts(app)}"
        raise Mishap(f"{text}; {DEBUG}=1 shows where it happened") from fault
    if app.lost:
        raise Mishap(app.lost)


def _whereabouts(app: App) -> str:
    runs = [screen.session.run for screen in app.stack if isinstance(screen, PlayScreen)]
    recorders = [run.recorder for run in runs if run.recorder]
    if not recorders:
        return "no run was open"
    if recorders[-1].lost:
        return recorders[-1].lost
    return f"your run is kept in {recorders[-1].path} and `main.py play --continue` goes on with it"
