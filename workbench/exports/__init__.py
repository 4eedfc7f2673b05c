"""Levels as files for other programs, one module per format."""
