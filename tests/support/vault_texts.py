"""Vaults as they are written."""

from procgen.rng import Rng
from procgen.vaults.orientations import orientations
from procgen.vaults.vault_parser import read_vaults
from procgen.vaults.vault_stamp import make_piece


def read(text):
    return read_vaults(text, "data/vaults/test.txt")


def piece_of(text, seed=0):
    (vault,) = read(text)
    return make_piece(orientations(vault)[0], Rng(seed, "test"))
