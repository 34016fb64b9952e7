"""Signals and the deadline as exceptions in the main thread, wherever it waits."""

import signal

from errors import TIMED_OUT, LabError

ENDING = {signal.SIGINT: "interrupted", signal.SIGTERM: "terminated", signal.SIGHUP: "hung up"}


class Interrupted(LabError):
    """The user's wish: nothing is wrong with the laboratory."""


def on_ending(number, _frame):
    raise Interrupted(ENDING[number], 128 + number)


def arm(seconds):
    """From now on a signal, or the end of the time unless it is None, raises a LabError."""
    def on_deadline(_number, _frame):
        raise LabError(f"timed out after {seconds:g} s (--timeout)", TIMED_OUT)

    for number in ENDING:
        signal.signal(number, on_ending)
    signal.signal(signal.SIGALRM, on_deadline)
    signal.setitimer(signal.ITIMER_REAL, seconds or 0)


def watch_children(check):
    """Calls check whenever a child process may have ended."""
    signal.signal(signal.SIGCHLD, lambda _number, _frame: check())


def disarm():
    """Taking the laboratory down must not be interrupted: it takes less than a second."""
    for number in (*ENDING, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
