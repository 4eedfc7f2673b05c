"""How levels are made: steps, recipes, analysis."""
