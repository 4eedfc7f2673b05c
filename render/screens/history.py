"""Everything that has been said."""

from render.draw import paragraphs
from render.lines import Line
from render.log import MessageLog
from render.screens.reader import Reader


def history_screen(log: MessageLog) -> Reader:
    """Return the message history, opened at its end."""
    return Reader("Messages", lambda width: _lines(log, width), from_end=True)


def _lines(log: MessageLog, width: int) -> list[Line]:
    lines: list[Line] = []
    for message in log.messages:
        for number, text in enumerate(paragraphs(str(message), width - 8)):
            turn = f"{message.turn:>6}  " if number == 0 else " " * 8
            lines.append([(turn, "faint"), (text, message.color)])
    return lines
