"""The message log: English sentences for events."""
