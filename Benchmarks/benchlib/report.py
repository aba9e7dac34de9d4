"""The table of results."""

import os
import platform
import re
import subprocess
from dataclasses import dataclass


@dataclass
class Row:
    """One figure beside its peer or its limit. `goal` is the most that the ratio, or the value, may be."""

    what: str
    value: float
    unit: str
    goal: float | None = None
    peer: str = ""
    peer_value: float | None = None

    @property
    def ratio(self):
        return None if self.peer_value is None else self.value / self.peer_value

    @property
    def is_met(self):
        judged = self.value if self.ratio is None else self.ratio
        return self.goal is None or judged <= self.goal

    def cells(self):
        limit = ""
        if self.goal is not None:
            limit = f"≤ {self.goal:g}" + ("×" if self.ratio is not None else f" {self.unit}")
        return [
            self.what, figure(self.value, self.unit),
            f"{self.peer} {figure(self.peer_value, self.unit)}" if self.peer_value is not None else "",
            f"{self.ratio:.2f}×" if self.ratio is not None else "", limit,
            "" if self.goal is None else "yes" if self.is_met else "NO",
        ]


def figure(value, unit):
    return f"{value:.3f} {unit}" if unit == "s" else f"{value:.1f} {unit}"


def table(rows) -> str:
    """The rows as a markdown table that reads well as plain text, too."""
    lines = [["figure (median)", "dray", "peer", "ratio", "goal", "met"]] + [row.cells() for row in rows]
    widths = [max(len(line[column]) for line in lines) for column in range(6)]
    drawn = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    drawn.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(drawn)


def first_line(*command) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    return done.stdout.splitlines()[0] if done.stdout else "unknown"


def surroundings(programs: dict) -> str:
    """Machine and versions. `programs` is name → command that prints the version."""
    processor = "unknown processor"
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as file:
            found = re.search(r"model name\s*: (.*)", file.read())
        processor = found.group(1) if found else processor
    except OSError:
        pass
    lines = [f"- machine: {os.cpu_count()} × {processor}, Linux {platform.release()}"]
    lines += [f"- {name}: {first_line(*command)[:100]}" for name, command in programs.items()]
    return "\n".join(lines)
