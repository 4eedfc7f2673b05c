"""Argument parsers: every command with its options from data/commands.toml."""

import argparse
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from string import Template
from typing import Any

from entities.program import PROGRAM, how_to_install

COMMANDS = Path(__file__).resolve().parent.parent / "data" / "commands.toml"


class _Join(argparse.Action):
    """Joins all values of a repeated option: with commas, or by the format in ``const``."""

    def __call__(
        self,
        _parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        _option: str | None = None,
    ) -> None:
        """Append ``values`` to the values given before."""
        before = getattr(namespace, self.dest)
        both = (self.const or "{},{}").format(before, values)
        setattr(namespace, self.dest, both if before else values)


@cache
def _tables() -> dict[str, dict[str, Any]]:
    """Return data/commands.toml, without the checks of other data files.

    Importing the modules that check them would make ``--help`` slow.
    """
    return tomllib.loads(COMMANDS.read_text(encoding="utf-8"))


def command_summaries() -> dict[str, str]:
    """Return what each command does, by its name."""
    return {name: command["summary"] for name, command in _tables()["commands"].items()}


def add_options(parser: argparse.ArgumentParser, command: str, *, files: bool = True) -> None:
    """Add the options of ``command`` to ``parser``, and its positional arguments if ``files``."""
    parser.register("action", "join", _Join)
    entry = _tables()["commands"][command]
    for name in entry["options"]:
        group = _tables()["options"][name]
        to: argparse._ActionsContainer = parser
        if "title" in group:
            to = parser.add_argument_group(_text(group["title"]))
        elif "one_of" in group:
            to = parser.add_mutually_exclusive_group(required=entry.get("required") == name)
        for option, details in group.items():
            if option not in {"title", "one_of"} and (files or option.startswith("-")):
                to.add_argument(option, **_arguments(**details))


def command_function(command: str | None) -> Callable[[argparse.Namespace], int]:
    """Return the function that runs ``command``; its module is imported only now, to start fast."""
    name = command or "play"
    function: Callable[[argparse.Namespace], int] = getattr(
        import_module(f"{__package__}.{name}"), _tables()["commands"][name]["function"]
    )
    return function


def conflict(options: argparse.Namespace) -> str | None:
    """Return a sentence on options that exclude each other, None if there are none."""
    values = vars(options)
    for name in ("output", "export", "page", "archive", "against", "take_over", "ghost", "record"):
        if values.get(name) == "":
            return f"--{name.replace('_', '-')} '' names no file; leave it out"
    if "" in (values.get("file"), *values.get("files", ())):  # `Path` takes it for the folder.
        return "the name of a file cannot be empty"
    used = {name for name, setting in values.items() if setting not in (None, False, [])}
    for rule in _tables()["commands"][options.command or "play"].get("refused", ()):
        alone = "without" in rule and not used.intersection(rule["without"])
        wrong = [name for name in rule["options"] if name in used]
        if wrong and (alone or used.intersection(rule.get("beside", ()))):
            return Template(rule["because"]).substitute(option=wrong[0].replace("_", "-"))
    return None


def _arguments(*, help: str, unset: bool = False, **more: Any) -> dict[str, Any]:  # noqa: A002
    """Return the arguments of ``add_argument``; ``unset`` leaves an absent option undefined."""
    return {"help": _text(help), **({"default": argparse.SUPPRESS} if unset else {}), **more}


def _text(text: str) -> str:
    """Fill in the texts that ``text`` names; keep names of environment variables."""
    named = Template(text).safe_substitute(_tables()["texts"])
    known = {"program": PROGRAM, "install_evolve": how_to_install("evolve")}
    return Template(named).safe_substitute(known)
