"""Levels of a run: choosing, populating, remembering and changing them."""
