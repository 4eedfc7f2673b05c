"""Saves: run files, keyframes, the state as plain data, high scores."""
