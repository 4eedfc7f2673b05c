"""Build and measure many levels, or play many runs, on all cores or a cluster."""
