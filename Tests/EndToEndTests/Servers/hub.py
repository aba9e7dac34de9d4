"""A hub of Hugging Face for tests: the API's revision, tree and paths-info, resolve with a redirect, and a content network.

Usage: hub.py LOG. Prints {"hub": URL}; writes one JSON line a request to LOG. Written from the public descriptions of the API.

Repositories: org/model (v2 has another README.md), datasets/org/data; slow/model (its large file takes seconds); expiring/model (a link to a file
in LFS is good for two seconds, and is cut off then); many/model (1,200 small files, in pages as long as those of the
public hub); gate/model and secret/model need the token hf_good; wait/model is looked up for two seconds; lie/NAME lies in the way of its name.
"""

import hashlib
import json
import random
import sys
import threading
import time
import urllib.parse
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKEN = "hf_good"
PAGE, LONG_PAGE = 3, 1000
lock = threading.Lock()
nodes = 0


def git_sha1(data):
    return hashlib.sha1(b"blob %d\0" % len(data) + data).hexdigest()


def noise(seed, size):
    return random.Random(seed).randbytes(size)


class File:
    def __init__(self, path, data, lfs=False):
        self.path, self.data, self.lfs = path, data, lfs
        self.sha256 = hashlib.sha256(data).hexdigest()
        pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {len(data)}\n"
        self.oid = git_sha1(pointer.encode() if lfs else data)
        self.etag = self.sha256 if lfs else self.oid

    def entry(self):
        entry = {"type": "file", "oid": self.oid, "size": len(self.data), "path": self.path}
        if self.lfs:
            entry["lfs"] = {"oid": self.sha256, "size": len(self.data), "pointerSize": 134}
            entry["xetHash"] = self.sha256
        return entry


def files(seed, size=3 << 20):
    return [
        File(".gitattributes", b"*.bin filter=lfs\n"), File("README.md", b"# %d\n" % seed),
        File("a/__init__.py", b""), File("b/__init__.py", b""), File("config.json", b'{"a": %d}\n' % seed),
        File("dir/weights 1.bin", noise(seed, 70_000), True), File("model.safetensors", noise(seed + 1, size), True),
    ]


class Repository:
    def __init__(self, seed, size=3 << 20, rate=None, life=None, many=0):
        self.commit = hashlib.sha1(b"commit %d" % seed).hexdigest()
        self.files = [File(f"d{n % 7}/{n:04}.json", b'{"n": %d}\n' % n) for n in range(many)] or files(seed, size)
        self.rate, self.life, self.page = rate, life, LONG_PAGE if many else PAGE
        self.paths = {file.path: file for file in self.files}
        self.revisions = {"main": self.commit, "v1": self.commit, "feature/x": self.commit, self.commit: self.commit}
        self.versions = {}

    def revise(self, seed):
        """Adds the revision v2, in which only README.md is another."""
        other = Repository(seed, 1)
        other.files = [File("README.md", b"# 2\n") if file.path == "README.md" else file for file in self.files]
        other.paths, other.rate = {file.path: file for file in other.files}, self.rate
        self.revisions |= {"v2": other.commit, other.commit: other.commit}
        self.versions[other.commit] = other


repositories = {
    "models/org/model": Repository(1), "datasets/org/data": Repository(5, 100_000),
    "models/slow/model": Repository(9, 12 << 20, rate=4 << 20), "models/gate/model": Repository(13, 1000),
    "models/secret/model": Repository(17, 1000), "models/expiring/model": Repository(21, 8 << 20, rate=2 << 20, life=2),
    "models/many/model": Repository(25, many=1200),
    "models/wait/model": Repository(29, 1000),
}
for number, lie in enumerate(["size", "path", "absolute", "digest", "git", "commit", "loop", "twice", "linked"]):
    repositories[f"models/lie/{lie}"] = Repository(100 + number * 4, 1000)
repositories["models/org/model"].revise(33)
blobs = {}
for repository in repositories.values():
    for file in repository.files:
        blobs[file.etag] = (file.data, repository.rate)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version = "Hub"

    def log_message(self, *arguments):
        pass

    def note(self, status, sent=0):
        line = {"server": self.server.name, "method": self.command, "path": self.path, "status": status, "sent": sent}
        for name in ["Range", "If-Range", "Authorization"]:
            if self.headers.get(name):
                line[name] = self.headers[name]
        with lock, open(sys.argv[1], "a", encoding="utf-8") as log:
            log.write(json.dumps(line) + "\n")

    def answer(self, status, body=b"", fields=()):
        self.send_response(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.note(status)

    def json(self, value, fields=()):
        self.answer(200, json.dumps(value).encode(), [("Content-Type", "application/json"), *fields])

    def refuse(self, status, code):
        self.answer(status, b"{}", [("X-Error-Code", code), ("X-Error-Message", code)])

    def do_HEAD(self):
        self.do_GET()

    def do_POST(self):
        self.body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.do_GET()

    def do_GET(self):
        if self.server.name == "cdn":
            return self.blob()
        parts = urllib.parse.urlsplit(self.path)
        segments = [urllib.parse.unquote(part) for part in parts.path.split("/")[1:]]
        if len(segments) < (6 if segments[0] == "api" else 4):
            return self.refuse(404, "EntryNotFound")
        if segments[0] == "api":
            kind, space, name, call, rest = segments[1], segments[2], segments[3], segments[4], segments[5:]
        else:
            kind = segments.pop(0) if segments[0] in ("datasets", "spaces") else "models"
            space, name, call, rest = segments[0], segments[1], segments[2], segments[3:]
        repository = repositories.get(f"{kind}/{space}/{name}")
        has_token = self.headers.get("Authorization") == f"Bearer {TOKEN}"
        if repository is None or space == "secret" and not has_token:
            return self.refuse(401, "RepoNotFound")
        lie = name if space == "lie" else None
        commit = repository.revisions.get(rest[0])
        if commit is None:
            return self.refuse(404, "RevisionNotFound")
        repository = repository.versions.get(commit, repository)
        if call == "revision":
            if space == "wait":
                time.sleep(2)
            return self.json({"id": f"{space}/{name}", "sha": "main" if lie == "commit" else commit})
        if call == "tree":
            return self.tree(repository, "/".join(rest[1:]), urllib.parse.parse_qs(parts.query), lie)
        if call == "paths-info":
            paths = json.loads(self.body)["paths"]
            found = [file.entry() for file in repository.files if file.path in paths]
            found += [
                {"type": "directory", "path": path, "oid": commit, "size": 0} for path in paths
                if any(file.path.startswith(path + "/") for file in repository.files)
            ]
            return self.json(found)
        if space == "gate" and not has_token:
            return self.refuse(403, "GatedRepo")
        return self.resolve(repository, "/".join(rest[1:]), lie)

    def tree(self, repository, below, query, lie):
        entries = [file.entry() for file in repository.files if not below or file.path.startswith(below + "/")]
        entries.insert(0, {"type": "directory", "oid": repository.commit, "size": 0, "path": "a"})
        for entry in entries:
            if lie == "size" and entry["path"] == "README.md":
                entry["size"] += 1
            if lie == "digest" and "lfs" in entry:
                entry["lfs"]["oid"] = hashlib.sha256(entry["path"].encode()).hexdigest()
            if lie == "git" and entry["path"] == "README.md":
                entry["oid"] = "0" * 40
            if lie in ("path", "absolute") and entry["path"] == "README.md":
                entry["path"] = "../escaped" if lie == "path" else "/tmp/escaped"
            if lie == "twice" and entry["path"] == "README.md":
                entry["path"] = "config.json"
        start = int(query.get("cursor", ["0"])[0])
        fields = []
        if start + repository.page < len(entries):
            cursor = start + repository.page
            path = urllib.parse.urlsplit(self.path).path
            link = f"{self.server.url}{path}?recursive=true&expand=false&cursor={cursor}"
            link = self.server.url + self.path if lie == "loop" else link
            fields = [("Link", f'<{link}>; rel="next"')]
        self.json(entries[start:start + repository.page], fields)

    def resolve(self, repository, path, lie):
        global nodes
        file = repository.paths.get(path)
        if file is None:
            return self.refuse(404, "EntryNotFound")
        etag = "0" * len(file.etag) if lie == "linked" else file.etag
        if lie == "digest" and file.lfs:
            etag = hashlib.sha256(file.path.encode()).hexdigest()
        fields = [("X-Repo-Commit", repository.commit), ("Accept-Ranges", "bytes")]
        if not file.lfs:
            return self.answer(200, file.data, [*fields, ("ETag", f'"{etag}"')])
        with lock:
            nodes += 1
            node = nodes
        until = f"&until={time.time() + repository.life}" if repository.life else ""
        self.answer(302, b"", [
            *fields, ("X-Linked-Etag", f'"{etag}"'), ("X-Linked-Size", str(len(file.data))), ("ETag", f'"{node}"'),
            ("Location", f"{self.server.cdn}/{file.etag}?node={node}{until}&X-Signature=s3cret"),
        ])

    def blob(self):
        """Each node has an entity tag of its own."""
        path, query = self.path.split("?", 1)
        data, rate = blobs[path[1:]]
        fields = urllib.parse.parse_qs(query)
        tag = f'"node-{fields["node"][0]}"'
        until = float(fields.get("until", ["inf"])[0])
        if time.time() > until:
            return self.answer(403, b"<Error><Code>AccessDenied</Code></Error>")
        span, status = (0, len(data)), 200
        wanted = self.headers.get("Range", "")
        if wanted.startswith("bytes=") and self.headers.get("If-Range", tag) == tag:
            first, _, last = wanted[6:].partition("-")
            span, status = (int(first), min(int(last) + 1, len(data)) if last else len(data)), 206
        self.send_response(status)
        self.send_header("ETag", tag)
        self.send_header("Accept-Ranges", "bytes")
        self.send_header("Content-Length", str(span[1] - span[0]))
        if status == 206:
            self.send_header("Content-Range", f"bytes {span[0]}-{span[1] - 1}/{len(data)}")
        self.end_headers()
        sent = 0
        try:
            while self.command != "HEAD" and span[0] + sent < span[1]:
                if time.time() > until:
                    self.close_connection = True
                    break
                piece = data[span[0] + sent:min(span[0] + sent + 65536, span[1])]
                self.wfile.write(piece)
                sent += len(piece)
                if rate:
                    time.sleep(len(piece) / rate)
        except OSError:
            self.close_connection = True
        self.note(status, sent)


def serve(name):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.name, server.url = name, f"http://127.0.0.1:{server.server_port}"
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


content = serve("cdn")
hub = serve("hub")
hub.cdn = content.url
print(json.dumps({"hub": hub.url}), flush=True)
threading.Event().wait()
