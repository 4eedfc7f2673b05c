"""Items lie on tiles, but the First Seed, keys and mechanisms are drawn over them."""
