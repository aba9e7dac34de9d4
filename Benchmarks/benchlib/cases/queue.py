"""A long queue. Rows of dray alone: no peer keeps one."""

import json
import statistics
import subprocess
import time
from pathlib import Path

from ..failure import Broken
from ..measure import environment, peak_memory
from ..report import Result
from ..rounds import Contender, Runs
from ..scale import MIB
from ..table import Goal, Row


def queue(bench) -> Result:
    """Many jobs queued, some of them active."""
    jobs, active = bench.scale.jobs, bench.scale.active
    bench.serve("slow.bin", 4 * MIB)
    links = bench.links(f"{bench.server.url('slow')}/{number}" for number in range(jobs))
    add, listing = [bench.dray, "add", "-q", "-i", links, "-d", "out"], [bench.dray, "list"]
    run = [bench.dray, "run", "-q", "-j", active, "--max-per-host", active]
    with bench.fresh_directory() as directory:
        added = bench.meter.run(add, directory)
        listed = [bench.meter.run(listing, directory) for _ in range(bench.scale.rounds)]
        peak = peak_of_runner(bench, run, directory, active)
    queued, running = f"{jobs:,} URLs", f"{active} active, {jobs:,} queued"
    runs = {
        "add": Runs(Contender("add", add), [added]), "list": Runs(Contender("list", listing), listed),
        "run": Runs(Contender("run", run), note=f"memory {peak / 1e6:.1f} MB after all were active for a while")}
    return Result([
        Row(queued, "dray add", "wall", added.wall),
        Row(queued, "dray add", "memory", added.memory, "MB"),
        Row(queued, "dray list", "wall", statistics.median(cost.wall for cost in listed), goals=[Goal(1)]),
        Row(running, "dray run", "memory", peak, "MB", goals=[Goal(80 * MIB)]),
    ], {queued: runs})


def peak_of_runner(bench, command, directory: Path, active: int) -> int:
    """Runs until `active` jobs transfer at once, some seconds more, and stops the runner as a user would."""
    quiet = {"cwd": directory, "env": environment(directory), "stdin": subprocess.DEVNULL}
    with subprocess.Popen(list(map(str, command)), **quiet) as runner:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                listing = subprocess.run(
                    [bench.dray, "list", "--json", "--state", "active"], stdout=subprocess.PIPE, check=True, **quiet)
                if sum(job["received"] > 0 for job in json.loads(listing.stdout)) >= active:
                    break
                time.sleep(0.5)
            else:
                raise Broken(f"{active} jobs never were active at once")
            time.sleep(10 if active == 100 else 2)
            peak = peak_memory(runner.pid)
        finally:
            runner.terminate()
    if runner.returncode != 143:
        raise Broken(f"the runner ended with {runner.returncode} after SIGTERM, not 143")
    return peak
