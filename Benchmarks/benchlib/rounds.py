"""Lets contenders take turns."""

import os
import statistics
import sys
from contextlib import nullcontext
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
    """What a contender's runs cost. `failure` says why there are none; `note` is a remark on the last."""

    contender: Contender
    costs: list[Cost] = field(default_factory=list)
    failure: str = ""
    note: str = ""

    def median(self, measure: str):
        """None when the contender failed."""
        return statistics.median(getattr(cost, measure) for cost in self.costs) if self.costs else None


def interleaved(
    bench, contenders, rounds: int, *, check, warm: int, uncounted: int = 0, around=nullcontext, keep: bool = False
) -> dict:
    """Runs the contenders in turn, `rounds` times after `uncounted` ones; the order changes each time.

    Before each run, what was written before is put on disk, and `warm` bytes of memory are at hand, so that none pays
    for another; its output goes afterwards. None of that is measured. `check(directory)` looks at the output;
    `around()` makes what must be new for each run, such as a proxy, and may yield a list of remarks. `keep` leaves
    outputs of many files in place: for minutes, ext4 does not use the inode of a removed file again, and whoever
    creates files meanwhile pays for looking past all of them.

    Returns name → `Runs`."""
    results = {contender.name: Runs(contender) for contender in contenders}
    for turn in range(uncounted + rounds):
        for contender in contenders if turn % 2 else reversed(contenders):
            runs = results[contender.name]
            if runs.failure:
                continue
            with bench.fresh_directory(keep) as directory:
                os.sync()
                warm_memory(directory, warm)
                remarks = []
                try:
                    with around() as made:
                        remarks = made if made is not None else remarks
                        cost = bench.meter.run(contender.arguments, directory)
                    check(directory)
                except Failed as failure:
                    runs.failure, runs.costs = str(failure), []
                    print(f"run:   {contender.name} failed: {failure}", file=sys.stderr, flush=True)
                    continue
            runs.note = "; ".join(remarks)
            if turn >= uncounted:
                runs.costs.append(cost)
    return results


def nothing_to_check(_: Path):
    """For programs that fetch nothing."""
