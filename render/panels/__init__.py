"""What is told of a hero and of a run: on screens, in the morgue, on the boards."""
