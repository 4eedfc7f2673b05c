"""Properties of a map: regions, distances, sight, dead ends, chokepoints, the walk to its keys."""
