#!/usr/bin/env python3
"""Counts the files that use the system's C library beside the modules made for it, so that their number only falls. No build.

Usage: scripts/wall.py check       fails if there are more such files than LIMIT, or fewer: then lower it
       scripts/wall.py list        the files
       scripts/wall.py selftest    shows that `check` finds what it must find

Posix wraps each system call once, Disk/Linux the calls of Linux on part files that POSIX lacks, and Curl has the constants of
libcurl's. Every other module calls these.
"""

import os
import re
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# Files that import the C library or the calls of Linux. This number may only fall.
LIMIT = 0
ALLOWED = ("Posix", "Curl", os.path.join("DrayEngine", "Disk", "Linux"))
IMPORT = re.compile(r"^\s*(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:(?:func|struct|var|let|typealias|enum)\s+)?(?:Glibc|Musl|Darwin|CLinux)\b", re.M)


def offenders(root):
    found = []
    for base, _, names in os.walk(os.path.join(root, "Sources")):
        folder = os.path.relpath(base, os.path.join(root, "Sources"))
        is_allowed = any(folder == allowed or folder.startswith(allowed + os.sep) for allowed in ALLOWED)
        for name in names:
            path = os.path.join(base, name)
            if name.endswith(".swift") and not is_allowed:
                with open(path, encoding="utf-8") as file:
                    if IMPORT.search(file.read()):
                        found.append(os.path.relpath(path, root))
    return sorted(found)


def verdict(count, limit):
    """The problem with the number of files; an empty text if there is none."""
    if count > limit:
        return f"{count} files import the C library, and {limit} may: call Posix, or add the call there (scripts/wall.py list)"
    if count < limit:
        return f"only {count} files import the C library: lower LIMIT in scripts/wall.py from {limit}"
    return ""


def selftest():
    with tempfile.TemporaryDirectory() as root:
        for path, text in {
            "Kit/A.swift": "internal import Glibc\n", "Kit/B.swift": "// import Glibc\nimport Posix\n",
            "Kit/C.swift": "#if canImport(Glibc)\n  import Glibc\n#endif\n", "Kit/Disk/D.swift": "internal import CLinux\n",
            "Posix/E.swift": "import Glibc\n", "DrayEngine/Disk/Linux/H.swift": "import Glibc\n", "Posixer/I.swift": "import Glibc\n", "Kit/F.swift": "import func Glibc.floor\n", "Kit/G.swift": "import GlibcLike\n",
        }.items():
            path = os.path.join(root, "Sources", path)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
        expected = [f"Sources/Kit/{name}.swift" for name in ("A", "C", "Disk/D", "F")] + ["Sources/Posixer/I.swift"]
        if offenders(root) != expected:
            sys.exit(f"wall.py: selftest: {offenders(root)}")
    if not (verdict(2, 1) and verdict(1, 2)) or verdict(1, 1):
        sys.exit("wall.py: selftest: the number is not judged")
    return 0


def check(root):
    problem = verdict(len(offenders(root)), LIMIT)
    if problem:
        print(problem, file=sys.stderr)
    return 1 if problem else 0


if __name__ == "__main__":
    commands = {"check": lambda: check(ROOT), "selftest": selftest, "list": lambda: print(*offenders(ROOT), sep="\n", end="\n" if offenders(ROOT) else "")}
    if sys.argv[1:] and sys.argv[1] in commands and not sys.argv[2:]:
        sys.exit(commands[sys.argv[1]]())
    sys.exit(__doc__)
