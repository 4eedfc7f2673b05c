"""Spoil run files and their keyframes in every way, and see that each gets a sentence.

    python tests/fuzz.py 20000       # or, to find others: 20000 SEED

Each case is a small run, spoiled: bytes changed, lines moved, numbers made absurd, strings made
endless, escapes and links put in, keyframes forged. The program verifies it, lists it and goes
about in it. It must never fail otherwise than in one sentence, take long or much memory, change
a file, or print what a terminal would obey.
"""

import base64
import contextlib
import io
import json
import random
import re
import sys
import tempfile
import time
import zlib
from collections import Counter
from copy import deepcopy
from hashlib import blake2b
from pathlib import Path
from resource import RUSAGE_SELF, getrusage

import msgspec
from msgspec.structs import replace

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bots import acted, played  # noqa: E402
from engine.actions import Climb, Descend, PickUp  # noqa: E402
from engine.bot import Bot  # noqa: E402
from engine.records.keyframe_writer import KeyframeWriter  # noqa: E402
from engine.records.keyframes import beside, read_keyframes  # noqa: E402
from engine.records.memory import CHECK  # noqa: E402
from engine.records.record import RunFileError, read_run  # noqa: E402
from engine.records.run import OutOfSync, Playback, Run  # noqa: E402
from engine.records.state import pack  # noqa: E402
from engine.records.summary import summarize  # noqa: E402
from engine.setup import Mode, Setup  # noqa: E402
from main import main as program  # noqa: E402
from render.cli.runs import _row  # noqa: E402

DEEP = json.loads("[" * 200 + "]" * 200)
NUMBERS = [0, -1, 1, 2**31, 2**63, 2**64 - 1, 2**64, 10**9, 10**300, 0.5, 1e308]
TEXTS = [
    "", "x", "\x1b[2J\x1b]0;mine\x07", "\u202eevil", "\x00", "x" * 10**5, "0" * 16, "wait",
    "a:b:c@d", "../../../../etc/passwd", "/dev/zero", "caves.1:1:1@4000x4000",
    "caves.1:1:1@500x500",
]  # fmt: skip
LISTS = [
    [], [[]], DEEP, [1] * 5000, ["wait"], ["move", 9, 9], ["visit", "caves:1@30x20"],
    ["visit", "\x1b[31m"], {}, {"a": {"b": 1}},
]  # fmt: skip
NASTY = [None, True, False, *NUMBERS, *TEXTS, *LISTS]
COMMANDING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")


INSERTED = (b"\0", b"\x1b[2J", b"\xff", b"[" * 9999, b"9" * 400, b'"')
WAYS = ("json", "lines", "bytes", "keys", "forged", "middle")


def up_and_down(path, seed):
    """Play a run on small levels, down and up the stairs again, with things in the pack."""
    setup = Setup(seed, str(seed), generator="rooms", size=(30, 20))
    run, bot = Run.begin(setup, path), Bot()
    while run.world.turn < 400 and run.world.depth < 3 and run.world.hero.alive:
        run.act(PickUp())
        before = run.world.depth
        acted(run, bot)
        if run.world.depth > before:
            run.act(Climb())
            run.act(Descend())
    run.close()


class Case:
    """A run file and its keyframes, whole; `spoiled` ones are made of it."""

    def __init__(self, folder, seed, play):
        self.path = Path(folder) / f"whole-{seed}.jsonl"
        play(self.path)
        self.recorded = read_run(self.path)
        self.log = self.path.read_bytes()
        self.keys = beside(self.path).read_bytes()
        self.frames, self.folds, _ = read_keyframes(self.recorded)


def nasty(chance):
    """Return something that nobody expects, of one's own to change."""
    return deepcopy(chance.choice(NASTY))


def place(chance, plain):
    """Return a container somewhere in ``plain`` and one of its keys."""
    while True:
        key = chance.choice(list(plain) if isinstance(plain, dict) else range(len(plain)))
        inner = plain[key]
        if not isinstance(inner, dict | list) or not inner or chance.random() < 0.3:
            return plain, key
        plain = inner


def altered(chance, plain):
    """Return a copy of plain data with something in it replaced, removed, doubled or added."""
    plain = deepcopy(plain)
    for _ in range(chance.choice((1, 1, 1, 2, 4))):
        if not isinstance(plain, dict | list) or not plain:
            return nasty(chance)
        holder, key = place(chance, plain)
        match chance.randrange(5):
            case 0 if isinstance(holder, dict):
                del holder[key]
            case 1 if isinstance(holder, dict):
                holder[str(nasty(chance))[:50]] = nasty(chance)
            case 2 if isinstance(holder[key], int):
                holder[key] = holder[key] * chance.choice((-1, 2, 10**6, 10**18)) + chance.choice(
                    (-1, 1)
                )
            case _:
                holder[key] = nasty(chance)
    return plain


def in_json(chance, log):
    """Spoil the meaning of the header or of a line."""
    lines = log.splitlines(keepends=True)
    number = 0 if chance.random() < 0.5 else chance.randrange(len(lines))
    plain = altered(chance, json.loads(lines[number]))
    lines[number] = json.dumps(plain, separators=(",", ":")).encode() + b"\n"
    return b"".join(lines)


def in_lines(chance, log):
    """Move, double, drop or part lines; change their ends."""
    lines = log.splitlines(keepends=True)
    one, other = chance.randrange(len(lines)), chance.randrange(len(lines))
    match chance.randrange(8):
        case 0:
            lines.insert(other, lines[one])
        case 1:
            lines[one], lines[other] = lines[other], lines[one]
        case 2:
            del lines[one]
        case 3:
            lines[one] = lines[one].replace(
                b"\n", chance.choice((b"\r\n", b"\r", b"", b"\n\n", b"\0\n"))
            )
        case 4:
            lines = [line.replace(b"\n", b"\r\n") for line in lines]
        case 5:
            lines.insert(other, b" " * chance.choice((1, 5000, 2 << 20)) + b"\n")
        case 6:
            lines.insert(chance.randrange(1, len(lines) + 1), lines[0])
        case 7:
            lines.append(b"\0" * chance.choice((1, 4096, 2 << 20)))
    return b"".join(lines)


def in_bytes(chance, data):
    """Flip, drop, double, insert bytes; cut; pour in rubbish."""
    data = bytearray(data)
    for _ in range(chance.choice((1, 1, 2, 8, 64))):
        at, size = chance.randrange(len(data) + 1), chance.choice((1, 2, 16, 300))
        match chance.randrange(6):
            case 0 if at < len(data):
                data[at] ^= 1 << chance.randrange(8)
            case 1:
                del data[at : at + size]
            case 2:
                data[at:at] = data[at : at + size]
            case 3:
                data[at:at] = chance.choice(
                    (b"\0", b"\x1b[2J", b"\xff", b"[" * 9999, b"9" * 400, b'"')
                )
            case 4:
                data[at : at + size] = chance.randbytes(size)
            case 5 if chance.random() < 0.3:
                del data[at:]
    return bytes(data)


def repacked(chance, packed):
    """Return a packed state with something in it spoiled."""
    spoiled = altered(chance, msgspec.msgpack.decode(zlib.decompress(packed), strict=False))
    try:
        return zlib.compress(msgspec.msgpack.encode(spoiled), 1)
    except (OverflowError, ValueError, RecursionError, TypeError):
        return zlib.compress(b"\0" * (32 << 20)) if chance.random() < 0.1 else b"x"


def refolded(chance, folded):
    """Return a remembered level with something in it spoiled, its checksum right again."""
    packed = repacked(chance, folded[CHECK:])
    machine = zlib.decompressobj()
    try:
        plain = machine.decompress(packed, 4 << 20)
    except zlib.error:
        plain = b""
    return blake2b(plain, digest_size=CHECK).digest() + packed


def plain_state(state):
    """Return a state as plain data."""
    return msgspec.msgpack.decode(msgspec.msgpack.encode(state), strict=False)


def spoiled_levels(chance, remembered):
    """Return names of levels that are spoiled, by depth, and those by their names."""
    spoiled = {depth: refolded(chance, folded) for depth, folded in remembered.items()}
    names = {depth: folded[:CHECK] for depth, folded in spoiled.items()}
    return names, {folded[:CHECK]: folded for folded in spoiled.values()}


def forged(chance, case, path, log):
    """Write keyframes that look right, with states that are not."""
    frames, folds = [], dict(case.folds)
    for frame in case.frames:
        if frame.needs and chance.random() < 0.5:
            state = plain_state(frame.whole(case.folds))
            state["remembered"], fresh = spoiled_levels(chance, state["remembered"])
            folds |= fresh
            packed = zlib.compress(msgspec.msgpack.encode(state), 1)
            frames.append(replace(frame, state=packed, needs=b"".join(fresh)))
        else:
            frames.append(replace(frame, state=repacked(chance, frame.state)))
    path.write_bytes(log)
    KeyframeWriter.begin(path, case.recorded.identity, frames, folds).close()


def from_the_middle(chance, case):
    """Return a run that begins in the middle, with a state that was spoiled."""
    frame = chance.choice(case.frames)
    _, first, *rest = case.log.splitlines(keepends=True)[frame.turns - 1 :]
    header = json.loads(case.log.splitlines()[0])
    whole = frame.whole(case.folds)
    data, state = pack(whole), plain_state(whole)
    if frame.needs and chance.random() < 0.3:
        levels = state["remembered"].items()
        state["remembered"] = {n: refolded(chance, one) for n, one in levels}
        data = zlib.compress(msgspec.msgpack.encode(state), 1)
    else:
        data = repacked(chance, data)
    header["state"] = base64.b64encode(data).decode()
    if chance.random() < 0.9:
        header["level"][0] = state["code"]
    header = json.dumps(header, separators=(",", ":")).encode()
    return b"".join([header + b"\n", *([first] if chance.random() < 0.1 else []), *rest])


def spoil(chance, case, path):
    """Write a spoiled copy of ``case`` to ``path``; return how it was spoiled."""
    log, keys, way = case.log, case.keys, chance.choice(WAYS)
    match way:
        case "json":
            log = in_json(chance, log)
        case "lines":
            log = in_lines(chance, log)
        case "bytes":
            log = in_bytes(chance, log)
        case "keys":
            keys = in_bytes(chance, keys)
        case "forged":
            forged(chance, case, path, log)
            return way
        case "middle":
            log, keys = from_the_middle(chance, case), b""
    path.write_bytes(log)
    beside(path).write_bytes(keys)
    return way


def tried(path):
    """Verify, list and wander through the run at ``path``; return what came of it."""
    before = {file: file.read_bytes() for file in path.parent.iterdir()}
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = program(["replay", str(path), "--verify"])
    said = out.getvalue() + err.getvalue()
    assert code in {0, 1, 3, 4}, f"exit {code}: {said}"
    assert "fault of the program" not in said, said
    assert "Traceback" not in said, said
    assert not COMMANDING.search(said), repr(said)
    assert len(said) < 3000, "a sentence, not a flood"
    _row(summarize(path))
    with contextlib.suppress(RunFileError, OutOfSync):
        recorded = read_run(path, tolerant=True)
        playback = Playback(recorded)
        for turn in (len(recorded.actions), len(recorded.actions) // 2, 0):
            playback.seek(turn)
            if playback.position and not recorded.foreign:
                digest = playback.engine.world.digest()
                assert digest == recorded.actions[playback.position - 1][1]
    assert {file: file.read_bytes() for file in path.parent.iterdir()} == before, "a file changed"
    return code


def fuzz(count, seed, report=lambda *_: None):
    """Try ``count`` spoiled runs; return how often each way of spoiling came to each exit code."""
    chance, found, slowest = random.Random(seed), Counter(), (0.0, "")
    with tempfile.TemporaryDirectory() as folder:
        cases = [
            Case(folder, 1, lambda path: played(path, 130, 1)),
            Case(folder, 2, lambda path: played(path, 115, 2, Mode.WORKSHOP, "walk")),
            Case(folder, 3, lambda path: up_and_down(path, 3)),
        ]
        place = Path(folder) / "spoiled"
        place.mkdir()
        for number in range(count):
            for file in place.iterdir():
                file.unlink()
            path = place / "run.jsonl"
            way = spoil(chance, chance.choice(cases), path)
            began = time.perf_counter()
            try:
                found[way, tried(path)] += 1
            except BaseException:
                kept = Path(tempfile.mkdtemp(prefix="spoiled-"))
                for file in place.iterdir():
                    (kept / file.name).write_bytes(file.read_bytes())
                print(f"case {number} ({way}) is kept in {kept}", file=sys.stderr)
                raise
            slowest = max(slowest, (time.perf_counter() - began, f"case {number} ({way})"))
            report(number, slowest)
    return found, slowest


def main(arguments):
    """Fuzz as often as asked for and print what came of it."""

    def report(number, slowest):
        if number % 1000 == 999:
            print(f"{number + 1} cases; slowest {slowest[0]:.2f} s, {slowest[1]}", flush=True)

    numbers = [int(word) for word in arguments]
    count, seed = numbers[0] if numbers else 20_000, numbers[1] if numbers[1:] else 0
    found, slowest = fuzz(count, seed, report)
    for (way, code), times in sorted(found.items()):
        print(f"{way:<7} exit {code}: {times}")
    peak = getrusage(RUSAGE_SELF).ru_maxrss / 1024
    print(f"{count} cases, slowest {slowest[0]:.2f} s ({slowest[1]}), at most {peak:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
