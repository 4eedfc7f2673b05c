"""Recorded runs as films: asciicast and GIF."""
