"""`agent`: let a program in any language play, with a line of JSON for each request and answer."""

import argparse
import sys
from typing import Any

import msgspec
from msgspec.structs import replace

from cli.errors import OK, UsageError
from cli.play import chosen_setup
from engine.bots.discrete_actions import pack_slots
from engine.creatures.levelling import offered_talents
from entities.data_files import fault_in_words
from entities.program import how_to_install
from entities.wording import did_you_mean
from procgen.level_code import CodeError, parse_seed
from procgen.recipe_builder import BuildFailed
from render.messages.message_log import turn_messages, witnessed
from render.messages.names import item_name
from render.messages.refusal_messages import refusal_message

try:
    from workbench.learning import observations as obs
    from workbench.learning.environment import SeedhollowEnv
    from workbench.learning.observations import ACTIONS
except ModuleNotFoundError:
    raise UsageError(f"agent needs gymnasium: {how_to_install('env')}") from None

NUMBERS = {key: number for number, name in enumerate(ACTIONS) for key in (number, name)}
LONGEST_LINE = 1000
"""The most bytes of a request."""
EXAMPLES = 'send {"action": "wait"}, {"action": 8}, {"seed": 7} or {"reset": true}'


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """Perform an action, by name or number, or begin a run of a seed or the same run again."""

    action: str | int | None = None
    seed: str | int | None = None
    reset: bool = False


def play_by_lines(options: argparse.Namespace) -> int:
    """Print the first observation, then one line for each line of standard input."""
    setup = chosen_setup(options)
    parse_seed("0" if options.seed is None else options.seed)  # `play` draws one for no text.
    if options.seed is None and (setup.drawn or not options.file):
        setup = replace(setup, seed=0, typed_seed="0")  # `play` would draw a seed.
    env = SeedhollowEnv(observations=["figures", "pack", *options.planes], record=options.record)
    try:
        _print_line(observed(env, env.begin(setup)[0]))
        while line := sys.stdin.buffer.readline(LONGEST_LINE + 2):  # With the end of the line.
            rest = line
            while rest and not rest.endswith(b"\n"):
                rest = sys.stdin.buffer.readline(LONGEST_LINE)
            _print_line(answer(env, line))
    finally:
        env.close()
    return OK


def _print_line(record: dict[str, Any]) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(record) + b"\n")
    sys.stdout.buffer.flush()


def answer(env: SeedhollowEnv, line: bytes) -> dict[str, Any]:
    """Return an observation, or an ``error`` in one sentence if nothing has changed."""
    if len(line.rstrip(b"\r\n")) > LONGEST_LINE:
        return {"error": f"a line has at most {LONGEST_LINE:,} bytes"}
    try:
        # Without the blanks msgspec would call half a character at the end cut off.
        text = (line.decode("utf-8-sig").strip() or "{}") + " " * 6
        return _performed(env, msgspec.json.decode(text, type=Request))
    except (msgspec.DecodeError, UnicodeDecodeError) as fault:
        unread = "the line is not text in UTF-8" if isinstance(fault, UnicodeDecodeError) else ""
        return {"error": f"{unread or fault_in_words(fault)}; {EXAMPLES}"}
    except (UsageError, CodeError, BuildFailed) as fault:
        return {"error": str(fault)}


def _performed(env: SeedhollowEnv, request: Request) -> dict[str, Any]:
    action, seed, setup = request.action, request.seed, env.state.setup
    if (asked := (action is not None) + (seed is not None) + request.reset) != 1:
        raise UsageError(f"a line asks for one thing, not for {asked}: {EXAMPLES}")
    if seed is not None:
        typed = str(seed).strip()
        setup = replace(setup, seed=parse_seed(typed), typed_seed=typed[:200])
    if action is None:
        return observed(env, env.begin(setup)[0])
    if env.over:
        raise UsageError('the run is over: send {"reset": true} or {"seed": 7}')
    if (number := NUMBERS.get(action)) is None:
        name, last = str(action), len(ACTIONS) - 1
        quotes = ", without quotes" * isinstance(action, str)
        hint = did_you_mean(name.lower(), ACTIONS) or f"; numbers are 0 to {last}{quotes}"
        raise UsageError(f"there is no action {name[:40]!r}{hint}")
    observation, reward, *_, info = env.step(number)
    if why := info.get("refused"):
        text = refusal_message(why) or "Something is in the way."
        raise UsageError(f"{ACTIONS[number]} is refused: {text}")
    return observed(env, observation, reward)


def observed(env: SeedhollowEnv, seen: obs.Observation, reward: float = 0.0) -> dict[str, Any]:
    """Return an answer, with names instead of numbers except in planes."""
    state, pack = env.state, seen["pack"].tolist()
    planes = {name: part.tolist() for name, part in seen.items() if name in ("map", "view")}
    told = turn_messages(witnessed(env.events, state), state)
    mask = [] if env.over else env.action_masks().tolist()
    return {
        "code": state.map.name,
        "messages": " ".join(text for text, _ in told),
        "observation": {
            "rows": obs.text_of(state, (), monsters=False).split("\n")[2:],
            **obs.known_things(state),
            "figures": dict(zip(obs.FIGURES, seen["figures"].tolist(), strict=True)),
            "pack": {
                item.letter: {"name": item_name(state, item)}
                | dict(zip(obs.PACK, (obs.ITEMS[pack[slot][0]], *pack[slot][1:]), strict=True))
                for slot, item in pack_slots(state).items()
            },
            **(planes | {"planes": obs.PLANE_NAMES} if planes and not state.turn else planes),
        },
        "reward": reward,
        "done": env.over,
        "talents": offered_talents(state),
        "actions": {ACTIONS[number]: number for number, possible in enumerate(mask) if possible},
    }
