"""Rewrite rules: patterns of tiles and what they become, found and applied quickly."""
