#!/usr/bin/env python3
"""Prints the slowest test suites, and fails if one exceeds its budget.

Usage: scripts/suite-times.py BUDGETS EVENTS...

EVENTS are what `swift test --event-stream-output-path` writes. The time of a suite is the sum over its test cases, and cases
run at once, so the sums are longer than the run. BUDGETS has one suite a line: its seconds on the machine of
the line's author, and its name. A suite that is not listed has the budget of the line "default".

Machines differ, so each suite is compared with all others of the same run. The median of (time / budget) over the listed suites shows
how slow this machine is; a suite fails if it takes more than three times its budget by that measure.
"""

import json
import statistics
import sys

# Extra seconds for each suite: a busy machine may delay a short one, and must not fail a commit.
GRACE = 90.0
FACTOR = 3.0
SHOWN = 10


def suite_times(paths):
    """Seconds of all cases of each suite, by the suite's name."""
    times = {}
    for path in paths:
        with open(path, encoding="utf-8", errors="replace") as events:
            for line in events:
                try:
                    event = json.loads(line)
                except ValueError:
                    continue  # The last line of a run that was killed.
                payload = event.get("payload", {})
                kind = payload.get("kind")
                if kind not in ("testCaseStarted", "testCaseEnded"):
                    continue
                # "Target.Suite/function(…)/File.swift:1:2": over all cases of a test the ends less the beginnings are the sum.
                test = payload["testID"].split("/")
                suite = test[0] if len(test) > 2 else test[0] + "." + test[-1].split(".swift")[0]
                sign = 1 if kind == "testCaseEnded" else -1
                times[suite] = times.get(suite, 0.0) + sign * payload["instant"]["absolute"]
    return times


def read_budgets(path):
    """Seconds by suite; the default under that name."""
    budgets = {}
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            line = line.split("#")[0].strip()
            if line:
                seconds, suite = line.split(maxsplit=1)
                budgets[suite] = float(seconds)
    return budgets


def main():
    if len(sys.argv) < 3:
        sys.exit("usage: scripts/suite-times.py BUDGETS EVENTS...")
    budgets = read_budgets(sys.argv[1])
    times = suite_times(sys.argv[2:])
    default = budgets.pop("default")
    if not times:
        sys.exit("suite-times: no test case ended in " + " ".join(sys.argv[2:]))

    ratios = [times[suite] / budget for suite, budget in budgets.items() if suite in times]
    pace = max(statistics.median(ratios), 0.1) if ratios else 1.0
    slowest = sorted(times.items(), key=lambda row: -row[1])
    print(f"the {SHOWN} slowest of {len(times)} suites (seconds over all their cases; this machine: {pace:.2f} of the budgets' one)")
    for suite, seconds in slowest[:SHOWN]:
        print(f"{seconds:8.1f}  budget {budgets.get(suite, default):6.1f}  {suite}")

    over = [
        (suite, seconds, budgets.get(suite, default))
        for suite, seconds in slowest
        if seconds > FACTOR * pace * budgets.get(suite, default) + GRACE
    ]
    for suite, seconds, budget in over:
        print(
            f"suite-times: {suite} took {seconds:.0f} s, its budget is {budget:g} s ({pace * budget:.0f} s on this machine):"
            f" make it quicker, or give it more in {sys.argv[1]} and say why",
            file=sys.stderr,
        )
    # A budget for an unknown suite would never be checked.
    unknown = sorted(set(budgets) - set(times))
    if unknown and len(times) > len(budgets) / 2:
        print("suite-times: no such suite ran: " + ", ".join(unknown), file=sys.stderr)
    sys.exit(1 if over else 0)


if __name__ == "__main__":
    main()
