"""Sound: synthesised from recipes, played through SDL."""
