#!/usr/bin/env python3
"""Makes the calls of record.py with the aria2c of this machine and with dray, and compares the answers.

    Tests/Aria2/compare.py PROGRAM [SECTION…]

Every difference needs a row of differences.txt, with its reason; every row needs a difference. Exit 1 tells what is missing. With
sections, such as `queue`, only their differences are shown.
"""

import fnmatch, json, os, pathlib, sys

import record

HERE = pathlib.Path(__file__).parent


class Dray(record.Daemon):
    program = None

    def command(self, secret):
        os.makedirs(self.directory)
        state = self.directory + "-state"
        return ([self.program, "serve", "--listen", f"127.0.0.1:{self.port}", "--root", self.directory, "-j", "1",
                 *([] if secret else ["--no-secret"])],
                {"DRAY_HOME": state, "XDG_CONFIG_HOME": state, "DRAY_RETRIES": "0", "DRAY_MAX_CONNECTIONS": "1",
                 **({"DRAY_SERVE_SECRET": secret} if secret else {})})


class Row:
    """A line of differences.txt."""

    def __init__(self, number, line):
        parts = [part.strip() for part in line.split("|")]
        if len(parts) != 4 or not parts[3] or parts[0] not in ("both", "live", "unit"):
            sys.exit(f"differences.txt:{number}: not WHERE | CALLS | PART | REASON: {line}")
        self.where, self.calls, self.part, self.reason = parts
        self.number, self.count = number, 0

    def means(self, call, difference):
        # fnmatch knows [ ] as well.
        return fnmatch.fnmatchcase(call, self.calls.replace("[", "[[]")) and self.part in difference


def rows():
    lines = enumerate((HERE / "differences.txt").read_text().splitlines(), 1)
    return [Row(number, line) for number, line in lines if line.strip() and not line.startswith("#")]


def differences(expected, actual, path=""):
    """Where two values differ, as `PATH: EXPECTED, not ACTUAL`."""
    if isinstance(expected, dict) and isinstance(actual, dict):
        for key in sorted(expected.keys() | actual.keys()):
            here = f"{path}.{key}" if path else key
            if key not in expected:
                yield f"{here}: surplus"
            elif key not in actual:
                yield f"{here}: missing"
            else:
                yield from differences(expected[key], actual[key], here)
    elif isinstance(expected, list) and isinstance(actual, list):
        if len(expected) != len(actual):
            yield f"{path}: {len(expected)} elements, not {len(actual)}"
        else:
            for one, other in zip(expected, actual):
                yield from differences(one, other, path + "[]")
    elif path.endswith("downloadSpeed") and str(expected).isdigit() and str(actual).isdigit():
        return
    elif type(expected) is not type(actual) or expected != actual:
        yield f"{path}: {expected}, not {actual}"


def value(text):
    """An answer: JSON, with a callback around it, or another text."""
    try:
        return json.loads(text)
    except ValueError:
        pass
    mark = text.find("(")
    if mark > 0 and text.endswith(")"):
        try:
            return {"callback": text[:mark], "of": json.loads(text[mark + 1 : -1])}
        except ValueError:
            pass
    return text


def compared(expected, actual):
    if expected["status"] != actual["status"]:
        yield f"status: {expected['status']}, not {actual['status']}"
    kinds = [(one["type"] or "").split(";")[0] for one in (expected, actual)]
    if kinds[0] != kinds[1]:
        yield f"type: {kinds[0]}, not {kinds[1]}"
    # The page of an unknown path is each program's own.
    if expected["status"] != 404:
        yield from differences(value(expected["answer"]), value(actual["answer"]))


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__.strip())
    Dray.program, chosen = os.path.realpath(sys.argv[1]), sys.argv[2:]
    theirs, ours = record.exchanges(record.Daemon), record.exchanges(Dray)
    if [(one["section"], one.get("name")) for one in theirs] != [(one["section"], one.get("name")) for one in ours]:
        sys.exit("the two programs were not asked the same")
    known, unknown, count = rows(), [], 0
    for expected, actual in zip(theirs, ours):
        if "answer" not in expected:
            continue
        call = f"{expected['section']}/{expected['name']}"
        count += 1
        for difference in compared(expected, actual):
            row = next((row for row in known if row.where != "unit" and row.means(call, difference)), None)
            if row:
                row.count += 1
            else:
                unknown.append(f"{call}: {difference}")
    shown = [line for line in unknown if not chosen or line.split("/")[0] in chosen]
    for line in shown:
        print(line)
    idle = [row for row in known if row.where != "unit" and not row.count and (not chosen or row.calls.split("/")[0] in chosen)]
    for row in idle:
        print(f"differences.txt:{row.number}: does not differ: {row.calls} | {row.part}")
    found = sum(row.count for row in known)
    print(f"{count} calls to {record.version()} and to dray: {found} differences, each with its reason; {len(shown)} without")
    sys.exit(1 if shown or idle else 0)


main()
