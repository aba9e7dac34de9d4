#!/usr/bin/env python3
"""Puts the files of the page into the program: Sources/DrayServer/Page, in base64, into one file of Swift.

Usage: scripts/page.py write   makes Sources/DrayServer/PageFiles/PageArchive.swift anew
       scripts/page.py check   fails where that has not the files as they are
"""

import base64
import hashlib
import re
import sys
from pathlib import Path

PAGE = Path("Sources/DrayServer/Page")
ARCHIVE = Path("Sources/DrayServer/PageFiles/PageArchive.swift")
TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
HEAD = """// swift-format-ignore-file
// Made by scripts/page.py of Sources/DrayServer/Page, not by hand: path, type, tag and content in base64 of each file.

extension PageFile {
  /// The files of the page.
  static let all: [PageFile] = [
"""
TAIL = """  ]
}
"""
ROW = re.compile(r'    PageFile\("([^"]+)", "([^"]+)", "([^"]+)", "([^"]+)"\),')


def files():
    """Path, type, tag and bytes of each file."""
    for file in sorted(PAGE.iterdir()):
        data = file.read_bytes()
        path = "/" if file.name == "index.html" else f"/page/{file.name}"
        yield path, TYPES[file.suffix], hashlib.sha256(data).hexdigest()[:16], data


def archived():
    """The same of what is in the archive."""
    for line in ARCHIVE.read_text().splitlines():
        row = ROW.fullmatch(line)
        if row:
            yield *row.groups()[:3], base64.b64decode(row[4])


def write():
    rows = ""
    for path, kind, tag, data in files():
        text = base64.b64encode(data).decode()
        rows += f'    PageFile("{path}", "{kind}", "{tag}", "{text}"),\n'
    ARCHIVE.write_text(HEAD + rows + TAIL)


def check():
    if list(files()) != list(archived()):
        sys.exit(f"{ARCHIVE} has not the page as it is: run scripts/page.py write")
    size = sum(len(data) for _, _, _, data in files())
    if size > 200_000:
        sys.exit(f"the page has {size} bytes, more than 200,000")


if __name__ == "__main__":
    command = sys.argv[1] if len(sys.argv) == 2 else None
    if command == "write":
        write()
    elif command == "check":
        check()
    else:
        sys.exit(__doc__)
