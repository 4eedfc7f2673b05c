"""Ctrl-C in commands: what was done is kept and told."""

import re
import sys
from importlib import import_module

import pytest

from main import main
from procgen.build import build
from support.command_line import run


def test_an_interrupt_while_the_program_is_loaded_has_no_traceback(monkeypatch):
    class Interrupted:
        @staticmethod
        def find_spec(name, *_):
            if name == "cli.errors":
                raise KeyboardInterrupt

    monkeypatch.delitem(sys.modules, "cli.errors", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Interrupted, *sys.meta_path])
    assert main(["list"]) == 130


@pytest.mark.parametrize("command", ["map", "gallery", "catalog"])
def test_an_interrupt_tells_how_many_levels_were_done(command, tmp_path, monkeypatch, capsys):
    def second_time(*given):
        yield 0
        raise KeyboardInterrupt

    times = second_time()
    made = {"map": "build", "gallery": "build", "catalog": "level_row"}[command]
    work = getattr(import_module(f"cli.{command}"), made)
    monkeypatch.setattr(f"cli.{command}.{made}", lambda code, **kw: next(times) or work(code, **kw))
    few = ["--seeds", "0:3"] if command != "catalog" else ["--seeds", "0:3", "--depth", "1"]
    few += ["--generator", "rooms"] if command == "gallery" else []
    out = ["--output", str(tmp_path / "a.png")] if command != "catalog" else ["--workers", "1"]
    assert main([command, *few, *out]) == 130
    assert re.search(rf"^{command}: interrupted after 1 of \d+\n", capsys.readouterr().err)


@pytest.mark.parametrize(("built", "form"), [(2, "jsonl"), (2, "txt"), (0, "jsonl")])
def test_an_interrupted_map_keeps_the_levels_built_so_far(built, form, tmp_path, monkeypatch):
    def interrupted(code, **more):
        if code.seed == 3 + built:
            raise KeyboardInterrupt
        return build(code, **more)

    monkeypatch.setattr("cli.map.build", interrupted)
    target = tmp_path / f"levels.{form}"
    done = run("map", "--generator", "rooms", "--seeds", "3:9", "--output", target)
    assert (done.returncode, done.stderr.count("\n")) == (130, 1)
    assert done.stderr == f"map: interrupted after {built}\n"
    monkeypatch.undo()
    if not built:
        assert not list(tmp_path.iterdir())
        return
    assert run("map", "--generator", "rooms", "--seeds", "3:5", "--output", target).returncode == 2
    other = target.with_stem("other")
    run("map", "--generator", "rooms", "--seeds", "3:5", "--output", other)
    assert target.read_text() == other.read_text().replace("other", "levels")
