"""Runs a program and tells what it cost."""

import os
import re
import statistics
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Cost:
    """Wall and CPU (user and system, with children) in seconds; memory in KiB, 0 when it was not asked for."""

    wall: float
    cpu: float
    memory: int = 0


@dataclass
class Contender:
    """A program in a case. `arguments` makes the command line of one run from the run's empty directory."""

    name: str
    arguments: "callable"
    check: "callable" = lambda directory: None


def environment(home: Path) -> dict:
    """Neither the user's configuration nor a proxy may have a say. `TERM=dumb`: no bars."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(home), "DRAY_HOME": str(home / "dray"), "TERM": "dumb"}


def peak_memory(pid: int) -> int:
    """The most memory that a process has had resident so far, in KiB; 0 when it has ended.

    Not `ru_maxrss`: that of a child starts with what this Python had when it was forked."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found.group(1)) if found else 0


def run(arguments: list, directory: Path, *, memory: bool = False, expected: int = 0) -> Cost:
    """Runs a program to its end. `memory` watches it meanwhile, which costs some time: measure time without."""
    log = directory / "output.log"
    with open(log, "wb") as output:
        start = time.perf_counter()
        process = subprocess.Popen(
            [str(argument) for argument in arguments], cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, env=environment(directory))
        peak = 0
        while memory:
            peak = max(peak, peak_memory(process.pid))
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG):
                break
            time.sleep(0.02)
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != expected:
        tail = log.read_text(errors="replace")[-2000:]
        raise SystemExit(f"run: {arguments[0]} ended with {process.returncode}, not {expected}:\n{tail}")
    return Cost(wall, usage.ru_utime + usage.ru_stime, peak)


def warm_memory(directory: Path, size: int):
    """Has the page cache use `size` bytes of memory once, and frees it.

    On a virtual machine the host may have taken free memory back. Whoever happens to write into it first is charged for
    its return, up to a second of CPU time for a GiB."""
    path = directory / "warm"
    with open(path, "wb", buffering=0) as file:
        piece = bytes(1 << 20)
        for _ in range(0, size, len(piece)):
            file.write(piece)
    path.unlink()


def interleaved(contenders, rounds, fresh_directory, warm: int = 0) -> dict:
    """Runs the contenders in turn, `rounds` times after one that does not count; the order changes each time.

    Returns name → list of `Cost`. What was written before is on disk when a run starts, and `warm` bytes of memory are
    at hand, so that none pays for another."""
    costs = {contender.name: [] for contender in contenders}
    for turn in range(rounds + 1):
        for contender in contenders if turn % 2 else reversed(contenders):
            with fresh_directory() as directory:
                arguments = contender.arguments(directory)
                os.sync()
                warm_memory(directory, warm)
                cost = run(arguments, directory)
                contender.check(directory)
            if turn > 0:
                costs[contender.name].append(cost)
    return costs


def median(costs, measure: str) -> float:
    return statistics.median(getattr(cost, measure) for cost in costs)
