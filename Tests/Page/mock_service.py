#!/usr/bin/env python3
"""Speaks the API of `dray serve` over a simulated queue, and serves the page: for working on the page, and for its tests.

    mock_service.py [--port N] [--secret S] [--state FILE] [--jobs N] [--demo]

Only on 127.0.0.1. `--jobs 10000` starts with that many; `--demo` with some in each state.
"""

import argparse
import hashlib
import json
import mimetypes
import secrets
import signal
import threading
import time
from http.cookies import SimpleCookie
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from simulated_queue import Queue, Refused, quantity

PAGE = Path(__file__).resolve().parents[2] / "Sources/DrayPage/Page"
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; manifest-src 'self'; "
    "worker-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
TICK = 0.25


class Service(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, port, queue, secret):
        super().__init__(("127.0.0.1", port), Handler)
        self.queue, self.secret = queue, secret
        self.started, self.sessions, self.answers = time.time(), set(), {}
        threading.Thread(target=self.run_queue, daemon=True).start()

    def run_queue(self):
        while True:
            time.sleep(TICK)
            with self.queue.lock:
                report = self.queue.step(TICK)
                if report:
                    self.queue.tell("progress", report)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: Service

    def log_message(self, *_):
        pass

    def do_GET(self):
        path = urlsplit(self.path).path
        if path == "/" or path.startswith("/page/"):
            return self.send_page(path)
        self.answer("GET", path)

    def do_POST(self):
        self.answer("POST", urlsplit(self.path).path)

    def do_PUT(self):
        self.answer("PUT", urlsplit(self.path).path)

    def do_PATCH(self):
        self.answer("PATCH", urlsplit(self.path).path)

    def do_DELETE(self):
        self.answer("DELETE", urlsplit(self.path).path)

    # The page

    def send_page(self, path):
        name = "index.html" if path == "/" else path.removeprefix("/page/")
        file = next((file for file in PAGE.rglob("*.*") if file.name == name), None)
        if file is None:
            return self.send_json(404, {"error": {"code": "not-found", "message": f"no such path: {path}"}})
        kind = {".webmanifest": "application/manifest+json", ".js": "text/javascript"}.get(file.suffix) or mimetypes.guess_type(name)[0]
        headers = {"Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer"}
        if name == "worker.js":
            headers["Service-Worker-Allowed"] = "/"
        self.send_bytes(200, file.read_bytes(), kind, headers)

    # The API

    def answer(self, method, path):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        try:
            self.check(method, path)
            route = path.removeprefix("/api/v1/").split("/")
            asked = json.loads(body) if body else {}
            if (method, route) == ("GET", ["events"]):
                return self.stream()
            with self.server.queue.lock:
                status, answer, headers = self.call(method, route, asked, body)
            self.send_json(status, answer, headers)
        except Refused as refusal:
            error = {"code": refusal.code, "message": refusal.message}
            self.send_json(refusal.status, {"error": error | ({"advice": refusal.advice} if refusal.advice else {})})

    def check(self, method, path):
        if not path.startswith("/api/v1/"):
            raise Refused(404, "not-found", f"no such path: {path}")
        if method != "GET" and self.headers.get_content_type() != "application/json":
            raise Refused(415, "bad-request", "a write needs Content-Type: application/json")
        if not self.server.secret or (method, path) == ("POST", "/api/v1/session"):
            return
        cookie = SimpleCookie(self.headers.get("Cookie", "")).get("dray")
        bearer = self.headers.get("Authorization", "") == f"Bearer {self.server.secret}"
        key = self.headers.get("Dray-Key") or parse_qs(urlsplit(self.path).query).get("key", [None])[0]
        if not bearer and (cookie is None or (cookie.value, key) not in self.server.sessions):
            raise Refused(401, "unauthorized", "this service needs its secret")

    def call(self, method, route, asked, body):
        queue = self.server.queue
        match method, route:
            case "GET", ["service"]:
                return 200, self.facts(), {}
            case "GET", ["jobs"]:
                return 200, self.list_jobs(), {}
            case "GET", ["queue"]:
                return 200, {"ids": queue.order}, {}
            case "GET", ["jobs", id]:
                return 200, queue.show(self.job(id)), {}
            case "GET", ["jobs", id, "parts"]:
                return 200, queue.parts(self.job(id)), {}
            case "POST", ["jobs"]:
                return self.add(asked, body)
            case "POST", ["jobs", "actions"]:
                return 200, {"results": self.act(asked)}, {}
            case "POST", ["jobs", "move"]:
                queue.move(asked["ids"], {key: asked[key] for key in ("before", "after", "place") if key in asked})
                return 200, {}, {}
            case "POST", ["jobs", id, action]:
                [result] = queue.act(action, [self.job(id)["id"]])
                return 200, result, {}
            case "PATCH", ["jobs", id]:
                queue.change(self.job(id)["id"], asked)
                return 200, queue.jobs[int(id)], {}
            case "GET", ["limits"]:
                return 200, self.limits(), {}
            case "PUT", ["limits"]:
                queue.limits = {"between": None, "slow": queue.limits.get("slow"), "isSlow": False, **asked}
                return 200, self.limits(), {}
            case "GET", ["space"]:
                return 200, {"free": 63 * 1024**3}, {}
            case "POST", ["links"]:
                urls = self.links(asked["text"])
                return 200, {"kind": "links" if urls is not None else "list", "count": urls and len(urls), "urls": urls or []}, {}
            case "GET", ["subscriptions"]:
                return 200, {"subscriptions": queue.subscriptions}, {}
            case "POST", ["subscriptions"]:
                queue.subscriptions.append({"id": len(queue.subscriptions) + 1, "match": None, "directory": None, "hours": 6, "added": 0, "checkedAt": time.time(), "problem": None, **asked})
                return 200, {"subscriptions": queue.subscriptions}, {}
            case "DELETE", ["subscriptions", id]:
                queue.subscriptions = [one for one in queue.subscriptions if str(one["id"]) != id]
                return 200, {"subscriptions": queue.subscriptions}, {}
            case "GET", ["queues"]:
                return 200, {"queues": queue.named()}, {}
            case "PATCH", ["queues", name]:
                queue.change_queue(name, asked)
                return 200, next(one for one in queue.named() if one["name"] == name), {}
            case "DELETE", ["queues", name]:
                if not queue.queues.pop(name, None):
                    raise Refused(404, "not-found", f"queue {name} has no settings")
                return 200, {}, {}
            case "GET", ["feeds"]:
                return 200, {"feeds": list(queue.feeds.values())}, {}
            case "POST", ["feeds"]:
                return self.feed(asked)
            case "POST", ["probes"]:
                return 200, self.probe(asked["url"]), {}
            case "POST", ["session"]:
                return self.log_in(asked)
            case "DELETE", ["session"]:
                return 204, None, {"Set-Cookie": "dray=; Max-Age=0; Path=/"}
        raise Refused(404, "not-found", f"no such call: {method} /{'/'.join(route)}")

    def job(self, id):
        job = self.server.queue.jobs.get(int(id)) if id.isdigit() else None
        if not job:
            raise Refused(404, "not-found", f"job {id}: no such job")
        return job

    def facts(self):
        queue = self.server.queue
        return {
            "version": "0.0-mock", "commit": None, "libcurl": "none", "pid": 0, "started": self.server.started, "home": "/mock",
            "roots": [queue.directory, "/srv/isos", "/srv/podcasts"], "directory": queue.directory,
            "secretNeeded": bool(self.server.secret), "readOnly": False, "schemes": ["http", "https", "ftp", "ftps"],
            "settings": [{"name": "max-connections", "value": "16"}, {"name": "retries", "value": "5"}],
        }

    def limits(self):
        limits = self.server.queue.limits
        rate = limits.get("slow") if limits.get("isSlow") else limits["overallRate"]
        return {"slow": None, "isSlow": False, **limits, "now": quantity(rate) if rate else None}

    def links(self, text):
        """The links of a text, roughly as dray reads them; None for a list or a document."""
        if "<metalink" in text or any(line[:1].isspace() and "=" in line for line in text.splitlines()):
            return None
        urls = []
        for word in text.split():
            if "://" not in word and "." not in word:
                raise Refused(400, "bad-request", f'"{word}" is not a URL', "write it like https://example.org/file")
            if word.startswith("file:"):
                raise Refused(403, "forbidden", f"{word}: a URL of the scheme file is not allowed from here")
            start, _, pattern = word.partition("[")
            numbers, _, end = pattern.partition("]")
            lower, _, upper = numbers.partition("-")
            words = [f"{start}{number}{end}" for number in range(int(lower), int(upper) + 1)] if pattern else [word]
            urls += [one if "://" in one else f"https://{one}" for one in words]
        return urls

    def list_jobs(self):
        asked = {key: values[0] for key, values in parse_qs(urlsplit(self.path).query).items()}
        queue = self.server.queue
        after, limit = int(asked.get("after", 0)), int(asked.get("limit", 1000))
        jobs = [job for id, job in queue.jobs.items() if id > after]
        page = sorted(jobs, key=lambda job: job["id"])[:limit]
        counts = {}
        for job in queue.jobs.values():
            counts[job["state"]] = counts.get(job["state"], 0) + 1
        return {"jobs": page, "counts": counts, "next": page[-1]["id"] if len(page) < len(jobs) else None, "cursor": queue.cursor()}

    def add(self, asked, body):
        key = self.headers.get("Idempotency-Key")
        digest = hashlib.sha256(body).digest()
        if key in self.server.answers:
            former, answer = self.server.answers[key]
            if former != digest:
                raise Refused(409, "conflict", "this key was used for something else")
            return 201, answer, {}
        answer = {"jobs": [self.server.queue.add(job) for job in self.asked_jobs(asked)]}
        if key:
            self.server.answers[key] = (digest, answer)
        return 201, answer, {}

    def asked_jobs(self, asked):
        if "jobs" in asked:
            return asked["jobs"]
        text = asked.get("list") or asked.get("metalink") or asked.get("text") or ""
        urls = self.links(text) if "text" in asked else None
        if urls is not None:
            settings = {key: value for key, value in asked.items() if key not in ("text", "areMirrors")}
            if asked.get("areMirrors"):
                return [{"url": urls[0], "mirrors": urls[1:], **settings}]
            return [{"url": url, **settings} for url in urls]
        words = text.replace("<", " ").replace(">", " ").split()
        return [{"url": word, "directory": asked.get("directory")} for word in words if word.startswith("http") and "xmlns" not in word]

    def act(self, asked):
        queue = self.server.queue
        if asked["action"] == "undo":
            return [queue.undo(token) for token in asked["undo"]]
        return queue.act(asked["action"], list(queue.jobs) if asked.get("all") else asked["ids"])

    def feed(self, asked):
        url = asked["url"]
        entries = [
            {
                "feed": url, "guid": f"g{number}", "title": f"Episode {number}: what holds a queue together", "url": f"{url}/file/9M/1M/episode-{number}.mp3",
                "published": time.time() - number * 604800, "length": 9 * 1024**2, "mediaType": "audio/mpeg", "known": number > 3, "id": None,
            }
            for number in range(1, 7)
        ]
        queue = self.server.queue
        queue.feeds[url] = {"url": url, "title": "The Long Haul", "entries": 3, "checkedAt": time.time()}
        if asked.get("list"):
            return 200, {"entries": entries}, {}
        return 201, {"jobs": [queue.add({"url": entry["url"]}) for entry in entries if entry["guid"] in asked["guids"]]}, {}

    def probe(self, url):
        missing = "/missing/" in url
        return {"status": 404 if missing else 200, "name": url.rsplit("/", 1)[-1], "size": None if missing else 8 * 1024**2, "mediaType": "application/octet-stream", "resumable": not missing, "resumableReason": "the server does not say so"}

    def log_in(self, asked):
        if not secrets.compare_digest(str(asked.get("secret")), self.server.secret or ""):
            raise Refused(401, "unauthorized", "that is not the secret")
        session, key = secrets.token_hex(16), secrets.token_hex(16)
        self.server.sessions.add((session, key))
        return 200, {"key": key}, {"Set-Cookie": f"dray={session}; HttpOnly; SameSite=Strict; Path=/"}

    # Events

    def stream(self):
        queue = self.server.queue
        asked = parse_qs(urlsplit(self.path).query)
        cursor = self.headers.get("Last-Event-ID") or asked.get("cursor", [""])[0] or queue.cursor()
        self.close_connection = True
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Connection", "close")
        self.end_headers()
        try:
            while True:
                with queue.lock:
                    changes = queue.since(cursor)
                    if changes == [] and not queue.changed.wait(15):
                        changes = [("beat", {})]
                    elif changes == []:
                        changes = queue.since(cursor)
                    cursor = queue.cursor()
                if changes is None:
                    changes = [("reset", {})]
                text = "".join(f"event: {event}\ndata: {json.dumps(data)}\n\n" for event, data in changes)
                self.wfile.write(f"{text}id: {cursor}\nevent: beat\ndata: {{}}\n\n".encode())
                self.wfile.flush()
        except OSError:
            # The page is gone.
            return

    # Answers

    def send_json(self, status, answer, headers=None):
        self.send_bytes(status, b"" if answer is None else json.dumps(answer).encode(), "application/json", headers or {})

    def send_bytes(self, status, body, kind, headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("X-Content-Type-Options", "nosniff")
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)


def demo(queue):
    """Some jobs in each state, for people and for pictures."""
    host = "https://downloads.example.org"
    names = ["debian-13.2.0-amd64-netinst.iso", "linux-6.18.tar.xz", "rustc-1.92.0-src.tar.gz", "planet-251117.osm.pbf"]
    for name, size, rate in zip(names, ["784M", "151M", "412M", "84G"], ["9M", "1800k", "4200k", "21M"]):
        queue.add({"url": f"{host}/file/{size}/{rate}/{name}"})
    queue.step(1)
    for number, id in enumerate(list(queue.jobs)):
        queue.jobs[id]["received"] = int(queue.jobs[id]["size"] * (0.62, 0.31, 0.08, 0.44)[number])
    ended = ["swift-6.2.1-RELEASE-debian12.tar.gz", "gutenberg-2025-11.tar", "firefox-145.0.tar.xz", "blender-5.0.0-linux-x64.tar.xz", "qemu-10.1.2.tar.xz"]
    for name in ended:
        id = queue.add({"url": f"https://mirror.example.net/file/{80 + len(name)}M/3M/{name}"})["id"]
        queue.start(queue.jobs[id])
        queue.jobs[id]["received"] = queue.jobs[id]["size"]
        queue.finish(queue.jobs[id], "complete", None)
    for path in ["missing/nightly-2025-11-20.tar.zst", "flaky/2300M/kiwix-wikipedia-en.zim"]:
        job = queue.jobs[queue.add({"url": f"https://archive.example.com/{path}"})["id"]]
        queue.start(job)
        queue.receive(job, 600)
    for name in ["ubuntu-26.04-desktop-amd64.iso", "archlinux-2026.11.01-x86_64.iso"]:
        queue.add({"url": f"{host}/file/2900M/8M/{name}", "paused": True})
    for number in range(1, 13):
        queue.add({"url": f"https://podcasts.example.org/file/{38 + number}M/2M/the-long-haul-{number:03}.mp3", "group": "The Long Haul"})
    queue.limits["timetable"] = [
        {"from": "08:00", "to": "18:30", "days": "mon-fri", "rate": "2M"}, {"from": "23:00", "to": "06:00", "days": "mon-sun", "rate": None},
        {"from": "10:00", "to": "22:00", "days": "sat-sun", "rate": "8M"},
    ]


def many(queue, count):
    for number in range(1, count + 1):
        queue.add({"url": f"https://data{number % 17}.example.org/file/{1 + number % 900}M/2M/tile-{number:05}.tif", "paused": number % 5 == 0})


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--port", type=int, default=8080)
    parser.add_argument("--secret")
    parser.add_argument("--state")
    parser.add_argument("--jobs", type=int, default=0)
    parser.add_argument("--demo", action="store_true")
    options = parser.parse_args()
    queue = Queue("/home/ann/Downloads", state=options.state)
    with queue.lock:
        if options.demo:
            demo(queue)
        many(queue, options.jobs)
    service = Service(options.port, queue, options.secret)

    def stop(*_):
        with queue.lock:
            queue.save()
        raise SystemExit(0)

    signal.signal(signal.SIGTERM, stop)
    signal.signal(signal.SIGINT, stop)
    print(f"http://127.0.0.1:{service.server_port}/", flush=True)
    service.serve_forever()


if __name__ == "__main__":
    main()
