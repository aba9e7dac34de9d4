"""The table of results: a row for each figure of dray, a column for each peer."""

from dataclasses import dataclass, field

# In this order, if they take part.
COLUMNS = ["unchecked", "no pollers", "ideal", "curl", "curl | aws", "rclone", "wget2", "wget", "aria2", "axel", "bare C"]
BEST = "best peer"


@dataclass
class Goal:
    """The limit of dray's figure: `most` times the peer's, or `most` itself if `peer` is empty."""

    most: float
    peer: str = ""


@dataclass
class Row:
    """One figure of dray and its peers. None: the program failed, or cannot do it."""

    work: str
    program: str
    figure: str
    value: float | None
    unit: str = "s"
    peers: dict = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)

    def ratio(self, peer: str):
        """The displayed and judged value: two decimals."""
        other = self.peers.get(peer)
        return round(self.value / other, 2) if self.value is not None and other else None

    def best(self):
        """The peer with the lowest figure; ideal and bare contenders are not peers."""
        real = {name: value for name, value in self.peers.items() if value and name not in ("unchecked", "no pollers", "ideal", "bare C")}
        return min(real, key=real.get, default="")

    def is_met(self, goal: Goal) -> bool:
        if not goal.peer:
            return self.value is not None and self.value <= goal.most
        ratio = self.ratio(self.best() if goal.peer == BEST else goal.peer)
        return ratio is not None and ratio <= goal.most

    @property
    def missed(self):
        """The goals that are not met, in words."""
        return [self.spoken(goal) for goal in self.goals if not self.is_met(goal)]

    def spoken(self, goal: Goal) -> str:
        return f"≤ {goal.most:g} {goal.peer}" if goal.peer else f"≤ {figure(goal.most, self.unit)}"

    def cell(self, peer: str) -> str:
        if peer not in self.peers:
            return ""
        if self.peers[peer] is None:
            return "failed"
        judged = [goal for goal in self.goals if goal.peer == peer or (goal.peer == BEST and peer == self.best())]
        mark = "" if all(map(self.is_met, judged)) else " ✗"
        ratio = self.ratio(peer)
        beside = figure(self.peers[peer], self.unit)
        return f"({beside})" if ratio is None else f"{ratio:.2f}{mark} ({beside})"

    def cells(self, columns) -> list:
        value = "failed" if self.value is None else figure(self.value, self.unit)
        missed = self.missed
        return [
            self.work, self.program, self.figure, value, *map(self.cell, columns),
            ", ".join(map(self.spoken, self.goals)), "" if not self.goals else "NO" if missed else "yes"]


def figure(value: float, unit: str) -> str:
    if unit == "s":
        return f"{value * 1000:.1f} ms" if value < 0.1 else f"{value:.2f} s"
    if unit == "MB":
        return f"{value / 1e6:.1f} MB"
    return f"{value:,.0f} {unit}"


def table(rows) -> str:
    """The rows as a markdown table that reads well as plain text, too."""
    columns = [name for name in COLUMNS if any(name in row.peers for row in rows)]
    head = ["work", "program", "figure", "dray", *columns, "goal", "met"]
    return drawn([head] + [row.cells(columns) for row in rows])


def drawn(lines) -> str:
    """Lines of cells, the first of them the head."""
    widths = [max(map(len, column)) for column in zip(*lines)]
    text = ["| " + " | ".join(cell.ljust(width) for cell, width in zip(line, widths)) + " |" for line in lines]
    text.insert(1, "|" + "|".join("-" * (width + 2) for width in widths) + "|")
    return "\n".join(text)


def missed(rows) -> str:
    """The goals that are not met, one a line."""
    lines = [
        f"- {row.work}, {row.program}, {row.figure}: {goal}" for row in rows for goal in row.missed]
    return "Not met:\n" + "\n".join(lines) if lines else "All goals are met."
