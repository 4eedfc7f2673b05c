"""What exists: kinds read from data, the terrain table, entities."""
