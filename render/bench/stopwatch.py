"""Processor time, which other programs on the machine do not disturb much."""

import time
from collections.abc import Callable, Iterable
from statistics import median
from typing import Any

import msgspec


class Figure(msgspec.Struct, frozen=True):
    """One thing measured: its name, what it is told in, the usual value and the worst of a hundred.

    Less is better of all but what is told per second.
    """

    name: str
    unit: str
    median: float
    worst: float


def milliseconds(work: Callable[[Any], object], tasks: Iterable[Any]) -> list[float]:
    """Return the milliseconds of processor time that each task takes."""
    times = []
    for task in tasks:
        began = time.process_time_ns()
        work(task)
        times.append((time.process_time_ns() - began) / 1e6)
    return times


def figure(name: str, times: list[float], unit: str = "ms") -> Figure:
    """Return what a list of times comes to."""
    ranked = sorted(times)
    worst = ranked[min(len(ranked) - 1, len(ranked) * 99 // 100)]
    return Figure(name, unit, round(median(ranked), 3), round(worst, 3))


def pace(name: str, count: int, spent: float) -> Figure:
    """Return a figure of how many a second of processor time there were."""
    rate = round(count / max(spent, 1e-9), 1)
    return Figure(name, "per second", rate, rate)
