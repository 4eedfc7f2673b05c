"""The rules: taking turns, actions, brains, records."""
