"""Tests of Ctrl-C as a wish to see what there is so far."""

import signal
from itertools import islice

import pytest

from workbench.search.interrupts import handle_interrupts, interrupt_count
from workbench.search.process_pool import ordered_results


@pytest.fixture(autouse=True)
def heard():
    """Hear interrupts as a program does that was just begun, and again afterwards."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_that_native_code_drops_ends_the_work_all_the_same():
    done = []

    def work(task):
        done.append(task)
        if task == 1:
            with pytest.raises(KeyboardInterrupt):  # as NumPy does that asks an object's class
                signal.raise_signal(signal.SIGINT)
        return task

    with pytest.raises(KeyboardInterrupt), handle_interrupts():
        list(ordered_results(work, range(5), 1))
    assert done == [0, 1]
    assert interrupt_count() == 1
    assert list(ordered_results(str, range(2), 1)) == [
        "0",
        "1",
    ]  # what follows is not stopped by it


def test_a_second_ctrl_c_does_not_interrupt_again():
    with handle_interrupts():
        with pytest.raises(KeyboardInterrupt):
            signal.raise_signal(signal.SIGINT)
        signal.raise_signal(signal.SIGINT)
        assert interrupt_count() == 1


def test_work_that_nobody_stopped_leaves_interrupts_as_they_were():
    with handle_interrupts():
        assert list(islice(ordered_results(str, range(9), 1), 2)) == ["0", "1"]
        assert interrupt_count() == 0
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_process_told_to_ignore_interrupts_does():
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    with handle_interrupts():
        signal.raise_signal(signal.SIGINT)
        assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
