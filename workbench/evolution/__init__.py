"""Optimise the parameters of recipes for wanted metrics (CMA-ES), and illumination."""
