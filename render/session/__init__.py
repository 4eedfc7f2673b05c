"""Sessions: starting, continuing and playing a run."""
