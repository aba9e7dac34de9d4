"""A server of git-lfs with the batch API, whose links expire, and its log of requests.

Usage: lfs.py LOG OBJECTS LIFE. OBJECTS is the directory .git/lfs/objects of a repository, LIFE the life of a link in seconds. The user ann
has the password s3cret. Objects of more than 4 MiB come slowly, and their answers end when their links expire. The file OBJECTS/lies has
the name of an object and what is wrong with it in each line: digest, size, missing, or scheme.
"""
import base64, http.server, json, os, socket, sys, threading, time, urllib.parse

LOG, OBJECTS, LIFE = open(sys.argv[1], "a", buffering=1), sys.argv[2], float(sys.argv[3])
TYPE = "application/vnd.git-lfs+json"
LOGIN = "Basic " + base64.b64encode(b"ann:s3cret").decode()
links, lock = {}, threading.Lock()


def lie(oid):
    try:
        with open(f"{OBJECTS}/lies") as file:
            return dict(line.split() for line in file).get(oid)
    except FileNotFoundError:
        return None


def content(oid):
    with open(f"{OBJECTS}/{oid[:2]}/{oid[2:4]}/{oid}", "rb") as file:
        data = file.read()
    return data[:-1] + bytes([data[-1] ^ 1]) if lie(oid) == "digest" else data


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def setup(self):
        super().setup()
        # What was written but not read counts as sent.
        self.request.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 32 << 10)

    def log_message(self, *_):
        pass

    def note(self, status, sent=0, **more):
        fields = {"method": self.command, "path": self.path, "status": status, "sent": sent}
        LOG.write(json.dumps({**fields, "authorization": self.headers.get("Authorization"), **more}) + "\n")

    def head(self, status, length, fields=()):
        self.send_response(status)
        for name, value in [("Content-Length", str(length)), *fields]:
            self.send_header(name, value)
        self.end_headers()

    def document(self, status, value, fields=()):
        data = json.dumps(value).encode()
        self.note(status)
        self.head(status, len(data), [("Content-Type", TYPE), *fields])
        self.wfile.write(data)

    def link(self, entry):
        oid, size = entry["oid"], entry["size"]
        if lie(oid) == "missing" or not os.path.exists(f"{OBJECTS}/{oid[:2]}/{oid[2:4]}/{oid}"):
            return {"oid": oid, "size": size, "error": {"code": 404, "message": "there is no such object"}}
        with lock:
            token = f"token-{len(links)}"
            links[token] = (oid, time.monotonic() + LIFE)
        start = "ftp" if lie(oid) == "scheme" else "http"
        action = {"href": f"{start}://{self.headers['Host']}/data/{oid}", "header": {"X-Token": token}, "expires_in": 3600}
        size += lie(oid) == "size"
        return {"oid": oid, "size": size, "authenticated": True, "actions": {"download": action}}

    def do_POST(self):
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        if self.headers.get("Authorization") != LOGIN:
            return self.document(401, {"message": "who are you?"}, [("LFS-Authenticate", 'Basic realm="objects"')])
        if self.path != "/repo/info/lfs/objects/batch" or TYPE not in self.headers["Accept"] or asked["operation"] != "download":
            return self.document(422, {"message": "this is not asked correctly"})
        self.document(200, {"transfer": "basic", "objects": [self.link(entry) for entry in asked["objects"]]})

    def do_GET(self):
        name = self.path.rsplit("/", 1)[-1]
        oid, end = links.get(self.headers.get("X-Token"), (None, 0))
        if oid != name or end < time.monotonic():
            return self.document(403, {"message": "the link has expired"})
        data, asked = content(oid), self.headers.get("Range", "")
        fields, status, first, last = [("Accept-Ranges", "bytes"), ("ETag", f'"{oid}"')], 200, 0, len(data) - 1
        if asked.startswith("bytes=") and not asked.startswith("bytes=-"):
            start, _, stop = asked[6:].partition("-")
            status, first, last = 206, int(start), min(int(stop or last), last)
            if first > last:
                self.note(416)
                return self.head(416, 0, [("Content-Range", f"bytes */{len(data)}")])
            fields.append(("Content-Range", f"bytes {first}-{last}/{len(data)}"))
        part, sent = data[first:last + 1], 0
        try:
            self.head(status, len(part), fields)
            while sent < len(part) and (len(data) <= 4 << 20 or time.monotonic() < end):
                piece = part[sent:sent + (64 << 10)]
                self.wfile.write(piece)
                sent += len(piece)
                if len(data) > 4 << 20:
                    time.sleep(0.02)
        except OSError:
            pass
        self.close_connection = sent < len(part)
        self.note(status, sent, first=first)


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"http://127.0.0.1:{server.server_port}/repo/info/lfs", flush=True)
server.serve_forever()
