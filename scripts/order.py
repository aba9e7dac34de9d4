#!/usr/bin/env python3
"""Writes scripts/order.txt: the functions that common commands run, so that the linker places them next to each other.

Usage: scripts/order.py                  builds the program with a map, and writes the list
       scripts/order.py PROGRAM MAP      takes a program and the linker's map of it (DRAY_MAP of scripts/build.sh)

The kernel maps 64 KB of a program around each place that is touched. Scattered over 17 MB, the 0.6 MB that `dray list` runs
would be 10 MB in memory; next to each other they are 3. Names that a later program does not have are ignored by the linker, and
functions that are not in the list only cost what they did before: it needs to be made again when much has changed, not with
each change. It needs valgrind and gold, whose map this reads.
"""

import bisect
import http.server
import os
import re
import subprocess
import sys
import tempfile
import threading

HERE = os.path.dirname(os.path.abspath(__file__))
LIST = os.path.join(HERE, "order.txt")

# What is run, one after the other. URL is a server with small files.
COMMANDS = [
    ["--version"], ["add", "URL/a"], ["list"], ["list", "--json"], ["show", "1"], ["pause", "1"], ["resume", "1"],
    ["run"], ["get", "URL/b", "URL/c"], ["get", "URL/b"], ["info", "URL/a"], ["remove", "1"],
]
# Where several commands need a function, its place is with those of the first of these, or else of the first command.
FIRST = [["--version"], ["list"]]


def sections(path):
    """The places of functions in the program by gold's map, as (address, size, section of an object file)."""
    found, name, begun = [], None, False
    with open(path, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            begun = begun or line.startswith("Memory map")
            if not begun:
                continue
            # A long name stands in a line of its own.
            match = re.match(r"^ (\.text\S*)?\s+0x([0-9a-f]+)\s+0x([0-9a-f]+) \S", line)
            if match and (match[1] or name):
                found.append((int(match[2], 16), int(match[3], 16), match[1] or name))
            match = re.match(r"^ (\.text\S*)$", line)
            name = match[1] if match else None
    return sorted(one for one in found if one[1])


def executed(output, program):
    """The addresses of what was executed of the program."""
    found, is_ours = set(), False
    with open(output, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line.startswith("ob="):
                is_ours = line[3:].strip() == program
            elif is_ours and line.startswith("0x"):
                found.add(int(line.split()[0], 16))
    return found


class Files(http.server.BaseHTTPRequestHandler):
    """Some bytes for each name."""

    def do_GET(self):
        body = self.path.encode() * 10_000
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("ETag", f'"{self.path}"')
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


def main():
    program, table = (sys.argv[1:] + [None, None])[:2]
    if not program:
        table = os.path.join(HERE, "..", ".build", "dray.map")
        program = subprocess.run(
            [os.path.join(HERE, "build.sh")], check=True, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "DRAY_MAP": os.path.abspath(table)}).stdout.strip()
    if not table:
        print(__doc__, file=sys.stderr)
        return 2
    program = os.path.realpath(program)
    places = sections(table)
    starts = [place[0] for place in places]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_port}"
    order = {}
    with tempfile.TemporaryDirectory() as directory:
        environment = {"PATH": os.environ["PATH"], "HOME": directory, "DRAY_HOME": directory + "/store", "LANG": "C.UTF-8"}
        for number, command in enumerate(COMMANDS):
            output = f"{directory}/{number}.calls"
            tool = ["valgrind", "-q", "--tool=callgrind", f"--callgrind-out-file={output}", "--dump-instr=yes",
                    "--compress-strings=no", "--compress-pos=no"]
            words = [word.replace("URL", url) for word in command]
            ended = subprocess.run(
                tool + [program] + words, cwd=directory, env=environment, capture_output=True, text=True, check=False)
            if ended.returncode != 0:
                sys.exit(f"order: dray {' '.join(words)} ended with {ended.returncode}: {ended.stderr}")
            rank = FIRST.index(command) if command in FIRST else len(FIRST) + number
            addresses = executed(output, program)
            if not addresses:
                sys.exit("order: valgrind has seen nothing of the program")
            for address in addresses:
                place = bisect.bisect_right(starts, address) - 1
                if place >= 0 and address < places[place][0] + places[place][1]:
                    name = places[place][2]
                    order[name] = min(rank, order.get(name, rank))
    # Functions of objects without a section for each cannot be moved by their name.
    names = sorted((name for name in order if name != ".text"), key=lambda name: (order[name], name))
    with open(LIST, "w", encoding="utf-8") as file:
        file.write("".join(name + "\n" for name in names))
    print(f"order: {len(names)} functions in {os.path.relpath(LIST)}")
    return 0


sys.exit(main())
