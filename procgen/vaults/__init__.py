"""Vaults: hand-drawn parts of levels, rotated, placed into levels, joined into dungeons."""
