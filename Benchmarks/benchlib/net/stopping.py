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
    """From now on the first signal raises `Stopped`; later ones must not disturb the cleanup."""

    def stop(number, _frame):
        for each in SIGNALS:
            signal.signal(each, signal.SIG_IGN)
        raise Stopped(number)

    for each in SIGNALS:
        signal.signal(each, stop)


@contextmanager
def undisturbed():
    """Signals wait until the block is done, so that nothing is set up or taken down by half.

    Programs that are started in it never see them: for those that end by themselves only."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, SIGNALS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
