"""The site that the tests download from: a login, redirects, forms, links that expire."""

import hashlib
import http.server
import threading
from urllib.parse import parse_qs, urlsplit

SIZE = 2 << 20
SMALL = 1000


def contents(path, size=SIZE):
    """Bytes that depend on the path only."""
    return hashlib.shake_128(path.encode()).digest(size)


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_HEAD(self):
        self.do_GET(has_body=False)

    def do_GET(self, has_body=True):
        address = urlsplit(self.path)
        with self.server.lock:
            self.server.seen.append((self.command, self.path, dict(self.headers)))
        match address.path.strip("/").split("/"):
            case ["login"]:
                self.answer(200, b"signed in", has_body, ("Set-Cookie", "session=secret; Path=/private; HttpOnly"), ("Set-Cookie", "other=seen; Path=/elsewhere"))
            case ["private", name]:
                if "session=secret" in self.headers.get("Cookie", ""):
                    self.file(address.path, name, has_body)
                else:
                    self.answer(200, b"<!doctype html><title>Sign in</title>please sign in", has_body)
            case ["moved", name]:
                self.answer(302, b"", has_body, ("Location", f"/files/{name}"))
            case ["signed", name]:
                if parse_qs(address.query).get("key") in self.server.valid:
                    self.file(address.path, name, has_body)
                else:
                    self.answer(403, b"expired", has_body)
            case ["held", name]:
                # The old link ends half-way, and is refused from then on.
                key = parse_qs(address.query).get("key")
                if key not in self.server.valid:
                    self.answer(403, b"expired", has_body)
                elif key == ["new"]:
                    self.file(address.path, name, has_body)
                else:
                    self.server.valid = []
                    self.file(address.path, name, has_body, most=SIZE // 2)
            case ["form"]:
                self.answer(200, b"""<!doctype html><title>Form</title>
                    <form method="post" action="/posted/report.bin"><button>Send</button></form>""", has_body)
            case ["page"]:
                names = parse_qs(address.query).get("names", ["one.bin"])[0].split(",")
                links = "".join(f'<p><a href="{name}">{name.rsplit("/", 1)[-1]}</a></p>' for name in names)
                self.answer(200, f"<!doctype html><title>Files</title><body><h1>Files</h1>{links}".encode(), has_body)
            case ["hundred"]:
                links = "".join(f'<li><a href="/files/{number:03}.bin">file {number}</a></li>' for number in range(100))
                self.answer(200, f"<!doctype html><title>A hundred</title><ul>{links}</ul>".encode(), has_body)
            case ["small", name]:
                self.file(address.path, name, has_body, SMALL)
            case ["slow", name]:
                self.file(address.path, name, has_body, most=SIZE // 2, waits=True)
            case ["files", name]:
                self.file(address.path, name, has_body)
            case ["guarded", name]:
                if self.headers.get("Authorization"):
                    self.file(address.path, name, has_body)
                else:
                    self.answer(401, b"who?", has_body, ("WWW-Authenticate", 'Basic realm="guarded"'))
            case _:
                self.answer(404, b"nothing here", has_body)

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        with self.server.lock:
            self.server.seen.append((self.command, self.path, dict(self.headers)))
        self.file(self.path, self.path.rsplit("/", 1)[-1], True)

    def file(self, path, name, has_body, size=SIZE, most=None, waits=False):
        body = contents(path, size)
        tag = '"' + hashlib.sha256(body).hexdigest()[:16] + '"'
        fields = [("ETag", tag), ("Accept-Ranges", "bytes"), ("Content-Disposition", f'attachment; filename="{name}"')]
        asked = self.headers.get("Range", "").removeprefix("bytes=").split("-")
        if len(asked) == 2 and asked[0].isdigit() and int(asked[0]) < size:
            first, last = int(asked[0]), min(int(asked[1] or size), size - 1)
            fields.append(("Content-Range", f"bytes {first}-{last}/{size}"))
            self.answer(206, body[first:last + 1], has_body, *fields, type="application/octet-stream")
        else:
            self.answer(200, body, has_body, *fields, type="application/octet-stream", most=most, waits=waits)

    def answer(self, status, body, has_body, *fields, type="text/html; charset=utf-8", most=None, waits=False):
        self.send_response(status)
        self.send_header("Content-Type", type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in fields:
            self.send_header(name, value)
        self.end_headers()
        if has_body:
            try:
                self.wfile.write(body[:most])
                if waits and self.server.released.wait(60):
                    self.wfile.write(body[most:])
                    most = None
                self.close_connection = self.close_connection or most is not None
            except OSError:
                self.close_connection = True  # the browser has given the download up

    def log_message(self, *_):
        pass


class Site(http.server.ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.lock = threading.Lock()
        self.seen = []
        # Lets the second half of /slow go.
        self.released = threading.Event()
        # Values of `key` that open /signed.
        self.valid = [["new"]]
        self.url = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, args=(0.05,), daemon=True).start()

    def requests(self, path):
        """Method and fields of the requests for a path, in their order."""
        with self.lock:
            return [(method, fields) for method, asked, fields in self.seen if asked == path]

    def handle_error(self, *_):
        """Browsers close connections as they like."""

    def close(self):
        self.shutdown()
        self.server_close()
