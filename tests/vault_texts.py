"""Vaults as they are written."""

from procgen.rng import Rng
from procgen.vaults.forms import forms
from procgen.vaults.pieces import draw
from procgen.vaults.writing import read_vaults


def read(text):
    return read_vaults(text, "data/vaults/test.txt")


def piece_of(text, seed=0):
    (vault,) = read(text)
    return draw(forms(vault)[0], Rng(seed, "test"))
