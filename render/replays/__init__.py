"""Playing recorded runs: position, speed, chapters, and taking a run over."""
