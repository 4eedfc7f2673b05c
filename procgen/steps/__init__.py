"""The steps of recipes, one algorithm a module; found by procgen/step_registry.py."""
