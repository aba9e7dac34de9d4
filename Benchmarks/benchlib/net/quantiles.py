"""How dray compares over many lines: quantiles instead of a row for each."""

import math

from ..table import drawn

WORST = 5


def quantile(values: list, share: float) -> float:
    """The smallest value that is at least as large as this share of all."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]


def ratios(rows: list, other) -> list:
    """(ratio, name of the other, row), where both have a time. `other(row)` is the name of the program to compare."""
    found = []
    for row in rows:
        name = other(row)
        mine, theirs = (row.runs[each].median("wall") if each in row.runs else None for each in ("dray", name))
        if mine and theirs:
            found.append((mine / theirs, name, row))
    return found


def own_single(row) -> str:
    return "dray -x1"


def quantiles(rows: list, conditions: dict) -> str:
    """A row for each work: the ratios of dray to the best peer and to its own -x1. Then the worst lines of each, with
    their parameters. `conditions` is name → condition."""
    works = list(dict.fromkeys(row.work for row in rows))
    head = ["work", "against", "lines", "median", "90 %", "worst", "dray failed"]
    lines, worst = [head], []
    for work in works:
        of_work = [row for row in rows if row.work == work]
        failed = sum(1 for row in of_work if "dray" in row.runs and row.runs["dray"].failure)
        for against, other in (("best peer", lambda row: row.best()), ("dray -x1", own_single)):
            found = ratios(of_work, other)
            if not found:
                continue
            values = [ratio for ratio, _, _ in found]
            figures = [quantile(values, 0.5), quantile(values, 0.9), max(values)]
            lines.append([work, against, str(len(values)), *(f"{value:.2f}" for value in figures), str(failed or "")])
            worst.append(f"{work}, against {against}:")
            found.sort(key=lambda each: -each[0])
            worst += [
                f"- {ratio:.2f} of {name}, {row.line}: {conditions[row.line]}" for ratio, name, row in found[:WORST]]
            worst.append("")
    return drawn(lines) + "\n\nThe worst lines:\n\n" + "\n".join(worst).rstrip()
