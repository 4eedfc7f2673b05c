"""One part of the house."""
