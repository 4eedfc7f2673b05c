"""Combat: melee with weapon abilities, damage after armour, targeting."""
