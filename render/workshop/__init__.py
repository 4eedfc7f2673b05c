"""The Workshop: watching levels being built, drawing charts over them, changing parameters."""
