"""A server that two lines lead to: a file in parts, slowly on each connection. Prints who asks.

Usage: lines.py FILE ADDRESS BYTES_A_SECOND
    Each request is a line: the client's address, the range and the path. FILE.open lets everything go at full speed.
    Answers for /mirror have no ETag.
"""

import http.server
import os
import sys
import time

path, address, rate = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(path, "rb") as file:
    content = file.read()
STEP = 16384


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = self.headers.get("Range")
        # In one write, because requests come on several threads.
        print(f"{self.client_address[0]} {asked or 'all'} {self.path}\n", end="", flush=True)
        first, end = 0, len(content)
        if asked:
            lower, _, upper = asked.removeprefix("bytes=").partition("-")
            first, end = int(lower), int(upper) + 1 if upper else end
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{end - 1}/{len(content)}")
        self.send_header("Content-Length", str(end - first))
        if self.path != "/mirror":
            self.send_header("ETag", '"v1"')
        self.end_headers()
        for position in range(first, end, STEP):
            self.wfile.write(content[position : min(end, position + STEP)])
            if not os.path.exists(path + ".open"):
                time.sleep(STEP / rate)

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # a line that goes away ends connections


server = Server((address, 8000), Handler)
print("ready", flush=True)
server.serve_forever()
