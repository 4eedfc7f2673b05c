"""The dungeon of the day: play it, see who else has."""

from engine.records.boards import daily_board, results
from engine.records.daily import daily_setup, today
from render.reports.ending import ordinal
from render.screen import Begin, Pop, Push
from render.screens.menu import Choice, Menu
from render.screens.scores import scores_screen


def daily_menu() -> Menu:
    """Return what can be done with the dungeon of today."""
    day = today()
    name = day.isoformat()
    tries = len(daily_board(results(), name))
    lead = (
        "A new dungeon every day, the same for everyone; the day changes at midnight UTC. "
        f'Its seed is "{daily_setup(day).typed_seed}", so it can be played later too, but only '
        "what is begun on the day itself stands on its board. "
    )
    lead += f"This would be your {ordinal(tries + 1)} try." if tries else "You have not tried it."
    choices = [
        Choice("Play it", "p", lambda: Begin(daily_setup(day))),
        Choice("Its board, and those of other days", "b", lambda: Push(scores_screen(day=name))),
        Choice("Back", "q", Pop),
    ]
    return Menu(f"The dungeon of {name}", choices, lead)
