"""Placement: furniture and monsters on a finished map, without disconnecting it."""
