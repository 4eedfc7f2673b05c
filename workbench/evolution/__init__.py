"""Optimise the parameters of recipes towards wanted levels (CMA-ES)."""
