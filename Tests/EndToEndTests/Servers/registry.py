"""A registry whose tokens live for a short time, with a token server, and its log of requests.

Usage: registry.py LOG LIFE [PAUSE]. LIFE is the life of a token in seconds, PAUSE the seconds before each blob. The user ann has the
password s3cret. It has these images:
  org/app:1     for linux/amd64 and linux/arm64, with an attestation
  org/docker:1  in Docker's format
  open/app:1    the same as org/app:1, without a login
  open/liar:X   whose manifest, size or layer is not what was promised
  open/slow:1   a layer of 8 MiB that comes slowly
  library/m     a model
"""
import base64, gzip, hashlib, http.server, io, json, random, sys, tarfile, threading, time, urllib.parse

LOG, LIFE = open(sys.argv[1], "a", buffering=1), int(sys.argv[2])
PAUSE = float(sys.argv[3]) if len(sys.argv) > 3 else 0
OCI, DOCKER = "application/vnd.oci.image.", "application/vnd.docker."
blobs, manifests, tokens, lock = {}, {}, {}, threading.Lock()


def digest(data):
    return "sha256:" + hashlib.sha256(data).hexdigest()


def blob(kind, data):
    blobs[digest(data)] = data
    return {"mediaType": kind, "digest": digest(data), "size": len(data)}


def document(repository, kind, value, tags=(), **more):
    data = json.dumps({"schemaVersion": 2, "mediaType": kind, **value}).encode()
    for name in [digest(data), *tags]:
        manifests[repository, name] = (kind, data)
    return {"mediaType": kind, "digest": digest(data), "size": len(data), **more}


def layer(name, size):
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as tar:
        entry = tarfile.TarInfo(name)
        entry.size = size
        tar.addfile(entry, io.BytesIO(random.Random(name).randbytes(size)))
    return file.getvalue()


def image(architecture, sizes, docker=False):
    layers = [layer(f"{architecture if n == 0 else 'all'}-{n}", size) for n, size in enumerate(sizes)]
    config = json.dumps({"architecture": architecture, "os": "linux", "config": {}, "rootfs": {
        "type": "layers", "diff_ids": [digest(data) for data in layers]}}).encode()
    kinds = (DOCKER + "container.image.v1+json", DOCKER + "image.rootfs.diff.tar.gzip") if docker else (
        OCI + "config.v1+json", OCI + "layer.v1.tar+gzip")
    return {"config": blob(kinds[0], config), "layers": [blob(kinds[1], gzip.compress(x, mtime=0)) for x in layers]}


def platform(architecture):
    return {"platform": {"os": "linux", "architecture": architecture}}


MANIFEST, INDEX = OCI + "manifest.v1+json", OCI + "index.v1+json"
for repository in ["org/app", "open/app"]:
    entries = [document(repository, MANIFEST, image(one, [700_000, 300_000, 5_000]), **platform(one)) for one in ["amd64", "arm64"]]
    proof = document(repository, MANIFEST, image("unknown", [10]), **platform("unknown"))
    proof["platform"]["os"] = "unknown"
    proof["annotations"] = {"vnd.docker.reference.type": "attestation-manifest"}
    document(repository, INDEX, {"manifests": [proof, *entries]}, ["1"])
document("org/docker", DOCKER + "distribution.manifest.v2+json", image("amd64", [1000, 2000], docker=True), ["1"])
document("open/slow", MANIFEST, image("slow", [8 << 20]), ["1"])
document("library/m", DOCKER + "distribution.manifest.v2+json", {
    "config": blob(DOCKER + "container.image.v1+json", b'{"model_format": "gguf"}'),
    "layers": [blob("application/vnd.ollama.image.model", random.Random(1).randbytes(100_000))]}, ["latest"])
lies = image("liar", [1000])
document("open/liar", MANIFEST, lies, ["manifest"])
wrong = dict(lies["layers"][0], size=lies["layers"][0]["size"] + 1)
document("open/liar", MANIFEST, {**lies, "layers": [wrong]}, ["size"])
bad = blob(OCI + "layer.v1.tar+gzip", b"promised")
blobs[bad["digest"]] = b"received"
document("open/liar", MANIFEST, {**lies, "layers": [bad]}, ["layer"])


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, data=b"", kind="application/json", fields=(), slow=False):
        LOG.write(json.dumps({"method": self.command, "path": self.path, "status": status, "sent": len(data)}) + "\n")
        self.send_response(status)
        for name, value in [("Content-Type", kind), ("Content-Length", str(len(data))), *fields]:
            self.send_header(name, value)
        self.end_headers()
        for start in range(0, len(data), 64 << 10):
            self.wfile.write(data[start:start + (64 << 10)])
            if slow:
                time.sleep(0.02)

    def token(self, fields):
        login = "Basic " + base64.b64encode(b"ann:s3cret").decode()
        scope = fields.get("scope", [""])[0]
        known = self.headers.get("Authorization") == login or fields.get("refresh_token") == ["identity"]
        if not known and "repository:org/" in scope:
            return self.answer(401, b'{"errors": [{"code": "UNAUTHORIZED"}]}')
        with lock:
            name = f"token-{len(tokens)}"
            tokens[name] = (time.monotonic() + LIFE, scope)
        self.answer(200, json.dumps({"token": name, "expires_in": int(LIFE)}).encode())

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        self.token(urllib.parse.parse_qs(body.decode()))

    def do_GET(self):
        url = urllib.parse.urlsplit(self.path)
        if url.path == "/token":
            return self.token(urllib.parse.parse_qs(url.query))
        parts = url.path.split("/")
        repository, kind, name = "/".join(parts[2:-2]), parts[-2], parts[-1]
        end, scope = tokens.get(self.headers.get("Authorization", "")[7:], (0, ""))
        if repository != "library/m" and (end < time.monotonic() or f":{repository}:" not in scope):
            realm = f'Bearer realm="http://{self.headers["Host"]}/token",service="registry",scope="repository:{repository}:pull"'
            return self.answer(401, b'{"errors": [{"code": "UNAUTHORIZED"}]}', fields=[("WWW-Authenticate", realm)])
        if kind == "manifests" and (repository, name) in manifests:
            kind, data = manifests[repository, name]
            if kind not in ",".join(self.headers.get_all("Accept", [])):
                return self.answer(404, b'{"errors": [{"code": "MANIFEST_UNKNOWN"}]}')
            stated = digest(b"" if (repository, name) == ("open/liar", "manifest") else data)
            return self.answer(200, data, kind, [("Docker-Content-Digest", stated)])
        if kind != "blobs" or name not in blobs:
            return self.answer(404, b'{"errors": [{"code": "MANIFEST_UNKNOWN"}]}')
        time.sleep(PAUSE)
        data, asked = blobs[name], self.headers.get("Range", "")
        fields = [("Accept-Ranges", "bytes"), ("ETag", f'"{name}"')]
        slow = repository == "open/slow"
        if not asked.startswith("bytes=") or asked.startswith("bytes=-"):
            return self.answer(200, data, "application/octet-stream", fields, slow)
        first, _, last = asked[6:].partition("-")
        first, last = int(first), min(int(last or len(data) - 1), len(data) - 1)
        if first > last:
            return self.answer(416, fields=[("Content-Range", f"bytes */{len(data)}")])
        fields.append(("Content-Range", f"bytes {first}-{last}/{len(data)}"))
        self.answer(206, data[first:last + 1], "application/octet-stream", fields, slow)

    do_HEAD = do_GET


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
print(f"127.0.0.1:{server.server_port}", flush=True)
server.serve_forever()
