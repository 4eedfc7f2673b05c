"""Tools for many levels and runs: searches, statistics, learning, and exported files."""
