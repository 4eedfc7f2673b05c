"""Drawing the map: tiles, labels and overview."""
