"""Backends, which show frames and read input: a window and a terminal."""
