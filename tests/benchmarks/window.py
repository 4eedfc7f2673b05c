"""Measure what a frame of the window costs in SDL's software renderer; prints a line a figure.

python tests/benchmarks/window.py
"""

import sys
import time
from pathlib import Path
from statistics import median

ROOT = Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT))

import numpy as np
from tcod.cffi import lib

for hint, value in ((b"SDL_VIDEO_DRIVER", b"dummy"), (b"SDL_RENDER_DRIVER", b"software")):
    lib.SDL_SetHintWithPriority(hint, value, lib.SDL_HINT_OVERRIDE)

from engine.engine import Engine
from engine.levels.dungeon import new_game
from engine.saves.run import Run
from engine.state.run_setup import RunSetup
from render.backends.window import WindowBackend
from render.panels.hud import draw_play
from render.session.session import Session
from render.ui.frame import Frame

SIZE = 1280, 720
FRAMES = 200


def milliseconds(call, runs=FRAMES):
    """Return the sorted processor times of ``runs`` calls with 0, 1, 2 ...

    Of this thread alone: another builds chunks of an infinite world meanwhile.
    """
    times = []
    for number in range(runs):
        began = time.thread_time()
        call(number)
        times.append(1000 * (time.thread_time() - began))
    return sorted(times)


def told(name, times):
    print(f"{name:<44} median {median(times):6.2f} ms   99 % {times[-len(times) // 100]:6.2f} ms")


def scene(generator, depth, fires=0):
    """Return a session on a level that is wholly known, with fires around the hero."""
    state = new_game(RunSetup(5, "5", generator=generator, depth=depth))
    state.map.explored[:] = True
    spots = sorted(zip(*np.nonzero(state.map.visible), strict=True))
    for y, x in spots[:fires]:
        state.map.fires[(int(x), int(y))] = 99
    return Session(Run(Engine(state)))


def frames(backend, session, name):
    """Measure drawing, painting and presenting frames in which only light and water move."""
    drawn: list[Frame] = []

    def draw(phase):
        session.view.phase = phase
        drawn[:] = [backend.frame()]
        draw_play(drawn[0], session)

    def show(phase):
        draw(phase)
        backend.show(drawn[0])
        lib.SDL_FlushRenderer(backend._renderer.p)

    show(0)
    told(f"{name}: picture", milliseconds(draw))
    told(f"{name}: picture, painted and shown", milliseconds(show))
    layout, ground = backend._lay(drawn[0]), drawn[0].ground
    assert ground
    layer, area = backend._painter.map(layout.tile), layout.map_area()
    backend._renderer.clip_rect = layout.area(drawn[0].map_rect)

    def light(_):
        layer._light.draw(ground.light * np.float32(255), area, layer.size)
        layer._glow.draw(ground.glow, area, layer.size)
        lib.SDL_FlushRenderer(backend._renderer.p)

    told(f"{name}: light and bloom alone", milliseconds(light))
    backend._renderer.clip_rect = None


if __name__ == "__main__":
    with WindowBackend() as backend:
        backend._window.size = SIZE
        backend.show(backend.frame())
        backend.wait(0)
        frames(backend, scene("digger", 3), "halls, standing still")
        frames(backend, scene("ember", 6, fires=20), "lava and twenty fires")
        frames(backend, scene("wilds", 1), "wilds")
