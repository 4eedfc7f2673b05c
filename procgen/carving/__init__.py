"""Ways: how places are joined, and what lies on the threshold."""
