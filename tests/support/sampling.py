"""Parameters of which the usual run takes a part, and the slow run the rest."""

import pytest


def sampled(values, step):
    """Return ``values`` as parameters: every ``step``-th always runs, the others are slow."""
    slow = pytest.mark.slow
    return [pytest.param(v, marks=slow) if n % step else v for n, v in enumerate(values)]
