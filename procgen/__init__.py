"""Level generation: steps, recipes, analysis."""
