"""Rooms: their shapes, and how one grows on another."""
