"""The time and memory it takes to do next to nothing."""

import json
import shlex
import statistics
import subprocess

from ..failure import Broken
from ..measure import environment
from ..report import Result
from ..rounds import Contender, Runs
from ..table import Goal, Row

RUNS = 40


def start(bench) -> Result:
    """`dray --version`, and `dray list` with an empty store, beside `curl --version`, by hyperfine."""
    commands = {
        "dray --version": [bench.dray, "--version"], "dray list": [bench.dray, "list"],
        "curl --version": ["curl", "--version"]}
    walls = {name: [] for name in commands}
    with bench.fresh_directory() as home:
        # An empty job store, created by adding and removing a job.
        for arguments in (["add", "-q", "http://127.0.0.1/x", "-d", home], ["remove", "--all"], ["clean"]):
            bench.meter.run([bench.dray, *arguments], home)
        listed = bench.meter.run([bench.dray, "list"], home)
        for _ in range(bench.scale.rounds):
            for name, times in hyperfine(commands, home).items():
                walls[name] += times
    medians = {name: statistics.median(times) for name, times in walls.items()}
    beside = {"curl": medians["curl --version"]}
    rows = [
        Row("start", name, "wall", medians[name], peers=beside, goals=[Goal(most, "curl")])
        for name, most in (("dray --version", 2), ("dray list", 6))]
    rows.append(Row("start", "dray list", "memory", listed.memory, "MB", goals=[Goal(35e6)]))
    details = {name: Runs(Contender(name, command)) for name, command in commands.items()}
    for name, runs in details.items():
        least, median, most = (1000 * value for value in (min(walls[name]), medians[name], max(walls[name])))
        runs.note = (
            f"median {median:.2f} ms ({least:.2f}–{most:.2f}, n={len(walls[name])}), "
            f"by hyperfine -N in {bench.scale.rounds} turns")
    return Result(rows, {"start": details})


def hyperfine(commands: dict, home) -> dict:
    """One turn of each contender. Returns name → wall times in seconds."""
    export = home / "times.json"
    subprocess.run(
        ["hyperfine", "-N", "--style", "none", "--warmup", "5", "--runs", str(RUNS), "--export-json", export,
         *map(shlex.join, commands.values())],
        env=environment(home), check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    results = json.loads(export.read_text())["results"]
    if len(results) != len(commands):
        raise Broken("hyperfine did not measure all commands")
    return {name: result["times"] for name, result in zip(commands, results)}
