"""Furnishing: what stands and lives in a finished shape without cutting it in two."""
