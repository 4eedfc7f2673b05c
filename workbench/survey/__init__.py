"""The survey: statistics of recipes, charts of their expressive range, and a page with both."""
