"""Levels as images: pictures, cards, contact sheets, GIF frames."""
