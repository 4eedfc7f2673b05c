"""The look of every tile and letter, drawn by code at the size in which it is shown."""
