#!/usr/bin/env python3
"""The server of scripts/package-use-test.sh: one file with ranges and a validator, slow while DIR/slow exists.

Usage: origin.py DIR     serves DIR/file; writes DIR/port, and in DIR/sent how many bytes it has sent
"""

import http.server
import os
import re
import sys
import threading
import time

PIECE = 16 << 10
PAUSE = 0.02
folder = sys.argv[1]
with open(os.path.join(folder, "file"), "rb") as file:
    content = file.read()
lock = threading.Lock()
sent = 0


def count(size):
    global sent
    with lock:
        sent += size
        with open(os.path.join(folder, "sent.new"), "w") as file:
            file.write(str(sent))
        os.replace(os.path.join(folder, "sent.new"), os.path.join(folder, "sent"))


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        start, end = 0, len(content)
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if asked:
            start, end = int(asked[1]), min(end, int(asked[2]) + 1 if asked[2] else end)
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {start}-{end - 1}/{len(content)}")
        self.send_header("Content-Length", str(end - start))
        self.send_header("Content-Type", "application/octet-stream")
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("ETag", '"one"')
        self.end_headers()
        for place in range(start, end, PIECE):
            piece = content[place:min(place + PIECE, end)]
            self.wfile.write(piece)
            count(len(piece))
            if os.path.exists(os.path.join(folder, "slow")):
                time.sleep(PAUSE)

    def log_message(self, *_):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_):
        pass  # A client that was killed.


server = Server(("127.0.0.1", 0), Handler)
with open(os.path.join(folder, "port.new"), "w") as file:
    file.write(str(server.server_port))
os.replace(os.path.join(folder, "port.new"), os.path.join(folder, "port"))
server.serve_forever()
