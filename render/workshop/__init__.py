"""The Workshop: watching levels grow, seeing their bones, turning their parameters."""
