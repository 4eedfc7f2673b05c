"""Rules about a creature itself: health, levels, statuses, noise."""
