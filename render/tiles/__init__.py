"""The look of every tile and letter, drawn by rule at the size it is shown."""
