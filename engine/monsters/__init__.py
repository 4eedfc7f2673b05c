"""Monsters: perception, AI states and behaviours, special actions, spawning, forecasts."""
