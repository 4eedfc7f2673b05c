"""Levels of a run: which comes next, going there, and remembering those left behind."""
