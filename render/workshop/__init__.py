"""The Workshop: watching levels grow, laying charts over them, changing parameters."""
