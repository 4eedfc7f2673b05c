"""Item rules: loot of a level, the pack and equipment, using, throwing and shooting."""
