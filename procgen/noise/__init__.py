"""Noise: hills without end from an integer hash."""
