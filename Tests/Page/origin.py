"""The server that the tests download from. The path of a URL determines its file (`simulated_queue.py`)."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from simulated_queue import plan

CHUNK = 16 * 1024
ENTRIES = 3


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_GET(self):
        if self.path == "/feed.xml":
            return self.send_feed()
        size, rate, end = plan(self.path)
        if self.path.startswith("/locked/") and not self.headers.get("Authorization"):
            self.send_response(401)
            self.send_header("WWW-Authenticate", 'Basic realm="locked"')
            self.send_header("Content-Length", "0")
            return self.end_headers()
        if end == "failed" or self.path.startswith("/expired/"):
            self.send_response(404 if end == "failed" else 403)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        asked = self.headers.get("Range", "").removeprefix("bytes=").partition("-")
        lower = int(asked[0]) if asked[0].isdigit() else 0
        upper = int(asked[2]) + 1 if asked[2].isdigit() else size
        if end == "interrupted" and asked[0]:
            # 402 refuses the rest; received bytes are kept.
            self.send_response(402)
            self.send_header("Content-Length", "0")
            return self.end_headers()
        self.send_response(206 if asked[0] else 200)
        if asked[0]:
            self.send_header("Content-Range", f"bytes {lower}-{upper - 1}/{size}")
        self.send_header("Content-Length", str(upper - lower))
        self.send_header("ETag", f'"{size}"')
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()
        self.send_slowly(size // 2 if end == "interrupted" else upper - lower, rate)
        self.close_connection = self.close_connection or end == "interrupted"

    def send_feed(self):
        entry = '<item><guid>g{0}</guid><title>Episode {0}</title><enclosure url="/file/1M/1M/episode-{0}.mp3" length="1048576" type="audio/mpeg"/></item>'
        items = "".join(entry.format(number) for number in range(1, ENTRIES + 1))
        text = f'<?xml version="1.0"?><rss version="2.0"><channel><title>The Long Haul</title>{items}</channel></rss>'.encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/rss+xml")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def send_slowly(self, length, rate):
        try:
            while length > 0:
                self.wfile.write(bytes(min(CHUNK, length)))
                length -= CHUNK
                time.sleep(CHUNK / rate)
        except OSError:
            # The client has gone, as it may.
            self.close_connection = True


class Origin:
    """A server on a free port."""

    def __init__(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def close(self):
        self.server.shutdown()
        self.server.server_close()
