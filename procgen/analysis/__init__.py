"""Grids: bits, cells, lattices and mirrors that other shapes are worked out on."""
