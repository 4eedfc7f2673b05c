"""Levels for other programs: a module for each format."""
