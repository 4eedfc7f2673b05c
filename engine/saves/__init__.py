"""Saves: run files, keyframes, the state as plain data, replays, high scores."""
