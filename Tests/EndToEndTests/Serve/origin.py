"""A server for a private network: a file, in parts, and redirects. Prints each request.

Usage: origin.py FILE
    /f is the file, /half the same, which waits in the middle until FILE.open is there, /to/URL leads to http://URL
"""

import http.server
import os
import sys
import time

path = sys.argv[1]
content = open(path, "rb").read()


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        asked = self.headers.get("Range")
        print(self.headers.get("Host"), self.path, asked or "all", flush=True)
        if self.path.startswith("/to/"):
            self.send_response(302)
            self.send_header("Location", "http://" + self.path.removeprefix("/to/"))
            self.send_header("Content-Length", "0")
            return self.end_headers()
        first = int(asked.removeprefix("bytes=").split("-")[0]) if asked else 0
        self.send_response(206 if asked else 200)
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{len(content) - 1}/{len(content)}")
        self.send_header("Content-Length", str(len(content) - first))
        self.send_header("ETag", '"v1"')
        self.end_headers()
        middle = max(first, len(content) // 2 if self.path == "/half" else 0)
        self.wfile.write(content[first:middle])
        while self.path == "/half" and not os.path.exists(path + ".open"):
            time.sleep(0.02)
        self.wfile.write(content[middle:])

    def log_message(self, *arguments):
        pass


class Server(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request, address):
        pass  # a network that goes away ends connections


print("ready", flush=True)
Server(("", 8000), Handler).serve_forever()
