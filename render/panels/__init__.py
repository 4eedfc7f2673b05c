"""Panels around the map, and texts about the hero and the run."""
