"""Worlds without an edge in play: a window of chunks round the hero, and what it remembers."""
