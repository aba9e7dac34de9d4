#!/usr/bin/env python3
"""Prints the last lines of the gate: skipped tests and steps with their reasons, and the numbers of passed, failed and skipped tests.

Usage: scripts/gate-report.py [--ci] MAY-SKIP NOT-RUN EVENTS...
       scripts/gate-report.py again EVENTS...
       scripts/gate-report.py selftest

EVENTS are event streams of `swift test` and of Tests/Page/run.py. A skip names its need: "needs root: only root may do this"
(Tests/TestSupport/Need.swift). NOT-RUN has the steps of scripts that were left out, a name, a tab and a reason a line
(scripts/not-run.sh); each counts as skipped.

A file of events whose name begins with "again-" is of tests that had failed among others, and were then run alone. Tests that passed
alone are printed as such, and do not fail the gate. `again` prints the filters for such a run, one a line: none if more than a few
tests failed, or if one did not end.

With --ci every name must be in MAY-SKIP, where a line is a name and a reason. The exit status is 1 if a name is missing, if a test
failed or did not end, and if no test ran.
"""

import collections
import json
import os
import re
import sys

FUNCTION = re.compile(r"/[^/]+\.(?:swift|py):\d+:\d+$")
REASON = re.compile(r"(?:skipped|cancelled[^\"]*): \"(.*)\"$", re.DOTALL)
NEED = re.compile(r"needs ([\w-]+): (.*)", re.DOTALL)
SHOWN = 6
# More failures than this are no matter of timing.
AGAIN = 3


class Results:
    """Tests by result. A test is a function, however many cases it has."""

    def __init__(self):
        self.started, self.ended, self.failed = set(), set(), set()
        self.skipped = {}  # by id: (name of the need, why)
        self.again = set()  # failed at first, and passed by themselves

    def read(self, lines):
        for line in lines:
            try:
                payload = json.loads(line)["payload"]
            except (ValueError, KeyError):
                continue  # the last line of a run that was killed
            self.note(payload.get("kind"), payload.get("testID"), payload)

    def note(self, kind, test, payload):
        if kind == "issueRecorded":
            issue = payload.get("issue", {})
            if issue.get("isFailure", not issue.get("isKnown", False)):
                self.failed.add(test)
        if not test or not FUNCTION.search(test):
            return
        if kind == "testStarted":
            self.started.add(test)
        elif kind == "testEnded":
            self.ended.add(test)
        if kind == "testSkipped" or kind == "testEnded":
            text = next((message["text"] for message in payload.get("messages", []) if message.get("symbol") == "skip"), None)
            if text is not None or kind == "testSkipped":
                self.skipped[test] = need(text or "")

    def settle(self, second):
        """Takes the results of a second run of tests that had failed."""
        self.again = (second.ended - second.failed) & self.failed
        self.failed -= self.again

    @property
    def filters(self):
        """The filters of failed tests, for a second run: "A.S/one\\(" for "A.S/one()/A.swift:1:1"."""
        if self.unfinished or len(self.failed) > AGAIN or None in self.failed:
            return []
        return sorted("^" + re.escape(FUNCTION.sub("", test).split("(")[0]) + r"\(" for test in self.failed)

    @property
    def unfinished(self):
        return self.started - self.ended

    @property
    def passed(self):
        return self.ended - self.failed - self.skipped.keys()


def need(text):
    """The need and the explanation in the message of a skip."""
    reason = REASON.search(text)
    found = NEED.fullmatch(reason[1]) if reason else None
    return (found[1], found[2]) if found else ("unnamed", reason[1] if reason else text or "no reason is given")


def suite(test):
    return test.split("/")[0]


def counted(suites):
    """Some suites, each with its number of tests."""
    all_of_them = [f"{name} ({count})" for name, count in sorted(collections.Counter(suites).items())]
    rest = len(all_of_them) - SHOWN
    return ", ".join(all_of_them[:SHOWN]) + (f" and {rest} more suites" if rest > 0 else "")


def pairs(text, separator):
    """The lines of a list as name and reason; `#` begins a remark."""
    lines = (line.split("#")[0].strip() if separator is None else line.strip("\n") for line in text.splitlines())
    return [(line.split(separator, 1) + [""])[:2] for line in lines if line]


def report(results, steps, may_skip, is_ci):
    """The lines to print, and whether the gate passes."""
    lines, is_well = [], True
    reasons = collections.defaultdict(list)
    for test, found in results.skipped.items():
        reasons[found].append(suite(test))
    for (name, why), suites in sorted(reasons.items()):
        lines.append(f"not run: {name}: {why}: {counted(suites)}")
    lines += [f"not run: {name}: {why}" for name, why in steps]
    if not lines:
        lines.append("nothing was left out")
    if is_ci:
        names = {name for name, _ in reasons} | {name for name, _ in steps}
        for name in sorted(names - set(may_skip)):
            lines.append(f"FAILED: CI must run what needs {name}, or scripts/may-skip.txt must say why not")
            is_well = False
    for test in sorted(results.again):
        lines.append(f"failed among other tests, and passed by itself: {test}")
    for test in sorted(str(test) for test in results.failed):
        lines.append(f"FAILED: {test}")
    for test in sorted(results.unfinished):
        lines.append(f"FAILED: did not end: {test}")
    failed = len(results.failed | results.unfinished)
    if not results.started:
        lines.append("FAILED: no test was run")
    skipped = len(results.skipped) + len(steps)
    lines.append(f"gate: {len(results.passed)} passed, {failed} failed, {skipped} skipped")
    return lines, is_well and not failed and bool(results.started)


def selftest():
    """Tells a skip, a failure, a hang and an empty run apart."""
    def event(kind, test, **more):
        return json.dumps({"kind": "event", "payload": {"kind": kind, "testID": test, **more}})

    def skip(text):
        return {"messages": [{"symbol": "skip", "text": text}]}

    one, two, three = (f"A.S/{name}()/A.swift:{number}:1" for number, name in enumerate(("one", "two", "three"), 1))
    fine = [event("testStarted", one), event("testEnded", one, messages=[{"symbol": "pass", "text": "x"}])]
    bare = event("testSkipped", two, **skip('Test two() skipped: "needs root: only "root" may"'))

    def told(lines, steps=(), may=(), is_ci=True):
        results = Results()
        results.read(lines)
        said, is_well = report(results, list(steps), list(may), is_ci)
        return said, is_well

    assert told(fine) == (["nothing was left out", "gate: 1 passed, 0 failed, 0 skipped"], True)
    said, is_well = told(fine + [bare, event("testSkipped", "A.S", **skip('Suite S skipped: "needs root: no"'))])
    assert not is_well and said[0] == 'not run: root: only "root" may: A.S (1)' and said[-1] == "gate: 1 passed, 0 failed, 1 skipped", said
    assert told(fine + [bare], may=["root"])[1] and told(fine + [bare], is_ci=False)[1]
    assert not told([bare], may=["root"])[1] and not told([])[1]
    assert not told(fine, steps=[("systemd", "why")])[1] and told(fine, steps=[("systemd", "why")], may=["systemd"])[1]
    assert told(fine, steps=[("systemd", "why")], may=["systemd"])[0][-1] == "gate: 1 passed, 0 failed, 1 skipped"
    assert told([event("testSkipped", two, **skip("Test two() skipped"))] + fine)[0][0].startswith("not run: unnamed: ")
    ended = event("testEnded", two, **skip('Test two() was cancelled after 0.1 seconds: "needs moto: gone"'))
    assert told(fine + [event("testStarted", two), ended])[0][0] == "not run: moto: gone: A.S (1)"
    issue = {"issue": {"isKnown": False, "isFailure": True}}
    said, is_well = told(fine + [event("testStarted", three), event("issueRecorded", three, **issue), event("testEnded", three)])
    assert not is_well and said[-1] == "gate: 1 passed, 1 failed, 0 skipped", said
    assert not told(fine + [event("testStarted", three), event("issueRecorded", three, **issue)], may=[])[1]
    first, second = Results(), Results()
    first.read(fine + [event("testStarted", three), event("issueRecorded", three, **issue), event("testEnded", three)])
    assert first.filters == [r"^A\.S/three\("], first.filters
    second.read([event("testStarted", three), event("testEnded", three)])
    first.settle(second)
    said, is_well = report(first, [], [], True)
    assert is_well and f"failed among other tests, and passed by itself: {three}" in said and first.passed == {one, three}, said
    second.read([event("issueRecorded", three, **issue)])
    first.failed, first.again = {three}, set()
    first.settle(second)
    assert not report(first, [], [], True)[1]
    known = {"issue": {"isKnown": True, "isFailure": False}}
    assert told(fine + [event("issueRecorded", one, **known)])[1]
    assert not told(fine + [event("testStarted", three), "{cut"])[1]
    assert pairs("a  why this\n# no\n\nb c # d\n", None) == [["a", "why this"], ["b", "c"]] and pairs("a\tb c\n", "\t") == [["a", "b c"]]
    print("gate-report: it tells what it must tell")
    return 0


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def results_of(paths):
    """The results in some files of events; those of second runs settle the others'."""
    first, second = Results(), Results()
    for path in paths:
        (second if os.path.basename(path).startswith("again-") else first).read(read(path).splitlines())
    first.settle(second)
    return first


def main():
    words = sys.argv[1:]
    if words == ["selftest"]:
        return selftest()
    if words[:1] == ["again"]:
        print("\n".join(results_of(words[1:]).filters))
        return 0
    is_ci = words[:1] == ["--ci"]
    words = words[is_ci:]
    if len(words) < 2:
        sys.exit(__doc__)
    lines, is_well = report(
        results_of(words[2:]), pairs(read(words[1]), "\t"), [name for name, _ in pairs(read(words[0]), None)], is_ci)
    print("\n".join(lines))
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
