"""Recorded runs as moving pictures: for a terminal player, for a web page."""
