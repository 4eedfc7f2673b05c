"""The state of a run, and the vocabulary of actions and events. No rules."""
