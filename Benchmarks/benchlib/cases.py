"""The cases. Each takes a `Bench` and returns the rows of the table."""

import filecmp
import json
import os
import shutil
import subprocess
import tempfile
import time
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .measure import Contender, environment, interleaved, median, peak_memory, run
from .report import Row
from .server import Server

MIB = 1 << 20


@dataclass
class Bench:
    """What every case needs."""

    dray: str
    server: Server
    work: Path
    rounds: int

    @contextmanager
    def fresh_directory(self):
        path = Path(tempfile.mkdtemp(dir=self.work))
        try:
            yield path
        finally:
            shutil.rmtree(path)

    def serve(self, name: str, size: int) -> Path:
        """A file of random bytes below the server's root."""
        path = self.server.site / name
        if not path.exists() or path.stat().st_size != size:
            path.parent.mkdir(parents=True, exist_ok=True)
            with open(path, "wb") as file:
                for start in range(0, size, MIB):
                    file.write(os.urandom(min(MIB, size - start)))
        return path


def expect(directory: Path, sources: dict):
    """A quick run that leaves the wrong files must not count."""
    for name, source in sources.items():
        if not filecmp.cmp(source, directory / name, shallow=False):
            raise SystemExit(f"run: {name} is not what the server has")
    filecmp.clear_cache()


def large(bench: Bench):
    """One file of 2 GiB from nginx to disk."""
    size = 2048 * MIB
    source = bench.serve("large.bin", size)
    url = bench.server.url("large.bin")

    def check(directory):
        expect(directory, {"out.bin": source})

    contenders = [
        Contender("dray", lambda _: [bench.dray, "get", "-o", "out.bin", url], check),
        Contender("curl", lambda _: ["curl", "-q", "-sS", "-o", "out.bin", url], check),
        Contender("curl+sync", lambda _: ["sh", "-c", f"curl -q -sS -o out.bin {url} && sync out.bin"], check),
    ]
    costs = interleaved(contenders, bench.rounds, bench.fresh_directory, warm=size)
    dray = costs["dray"]
    with bench.fresh_directory() as directory:
        peak = run(contenders[0].arguments(directory), directory, memory=True).memory
    return [
        Row("2 GiB: CPU", median(dray, "cpu"), "s", 0.8, "curl", median(costs["curl"], "cpu")),
        Row("2 GiB: wall", median(dray, "wall"), "s", 1, "curl", median(costs["curl"], "wall")),
        Row("2 GiB: wall, both safe on disk", median(dray, "wall"), "s", None, "curl; sync",
            median(costs["curl+sync"], "wall")),
        Row("2 GiB: peak memory", peak / 1024, "MiB", 40),
    ]


def queue(bench: Bench):
    """100,000 jobs queued, 100 of them active."""
    jobs, active = 100_000, 100
    bench.serve("slow.bin", 4 * MIB)
    with bench.fresh_directory() as directory:
        links = directory / "links.txt"
        links.write_text("".join(f"{bench.server.url('slow')}/{n}\n" for n in range(jobs)))
        added = run([bench.dray, "add", "-i", links, "-d", directory / "out"], directory, memory=True)
        listed = [run([bench.dray, "list"], directory) for _ in range(bench.rounds)]
        peak = peak_of_runner(bench, directory, active)
    return [
        Row("100,000 URLs: add", added.wall, "s"),
        Row("100,000 URLs: peak memory of add", added.memory / 1024, "MiB"),
        Row("100,000 URLs: list", median(listed, "wall"), "s", 1),
        Row("100 active, 100,000 queued: peak memory", peak / 1024, "MiB", 80),
    ]


def peak_of_runner(bench: Bench, directory: Path, active: int) -> int:
    """Runs until `active` jobs transfer at once, ten seconds more, and stops the runner as a user would."""
    arguments = [bench.dray, "run", "-j", str(active), "--max-per-host", str(active), "-q"]
    with subprocess.Popen(arguments, cwd=directory, env=environment(directory), stdin=subprocess.DEVNULL) as runner:
        try:
            deadline = time.monotonic() + 60
            while time.monotonic() < deadline:
                listing = subprocess.run(
                    [bench.dray, "list", "--json", "--state", "active"], stdout=subprocess.PIPE, check=True,
                    env=environment(directory))
                if sum(job["received"] > 0 for job in json.loads(listing.stdout)) >= active:
                    break
                time.sleep(0.5)
            else:
                raise SystemExit(f"run: {active} jobs never were active at once")
            time.sleep(10)
            peak = peak_memory(runner.pid)
        finally:
            runner.terminate()
    if runner.returncode != 143:
        raise SystemExit(f"run: the runner ended with {runner.returncode} after SIGTERM, not 143")
    return peak


def start(bench: Bench):
    """How long it takes to do next to nothing."""
    home = bench.work / "empty"
    home.mkdir(exist_ok=True)
    # A job store with nothing in it: made by a job that is removed again.
    for arguments in (["add", "http://127.0.0.1/x", "-d", home], ["remove", "--all"], ["clean"]):
        run([bench.dray, *arguments], home)
    contenders = [
        Contender("dray --version", lambda _: [bench.dray, "--version"]),
        Contender("dray list", lambda _: [bench.dray, "list"]),
        Contender("curl --version", lambda _: ["curl", "--version"]),
    ]

    @contextmanager
    def same_directory():
        yield home

    costs = interleaved(contenders, 10 * bench.rounds, same_directory)
    peer = median(costs["curl --version"], "wall")
    return [
        Row(f"start: {name}", median(costs[name], "wall"), "s", 5, "curl --version", peer)
        for name in ("dray --version", "dray list")
    ]


def small(bench: Bench):
    """2,000 files of 10 KiB, 16 at a time."""
    names = [f"{n:04}.bin" for n in range(2000)]
    sources = {name: bench.serve(f"small/{name}", 10240) for name in names}
    links = bench.work / "small.txt"
    links.write_text("".join(bench.server.url(f"small/{name}") + "\n" for name in names))

    def check(directory):
        expect(directory / "out", sources)

    contenders = [
        Contender(
            "dray",
            lambda _: [bench.dray, "get", "-q", "-j", "16", "--max-per-host", "16", "-i", links, "-d", "out"], check),
        Contender("aria2c", lambda _: ["aria2c", "--no-conf", "-q", "-j", "16", "-i", links, "-d", "out"], check),
    ]
    costs = interleaved(contenders, bench.rounds, bench.fresh_directory)
    return [
        Row(f"2,000 × 10 KiB: {label}", median(costs["dray"], measure), "s", goal, "aria2c",
            median(costs["aria2c"], measure))
        for label, measure, goal in (("wall", "wall", 1), ("CPU", "cpu", None))
    ]


CASES = {"large": large, "small": small, "start": start, "queue": queue}
