"""Recorded runs as films: asciicast, GIF and page."""
