"""Small lands drawn in characters, for steps to work on."""

from plans import run
from procgen.analysis.distances import regions
from procgen.blueprint import Blueprint


def cave(seed=3, width=60, height=40):
    plan = Blueprint.solid(width, height)
    run("scatter_rock", plan, seed)
    run("cellular_automaton", plan, seed)
    run("join_by_passages", plan, seed)
    return plan


def count(plan):
    return regions(plan.open)[1]
