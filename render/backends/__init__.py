"""Ways to show a frame and hear a person: a window, a terminal."""
