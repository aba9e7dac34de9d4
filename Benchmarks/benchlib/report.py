"""The report around the table: machine, versions, the commands and their costs."""

import os
import platform
import re
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

from .nginx import Server
from .table import figure

# Needs of the cases besides nginx.
PROGRAMS = ["curl", "wget2", "wget", "aria2c", "axel", "hyperfine", "gcc"]


@dataclass
class Result:
    """The result of a case: rows of the table, and title → runs of its contenders."""

    rows: list
    details: dict = field(default_factory=dict)


def first_line(*command) -> str:
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    except FileNotFoundError:
        return "not installed"
    return done.stdout.splitlines()[0] if done.stdout else "unknown"


def surroundings(dray: str, programs=PROGRAMS) -> list:
    """Lines on the machine and the versions."""
    processor = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / (1 << 30)
    lines = [
        f"machine: {os.cpu_count()} × {processor[1] if processor else 'unknown processor'}, {memory:.0f} GiB, "
        f"Linux {platform.release()}",
        f"dray: {first_line(dray, '--version')}",
        f"nginx: {first_line(Server.program(), '-v')}",
        f"libcurl: {first_line('pkg-config', '--modversion', 'libcurl')}"]
    lines += [f"{name}: {first_line(name, '--version')[:60]}" for name in programs]
    return lines


class Busy:
    """The machine's load from other programs, over `seconds` before a case, when the benchmark runs nothing."""

    def __init__(self):
        self.most = 0.0

    @staticmethod
    def times():
        fields = [int(value) for value in Path("/proc/stat").read_text(encoding="ascii").split("\n")[0].split()[1:9]]
        return sum(fields), fields[3] + fields[4]

    def look(self, wait):
        total, idle = self.times()
        wait()
        total_after, idle_after = self.times()
        self.most = max(self.most, 1 - (idle_after - idle) / max(1, total_after - total))

    def spoken(self) -> str:
        warning = ": the figures are noise" if self.most > 0.1 else ""
        return f"busy with other things before a case: at most {self.most:.0%}{warning}"


def details(results: list, places: dict) -> str:
    """Each command with the medians of its costs. `places` maps texts to their replacements."""
    lines = []
    for result in results:
        for title, contenders in result.details.items():
            lines.append(title)
            for name, runs in contenders.items():
                told = "; ".join(filter(None, (costs(runs), runs.note)))
                lines += [f"  {name}: {told}", f"    $ {shortened(runs.contender.arguments, places)}"]
            lines.append("")
    return "\n".join(lines)


def costs(runs) -> str:
    if runs.failure:
        return f"FAILED: {' '.join(str(runs.failure).split())}"
    if not runs.costs:
        return ""
    walls = [cost.wall for cost in runs.costs]
    return (
        f"wall {figure(runs.median('wall'), 's')} ({min(walls):.2f}–{max(walls):.2f}, n={len(walls)}), "
        f"CPU {figure(runs.median('cpu'), 's')} (user {runs.median('user'):.2f}, system {runs.median('system'):.2f}), "
        f"memory {figure(runs.median('memory'), 'MB')}")


def shortened(arguments, places: dict) -> str:
    """The command without the paths and ports of this run."""
    text = " ".join(f"'{word}'" if " " in str(word) else str(word) for word in arguments)
    for long, short in places.items():
        text = text.replace(long, short)
    return re.sub(r"http://127\.0\.0\.1:\d+", "http://PROXY", text)
