"""Every step a recipe can use, one idea a file; found by procgen.registry."""
