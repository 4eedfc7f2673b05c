"""Levels on paper: pictures, cards, contact sheets."""
