"""The steps of recipes, one algorithm per module; found by procgen/step_registry.py."""
