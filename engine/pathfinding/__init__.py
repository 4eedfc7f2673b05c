"""Pathfinding: Dijkstra maps for monsters, known paths and auto-travel for the hero."""
