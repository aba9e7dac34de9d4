#!/usr/bin/env python3
"""Builds the program from scratch, and prints the processor time of each module: the table of docs/build.md.

Usage: scripts/build-times.py [COMMAND…]     scripts/build.sh, if none is given

Counts the processor seconds of compilers that run below this folder, read from /proc ten times a second. Shorter processes are missed;
other work of the machine makes no difference.
"""

import collections
import os
import re
import shutil
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(HERE)
COMPILERS = {"clang", "swift-frontend", "ld.gold", "ld.lld"}
TICK = os.sysconf("SC_CLK_TCK")
MODULE = (re.compile(r"-module-name (\S+)"), re.compile(r"/([^/ ]+)\.build/\S+\.o(?: |$)"))


def read(path):
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


class Watch(threading.Thread):
    """Samples all compilers until stopped."""

    def __init__(self):
        super().__init__(daemon=True)
        self.ended = threading.Event()
        self.seen = {}  # by id and start: (module, kind, seconds)

    def run(self):
        while not self.ended.wait(0.1):
            for number in filter(str.isdigit, os.listdir("/proc")):
                try:
                    self.look(number)
                except (OSError, ValueError):
                    pass  # it has ended

    def look(self, number):
        stat = read(f"/proc/{number}/stat")
        name, rest = stat[stat.index("(") + 1:stat.rindex(")")], stat[stat.rindex(")") + 2:].split()
        if name not in COMPILERS:
            return
        key = number, rest[19]
        if key not in self.seen or not self.seen[key][0]:
            words = read(f"/proc/{number}/cmdline").split("\0")
            # A long command line comes in a file.
            command = " ".join(read(word[1:]) if word.startswith("@") else word for word in words)
            if ROOT not in command:
                return
            module = next((found[1] for pattern in MODULE if (found := pattern.search(command))), "")
            self.seen[key] = (module, name, 0)
        module, kind, _ = self.seen[key]
        self.seen[key] = (module, kind, (int(rest[11]) + int(rest[12])) / TICK)


def main():
    for kind in ("release", "x86_64-unknown-linux-gnu/release", "aarch64-unknown-linux-gnu/release"):
        place = os.path.join(ROOT, ".build", kind)
        if not os.path.islink(place):
            shutil.rmtree(place, ignore_errors=True)
    watch = Watch()
    watch.start()
    start = time.monotonic()
    status = subprocess.run(sys.argv[1:] or [os.path.join(HERE, "build.sh")], cwd=ROOT, check=False).returncode
    wall = time.monotonic() - start
    watch.ended.set()
    watch.join()
    sums, files = collections.Counter(), collections.Counter()
    for module, kind, seconds in watch.seen.values():
        row = module or "the linker", {"clang": "C and C++", "swift-frontend": "Swift"}.get(kind, "link")
        sums[row] += seconds
        files[row] += 1
    print("\n| module | what | seconds of a core | compilers |\n|---|---|---|---|")
    for (module, kind), seconds in sums.most_common():
        if seconds >= 0.5:
            print(f"| {module} | {kind} | {seconds:.1f} | {files[module, kind]} |")
    print(f"| all | | {sum(sums.values()):.0f} | {sum(files.values())} |\n\n{wall:.0f} s by the clock")
    return status


if __name__ == "__main__":
    sys.exit(main())
