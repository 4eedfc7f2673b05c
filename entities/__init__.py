"""Entities, and the kinds of creature, item, status, talent, trap and terrain from data."""
