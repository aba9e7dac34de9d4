"""Ctrl-C and SIGTERM end a run in order: everything that was set up is taken down again."""

import signal
from contextlib import contextmanager

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal came."""

    def __init__(self, number: int):
        super().__init__(number)
        self.status = 128 + number


def stop_in_order():
    """Makes the first signal raise `Stopped`; later signals must not disturb the cleanup."""

    def stop(number, _frame):
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for each in SIGNALS:
        signal.signal(each, stop)


@contextmanager
def undisturbed():
    """Delays signals to the end of the block, so that setup and cleanup are never interrupted.

    Programs started in the block never receive them, so start only programs that end without a signal."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
