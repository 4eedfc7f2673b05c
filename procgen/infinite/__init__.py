"""Infinite worlds, generated chunk by chunk: one module per chunk maker, and what they share."""
