"""Lets contenders take turns."""

import os
import statistics
import sys
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from .failure import Failed
from .files import warm_memory
from .measure import Cost


@dataclass
class Contender:
    """A program in a case: its name in the list of commands, and its command line."""

    name: str
    arguments: list


@dataclass
class Runs:
    """The costs of a contender's runs. `failure` says why there are none; `note` is a remark on the last."""

    contender: Contender
    costs: list[Cost] = field(default_factory=list)
    failure: Failed | None = None
    note: str = ""

    def median(self, measure: str):
        """None when the contender failed."""
        return statistics.median(getattr(cost, measure) for cost in self.costs) if self.costs else None


@contextmanager
def nothing_around(_turn: int):
    """For programs that need nothing new for each run."""
    yield []


def interleaved(
    bench, contenders, rounds: int, *, check, warm: int, uncounted: int = 0, around=nothing_around, keep: bool = False,
    settle: bool = True
) -> dict:
    """Runs the contenders in turn, `rounds` times after `uncounted` ones; the order changes each time.

    Before each run, earlier writes are synced and `warm` bytes of memory are made available, so that no run pays
    for another; its output is removed afterwards. None of that is measured. `check(directory)` checks the output;
    `around(turn)` creates resources for each run, such as a proxy, and yields a list for remarks. `keep` leaves
    outputs of many files in place: for minutes, ext4 does not reuse the inode of a removed file, and a program that
    creates files in that time pays for skipping all of them. `settle=False` is for runs without measured times: they
    do not wait for the disk.

    Returns name → `Runs`."""
    results = {contender.name: Runs(contender) for contender in contenders}
    for turn in range(uncounted + rounds):
        for contender in contenders if turn % 2 else reversed(contenders):
            runs = results[contender.name]
            if runs.failure:
                continue
            with bench.fresh_directory(keep) as directory:
                if settle:
                    os.sync()
                    warm_memory(directory, warm)
                try:
                    with around(turn) as remarks:
                        cost = bench.meter.run(contender.arguments, directory)
                    check(directory)
                except Failed as failure:
                    runs.failure, runs.costs = failure, []
                    print(f"run:   {contender.name} failed: {failure}", file=sys.stderr, flush=True)
                    continue
            runs.note = "; ".join(remarks)
            if turn >= uncounted:
                runs.costs.append(cost)
    return results


def nothing_to_check(_: Path):
    """For programs that fetch nothing."""
