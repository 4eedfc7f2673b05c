"""Vaults as they are written."""

from procgen.rng import Rng
from procgen.vaults.orientations import forms
from procgen.vaults.vault_parser import read_vaults
from procgen.vaults.vault_stamp import draw


def read(text):
    return read_vaults(text, "data/vaults/test.txt")


def piece_of(text, seed=0):
    (vault,) = read(text)
    return draw(forms(vault)[0], Rng(seed, "test"))
