"""Watching a recorded run: its pace, its chapters, and the way out of it into a new one."""
