"""Build and measure many levels, or play many runs, on all cores or on a cluster."""
