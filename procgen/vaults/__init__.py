"""Vaults: parts of levels drawn by hand, turned, fitted, grown into dungeons."""
