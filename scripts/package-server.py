#!/usr/bin/env python3
"""A server on 127.0.0.1 for the tests of packages: files that can be resumed, and stopped half-way.

Usage: scripts/package-server.py DIR [PORT]

It serves any path as 6 MiB that depend on the path only, with an ETag, ranges and If-Range, and writes a line for each request to
DIR/log: path, Range, status. While DIR/hold exists, a body stops after 2 MiB. In a separate network, it first brings up `lo`.
DIR/ready appears when the server listens.
"""

import fcntl
import hashlib
import http.server
import os
import re
import socket
import struct
import sys
import time

SIZE = 6 << 20
HELD = 2 << 20


def contents(path):
    """Bytes that look random, and are the same every time."""
    return hashlib.shake_128(path.encode()).digest(SIZE)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.answer(False)

    def do_GET(self):
        self.answer(True)

    def answer(self, with_body):
        body = contents(self.path)
        tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last, status = 0, SIZE - 1, 200
        if asked and self.headers.get("If-Range", tag) == tag and int(asked[1]) < SIZE:
            first, last, status = int(asked[1]), min(int(asked[2] or SIZE), SIZE - 1), 206
        with open(os.path.join(place, "log"), "a", encoding="utf-8") as log:
            log.write(f"{self.path} {self.headers.get('Range', '-')} {status}\n")
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Content-Length", str(last + 1 - first))
        if status == 206:
            self.send_header("Content-Range", f"bytes {first}-{last}/{SIZE}")
        self.end_headers()
        if not with_body:
            return
        try:
            held = max(first, min(HELD, last + 1))
            self.wfile.write(body[first:held])
            while os.path.exists(os.path.join(place, "hold")):
                time.sleep(0.05)
            self.wfile.write(body[held:last + 1])
        except OSError:
            self.close_connection = True  # the client was killed, as the test wants it

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        """The test kills clients on purpose."""


def bring_up_lo():
    """SIOCSIFFLAGS with IFF_UP: a new network namespace has its loopback down."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as control:
        try:
            fcntl.ioctl(control, 0x8914, struct.pack("16sH14x", b"lo", 0x1))
        except PermissionError:
            pass  # it is already up in the machine's own network


place = sys.argv[1]
bring_up_lo()
with Server(("127.0.0.1", int(sys.argv[2]) if len(sys.argv) > 2 else 8080), Handler) as server:
    open(os.path.join(place, "ready"), "w", encoding="utf-8").close()
    server.serve_forever()
