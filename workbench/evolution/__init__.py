"""Recipes that evolve: their parameters bred towards levels that someone wishes for."""
