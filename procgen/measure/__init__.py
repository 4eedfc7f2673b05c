"""Measures: the bones of a finished level, its numbers, and questions about them."""
