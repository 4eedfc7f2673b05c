"""What a map is like: regions, distances, sight, dead ends, chokepoints, the walk to its keys."""
