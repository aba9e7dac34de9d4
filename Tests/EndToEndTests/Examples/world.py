"""The hosts of the examples: a proxy that answers for every https host, with files made of their paths.

The same path has the same bytes on every host, so a mirror and a new link agree. Ranges, If-Range, If-None-Match, HEAD, PUT and
POST work. Every answer has the digest of its file. The hosts of Amazon S3 are buckets that keep what is PUT into them. Traffic
stays on 127.0.0.1.
"""

import base64
import hashlib
import http.server
import json
import re
import ssl
import subprocess
import threading

COMMIT = "5" * 40
LOGIN = b"<!DOCTYPE html><html><body>Log in first</body></html>"
FEED = """<rss version="2.0"><channel><title>Podcast</title>%s</channel></rss>"""
ITEM = '<item><title>%s</title><guid>%s</guid><enclosure url="https://example.org/%s.mp3" type="audio/mpeg"/></item>'
ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Releases</title><id>r</id><updated>2026-01-01T00:00:00Z</updated>
<entry><title>1.0</title><id>1</id><updated>2026-01-01T00:00:00Z</updated>
<link rel="enclosure" href="https://example.org/release-1.0.tgz"/></entry></feed>"""
METALINK = """<metalink xmlns="urn:ietf:params:xml:ns:metalink"><file name="big.iso"><size>%d</size>
<hash type="sha-256">%s</hash><url>https://example.org/big.iso</url><url>https://mirror.example.net/big.iso</url></file></metalink>"""


def binary(path):
    """Bytes that depend on the path, and begin like nothing known."""
    block = hashlib.sha512(path.encode()).digest()
    return b"\x01" + (block * 5000)[:300_000]


def digest(path):
    return hashlib.sha256(content(path)[0]).hexdigest()


def catalog():
    version = {"urls": ["https://example.org/model.bin"], "digest": "sha-256=" + digest("/model.bin")}
    return json.dumps(
        {"dray-catalog": 1, "services": {"model": {"versions": {"2.1": version}}, "kernel": {"versions": {"1.10.0": version}}}}
    ).encode()


def hub(path):
    """Returns an answer of the hub's API: its repositories have one commit, with one file; None for other paths."""
    if re.fullmatch(r"/api/models/[^/]+/[^/]+/revision/main", path):
        return json.dumps({"sha": COMMIT}).encode()
    if found := re.fullmatch(r"/api/models/([^/]+/[^/]+)/tree/" + COMMIT, path):
        file = f"/{found[1]}/resolve/{COMMIT}/model.safetensors"
        size, oid = len(binary(file)), hashlib.sha256(binary(file)).hexdigest()
        return json.dumps(
            [{"type": "file", "oid": "0" * 40, "size": size, "path": "model.safetensors", "lfs": {"oid": oid, "size": size}}]
        ).encode()
    return None


def content(path):
    """Returns the bytes and the media type of a path; None where there is no file."""
    if answer := hub(path):
        return answer, "application/json"
    if path == "/latest.zip":
        return LOGIN, "text/html"
    if path == "/pub/":
        return b'<html><body><a href="a.iso">a.iso</a> <a href="b.iso">b.iso</a> <a href="c.txt">c.txt</a></body></html>', "text/html"
    if path in ("/podcast.rss", "/podcast.xml"):
        items = "".join(ITEM % ("episode %d, an interview" % n, n, "episode%d" % n) for n in range(1, 5))
        return (FEED % items).encode(), "application/rss+xml"
    if path == "/releases.atom":
        return ATOM.encode(), "application/atom+xml"
    if path == "/big.iso.meta4":
        return (METALINK % (len(binary("/big.iso")), digest("/big.iso"))).encode(), "application/metalink4+xml"
    if path == "/catalog.json":
        return catalog(), "application/json"
    if path == "/big.iso.sha256":
        return ("%s  big.iso\n" % digest("/big.iso")).encode(), "text/plain"
    if path.endswith(".txt"):
        return b"".join(b"word %d\n" % (n * 7919 % 1000) for n in range(1000)), "text/plain"
    if re.search(r"\.(sha\w*|md5|asc|sig|minisig|meta4|metalink)$|SUM|/checksums?\b", path):
        return None
    return binary(path), "application/octet-stream"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    host = ""

    def do_CONNECT(self):
        self.host = self.path.split(":")[0]
        self.send_response(200)
        self.end_headers()
        self.connection = self.server.tls.wrap_socket(self.connection, server_side=True)
        self.rfile, self.wfile = self.connection.makefile("rb"), self.connection.makefile("wb", 0)
        self.close_connection = False

    @property
    def is_bucket(self):
        return self.host.endswith(".amazonaws.com")

    def put_object(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if self.headers.get("If-None-Match") == "*" and (self.host, self.path) in self.server.objects:
            return self.answer(412, b"", [])
        kept = [one for one in self.headers.items() if re.match(r"x-amz-(meta|checksum)-", one[0], re.I)]
        fields = [("ETag", '"%s"' % hashlib.md5(body).hexdigest()), *kept]
        self.server.objects[self.host, self.path] = (body, fields)
        self.answer(200, b"", fields)

    def get_object(self):
        found = self.server.objects.get((self.host, self.path.split("?")[0]))
        if found is None:
            return self.answer(404, b"", [])
        self.answer(200, *found)

    def do_GET(self):
        if self.is_bucket:
            return self.get_object()
        path = re.sub(r"^https?://[^/]*", "", self.path).split("?")[0]
        found = content(path)
        if found is None:
            return self.answer(404, b"no such file", [("Content-Type", "text/plain")])
        body, kind = found
        tag = '"%s"' % hashlib.sha256(body).hexdigest()[:16]
        whole = base64.b64encode(hashlib.sha256(body).digest()).decode()
        fields = [("Content-Type", kind), ("ETag", tag), ("Accept-Ranges", "bytes"), ("Repr-Digest", f"sha-256=:{whole}:")]
        if self.headers.get("If-None-Match") == tag:
            return self.answer(304, b"", fields)
        span = re.fullmatch(r"bytes=(\d+)-(\d*)", self.headers.get("Range", ""))
        if span and self.headers.get("If-Range", tag) == tag:
            first, last = int(span[1]), min(int(span[2] or len(body) - 1), len(body) - 1)
            if first >= len(body):
                return self.answer(416, b"", [("Content-Range", "bytes */%d" % len(body))])
            fields.append(("Content-Range", "bytes %d-%d/%d" % (first, last, len(body))))
            return self.answer(206, body[first : last + 1], fields)
        self.answer(200, body, fields)

    do_HEAD = do_GET

    def do_POST(self):
        if self.is_bucket:
            return self.put_object()
        if self.headers.get("Transfer-Encoding"):
            return self.answer(411, b"", [])
        self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.answer(201 if self.command == "PUT" else 200, b'{"id": 1}\n', [("Content-Type", "application/json")])

    do_PUT = do_POST

    def answer(self, status, body, fields):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        if status != 304:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD" and status != 304:
            self.wfile.write(body)


class World(http.server.ThreadingHTTPServer):
    """The proxy, on a port of its own. `certificate` is the path of what its clients trust."""

    daemon_threads = True

    def __init__(self, directory):
        super().__init__(("127.0.0.1", 0), Handler)
        self.certificate, key = directory + "/ca.pem", directory + "/ca.key"
        self.objects = {}
        buckets = [f"*.s3.{region}.amazonaws.com" for region in ("us-east-1", "eu-central-1")]
        names = ",".join("DNS:" + name for name in ["example.org", "*.example.org", "example.net", "*.example.net", "huggingface.co", *buckets])
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=examples", "-keyout", key,
             "-out", self.certificate, "-addext", "subjectAltName=" + names],
            check=True, capture_output=True)  # fmt: skip
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.tls.load_cert_chain(self.certificate, key)
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def handle_error(self, *_):
        """Programs that are stopped end their connections in the middle."""

    @property
    def address(self):
        return "http://127.0.0.1:%d" % self.server_address[1]
