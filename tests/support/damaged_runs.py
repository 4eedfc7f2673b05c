"""Ways of spoiling a run file and its keyframes: small runs, whole and harmed."""

import base64
import json
import zlib
from hashlib import blake2b
from pathlib import Path

import msgspec
from msgspec.structs import replace

from engine.bots.simple_bot import Bot
from engine.saves.keyframes import KeyframeWriter, keyframes_path, read_keyframes
from engine.saves.run import Run
from engine.saves.run_file import read_run
from engine.saves.saved_state import pack_state
from engine.state.actions import Climb, Descend, PickUp
from engine.state.compression import CHECK
from engine.state.run_setup import RunSetup
from support.bot_runs import acted
from support.hostile_data import altered

INSERTED = (b"\0", b"\x1b[2J", b"\xff", b"[" * 9999, b"9" * 400, b'"')
WAYS = ("json", "lines", "bytes", "keys", "forged", "middle")


def up_and_down(path, seed):
    """Play a run on small levels, down and up the stairs again, with things in the pack."""
    setup = RunSetup(seed, str(seed), generator="rooms", size=(30, 20))
    run, bot = Run.begin(setup, path), Bot()
    while run.state.turn < 400 and run.state.depth < 3 and run.state.hero.alive:
        run.act(PickUp())
        before = run.state.depth
        acted(run, bot)
        if run.state.depth > before:
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
        self.keys = keyframes_path(self.path).read_bytes()
        self.frames, self.parts, _ = read_keyframes(self.recorded)


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
    """Return a stored level with something in it spoiled, its checksum right again."""
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


def spoiled_levels(chance, stored):
    """Return names of levels that are spoiled, by depth, and those by their names."""
    spoiled = {depth: refolded(chance, folded) for depth, folded in stored.items()}
    names = {depth: folded[:CHECK] for depth, folded in spoiled.items()}
    return names, {folded[:CHECK]: folded for folded in spoiled.values()}


def forged(chance, case, path, log):
    """Write keyframes that look right, with states that are not."""
    frames, parts = [], dict(case.parts)
    for frame in case.frames:
        if frame.needs and chance.random() < 0.5:
            state = plain_state(frame.joined(case.parts))
            state["stored_levels"], fresh = spoiled_levels(chance, state["stored_levels"])
            parts |= fresh
            packed = zlib.compress(msgspec.msgpack.encode(state), 1)
            frames.append(replace(frame, state=packed, needs=b"".join(fresh)))
        else:
            frames.append(replace(frame, state=repacked(chance, frame.state)))
    path.write_bytes(log)
    KeyframeWriter.begin(path, case.recorded.identity, frames, parts).close()


def from_the_middle(chance, case):
    """Return a run that begins in the middle, with a state that was spoiled."""
    frame = chance.choice(case.frames)
    _, first, *rest = case.log.splitlines(keepends=True)[frame.turns - 1 :]
    header = json.loads(case.log.splitlines()[0])
    whole = frame.joined(case.parts)
    data, state = pack_state(whole), plain_state(whole)
    if frame.needs and chance.random() < 0.3:
        levels = state["stored_levels"].items()
        state["stored_levels"] = {n: refolded(chance, one) for n, one in levels}
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
    keyframes_path(path).write_bytes(keys)
    return way
