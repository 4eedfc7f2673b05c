"""Missions: cycle kinds from data, and their layout on the map by backtracking."""
