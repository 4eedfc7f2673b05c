"""Drawing and input: backends, screens, keys, messages, tiles."""
