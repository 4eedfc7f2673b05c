"""The state of a run: map, hero, actions and events. No rules."""
