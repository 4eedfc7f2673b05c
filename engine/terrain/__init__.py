"""Terrain rules: doors, fire, traps and other tile effects, forced movement, levitation."""
