#!/usr/bin/env python3
"""Writes scripts/unlinked.txt: the files of BoringSSL that dray never links, so that scripts/build.sh does not compile them.

Usage: scripts/unlinked.py     after `swift build`, which compiles all of them

Follows the undefined names in the objects of that build, beginning with Crypto's own code. A later version of swift-crypto may need
more files. Linking then fails, and the list must be written again.
"""

import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
BUILT = os.path.join(HERE, "..", ".build/debug")
LIST = os.path.join(HERE, "unlinked.txt")
LIBRARY = "CCryptoBoringSSL"
USERS = ("Crypto", "CryptoBoringWrapper", "CCryptoBoringSSLShims")
SYMBOL = re.compile(r"(.+?\.o):\s*[0-9a-f]*\s+([A-Z]) (\S+)$")


def objects(module):
    place = os.path.join(BUILT, module + ".build")
    return [os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names if name.endswith(".o")]


def symbols(module):
    """The undefined and the defined names of each object of a module."""
    lacks, has = collections.defaultdict(set), collections.defaultdict(set)
    listed = subprocess.run(["nm", "-A", *objects(module)], check=True, capture_output=True, text=True).stdout
    for line in listed.splitlines():
        if found := SYMBOL.match(line):
            (lacks if found[2] == "U" else has)[found[1]].add(found[3])
    return lacks, has


def main():
    if sys.argv[1:]:
        sys.exit(__doc__)
    files = [path for path in objects(LIBRARY) if path.endswith(".cc.o")]
    if not files:
        sys.exit("unlinked: there is no debug build of all files: swift build")
    lacks, has = symbols(LIBRARY)
    owners = collections.defaultdict(list)
    for path, names in has.items():
        for name in names:
            owners[name].append(path)
    waiting = [name for user in USERS for names in symbols(user)[0].values() for name in names]
    needed = set()
    while waiting:
        for path in owners[waiting.pop()]:
            if path not in needed:
                needed.add(path)
                waiting += lacks[path]
    place = os.path.join(BUILT, LIBRARY + ".build")
    rest = sorted(os.path.relpath(path, place).removesuffix(".o") for path in files if path not in needed)
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("# Files of BoringSSL that are never linked. scripts/unlinked.py writes this, scripts/build.sh says why.\n")
        file.write("".join(name + "\n" for name in rest))
    print(f"unlinked: {len(files) - len(rest)} of {len(files)} files are needed")


if __name__ == "__main__":
    main()
