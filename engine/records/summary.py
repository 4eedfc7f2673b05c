"""What a run file says about its run at a glance, without playing it."""

from pathlib import Path

import msgspec

from engine.records.lines import Arrival, Header, Line
from engine.records.record import LONGEST_HEADER, LONGEST_LINE, UNREADABLE
from engine.records.version import FORMAT, RULES
from procgen.code import CodeError, parse_code

LARGEST = 256 << 20


class Summary(msgspec.Struct, frozen=True):
    """One recorded run; ``header`` is None if it cannot be read, ``level`` the last one's code.

    ``result`` says how it ended, ``unfinished``, ``another version`` or ``damaged``.
    """

    path: Path
    header: Header | None
    turns: int
    level: str
    depth: int
    result: str
    size: int


def summarize(path: Path) -> Summary:
    """Return what the file at ``path`` says; raise `OSError` if it cannot be read."""
    with path.open("rb") as stream:
        first = stream.readline(LONGEST_HEADER)
        body = stream.read(LARGEST)
    size = len(first) + len(body)
    header = _header(first)
    if header is None:
        return Summary(path, None, 0, "", 0, _unreadable(first), size)
    body = body[: body.rfind(b"\n") + 1]
    last = _line(body, len(body) - 1) if body else Line()
    turns = body.count(b"\n") - (last is None or last.do is None)
    code = _last_level(body, header.level).code
    result = "damaged" if last is None else last.end or "unfinished"
    if header.rules != RULES:
        result = "another version"
    return Summary(path, header, max(0, turns), code, _depth(code), result, size)


def unfinished(path: Path) -> bool:
    """Whether nothing says that the run at ``path`` has ended; only its last lines are read."""
    try:
        with path.open("rb") as stream:
            size = stream.seek(0, 2)
            stream.seek(max(0, size - 2 * LONGEST_LINE))
            tail = stream.read(2 * LONGEST_LINE)
    except OSError:
        return False
    end = tail.rfind(b"\n")
    last = _line(tail, end) if end >= 0 else None
    return last is None or last.end is None


def _header(first: bytes) -> Header | None:
    try:
        header = msgspec.json.decode(first, type=Header)
    except UNREADABLE:
        return None
    return header if header.format == FORMAT else None


def _unreadable(first: bytes) -> str:
    try:
        plain = msgspec.json.decode(first)
    except UNREADABLE:
        return "damaged"
    ours = isinstance(plain, dict) and plain.get("seedhollow") == "run"
    return "another version" if ours else "damaged"


def _line(text: bytes, end: int) -> Line | None:
    """Return the line of ``text`` that ends at ``end``, None if it is not one."""
    start = text.rfind(b"\n", 0, end) + 1
    try:
        return msgspec.json.decode(text[start:end], type=Line)
    except UNREADABLE:
        return None


def _last_level(body: bytes, first: Arrival) -> Arrival:
    place = body.rfind(b'"level":[')
    line = _line(body, body.find(b"\n", place)) if place >= 0 else None
    return line.level if line and line.level else first


def _depth(code: str) -> int:
    try:
        return parse_code(code).depth or 1
    except CodeError:
        return 0
