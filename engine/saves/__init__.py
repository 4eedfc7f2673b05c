"""How a run is kept: its file, its keyframes, its state as plain data, the boards."""
