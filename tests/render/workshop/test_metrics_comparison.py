"""The line of metrics under the tuning panel."""

import re

from support.build_screens import tuning


def test_a_mission_shows_its_locks_and_cycles_first():
    assert re.search(r"locks \d+ +cycles \d+ +floor \d+%", tuning("mission:3").reads())
    assert re.search(r"  floor \d+%", shown := tuning("bsp:3").reads())
    assert not re.search(r"locks \d", shown)
