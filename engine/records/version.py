"""What a run file must agree with to mean the same thing; docs/POLICY.md says when they rise."""

PROGRAM = "0.1.0"
FORMAT = 2
"""Raised when run files are written otherwise; older ones are told apart, not read."""
RULES = 2
"""Raised when the rules change what an action does; recorded runs of other rules do not play."""
