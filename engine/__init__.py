"""The rules: turns, actions, combat, items, monsters, saves and bots."""
