"""What cannot be believed of a state."""


class BadState(ValueError):
    """Data that no world can come from; the message says why."""
