"""The survey: statistics of recipes, maps of their range, and a page that shows them."""
