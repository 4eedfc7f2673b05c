"""Infinite worlds in play: a window of chunks round the hero, and the chunks left behind."""
