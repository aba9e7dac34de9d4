"""The table: a row for each line and work, a column for each program."""

from dataclasses import dataclass

from ..table import drawn, figure

# In this order, if they take part.
COLUMNS = ["dray", "dray -x1", "curl", "curl -Z", "aria2", "aria2 -x16", "aria2 -j16", "wget2"]


@dataclass
class Row:
    """`runs` is name → `Runs` of the programs that took part."""

    line: str
    work: str
    runs: dict

    def best(self) -> str:
        """The fastest peer."""
        walls = {name: runs.median("wall") for name, runs in self.runs.items() if not name.startswith("dray")}
        return min((name for name in walls if walls[name]), key=walls.get, default="")

    def against_best(self) -> str:
        """dray with default options against the fastest peer."""
        own = self.runs["dray"].median("wall") if "dray" in self.runs else None
        best = self.best()
        return f"{own / self.runs[best].median('wall'):.2f} ({best})" if own and best else ""

    def cell(self, name: str) -> str:
        if name not in self.runs:
            return ""
        runs = self.runs[name]
        return runs.failure.short if runs.failure else figure(runs.median("wall"), "s")


def table(rows) -> str:
    columns = [name for name in COLUMNS if any(name in row.runs for row in rows)]
    lines = [["line", "work", *columns, "dray / best peer"]]
    lines += [[row.line, row.work, *map(row.cell, columns), row.against_best()] for row in rows]
    return drawn(lines)
