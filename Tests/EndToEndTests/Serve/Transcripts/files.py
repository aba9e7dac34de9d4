"""A server of files: PLACE/small is sent, PLACE/held never ends, other paths are missing."""

import contextlib
import http.server
import re
import threading

SIZES = {"small": 1000, "held": 32 << 20}
# The bytes of each answer before it is held: whole blocks, because aria2 counts these.
PART = 6 << 14


class Files(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    # The fields of the last request for each path, their names in lower case.
    seen = {}
    end = threading.Event()

    def log_message(self, *_):
        pass

    def do_GET(self):
        Files.seen[self.path] = {name.lower(): value for name, value in self.headers.items()}
        size = SIZES.get(self.path.rsplit("/", 1)[-1])
        if size is None:
            self.send_error(404)
            return
        asked = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        first, last = (int(asked[1]), int(asked[2] or size - 1)) if asked else (0, size - 1)
        self.send_response(206 if asked else 200)
        self.send_header("ETag", '"v1"')
        self.send_header("Content-Length", str(last - first + 1))
        if asked:
            self.send_header("Content-Range", f"bytes {first}-{last}/{size}")
        self.end_headers()
        # A client that continues without it has closed the connection.
        with contextlib.suppress(OSError):
            self.wfile.write(b"x" * min(last - first + 1, PART))
            self.wfile.flush()
            if last - first + 1 > PART:
                Files.end.wait()


def serve():
    """Starts the server, and returns its address."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Files)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return f"http://127.0.0.1:{server.server_port}"
