"""Searching and surveying many levels at once, on every core or on other machines."""
