"""Infinite worlds in play: a window of chunks around the hero, chunk loader and saved chunks."""
