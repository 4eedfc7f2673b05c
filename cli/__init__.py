"""The commands: one module each, called by main.py."""
