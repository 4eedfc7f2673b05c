"""What has been said, newest last; what repeats is counted."""

from dataclasses import dataclass


@dataclass
class Message:
    """One line of the log, said ``count`` times in a row, last on ``turn``."""

    text: str
    color: str
    turn: int
    count: int = 1

    def __str__(self) -> str:
        return f"{self.text} (x{self.count})" if self.count > 1 else self.text


class MessageLog:
    """The messages of a run; identical neighbours stack."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def add(self, text: str, color: str, turn: int) -> None:
        """Say ``text``."""
        if not text:
            return
        last = self.messages[-1] if self.messages else None
        if last and (last.text, last.color) == (text, color):
            last.count += 1
            last.turn = turn
        else:
            self.messages.append(Message(text, color, turn))
