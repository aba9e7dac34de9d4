"""A queue of jobs that pretends to fetch: the mock service's stand-in for DownloadManager.

What a job does is in its URL's path, as in `origin.py`, which really serves it:
    /file/SIZE/RATE/NAME     SIZE bytes at RATE bytes a second (both with k, M, G)
    /missing/NAME            404
    /flaky/SIZE/NAME         breaks off at half: interrupted
"""

import itertools
import json
import threading
import time
import uuid
from urllib.parse import urlsplit

WAITING = ("queued", "paused", "interrupted")
KEPT_CHANGES = 20_000


def quantity(text):
    text = text.removesuffix("/s").rstrip("iB ").replace(" ", "")
    factor = {"k": 1024, "m": 1024**2, "g": 1024**3}.get(text[-1:].lower())
    return int(float(text[:-1]) * factor) if factor else int(text)


def plan(url):
    """The plan in the URL: size, rate, and ending."""
    parts = urlsplit(url).path.strip("/").split("/")
    if parts[0] == "file":
        return quantity(parts[1]), quantity(parts[2]), "complete"
    if parts[0] == "flaky":
        return quantity(parts[1]), 4 * 1024**2, "interrupted"
    if parts[0] in ("locked", "expired"):
        return quantity(parts[1]), quantity(parts[2]), "complete"
    if parts[0] == "missing":
        return None, 0, "failed"
    return 8 * 1024**2, 2 * 1024**2, "complete"


class Refused(Exception):
    def __init__(self, status, code, message, advice=None):
        super().__init__(message)
        self.status, self.code, self.message, self.advice = status, code, message, advice


class Queue:
    """The jobs. All methods are called with the lock held; event streams send `changes`."""

    def __init__(self, directory, at_once=4, state=None):
        self.lock = threading.RLock()
        self.changed = threading.Condition(self.lock)
        self.directory, self.at_once = directory, at_once
        self.jobs, self.details, self.order = {}, {}, []
        self.ids = itertools.count(1)
        self.removed = {}
        self.limits = {"overallRate": None, "timetable": [], "jobs": "auto", "between": None}
        self.queues = {}  # the settings of named queues, by name
        self.feeds = {}
        self.subscriptions = []
        self.era = uuid.uuid4().hex[:8]
        self.changes, self.first_change = [], 0
        self.path = state
        if state:
            self.load()

    # Changes

    def cursor(self):
        return f"{self.era}-{self.first_change + len(self.changes)}"

    def tell(self, event, data):
        self.changes.append((event, data))
        if len(self.changes) > KEPT_CHANGES:
            del self.changes[: KEPT_CHANGES // 2]
            self.first_change += KEPT_CHANGES // 2
        self.changed.notify_all()

    def since(self, cursor):
        """The changes after a cursor; None if the cursor is of another era, or too old."""
        era, _, number = cursor.partition("-")
        index = int(number) - self.first_change if number.isdigit() else -1
        return None if era != self.era or index < 0 else self.changes[index:]

    def tell_job(self, job):
        self.tell("job", dict(job))

    # Jobs

    def add(self, asked, isAgain=False):
        url = asked["url"]
        if not urlsplit(url).netloc:
            raise Refused(400, "bad-request", f"{url} is not a URL", "write it like https://example.org/file")
        directory = asked.get("directory") or self.directory
        for job in self.jobs.values():
            if job["url"] == url and self.details[job["id"]]["directory"] == directory and job["state"] not in ("failed",) and not isAgain:
                return {"id": job["id"], "uuid": job["uuid"], "existing": True}
        job = {
            "id": next(self.ids), "uuid": str(uuid.uuid4()).upper(), "url": url, "finalURL": None,
            "state": "paused" if asked.get("paused") else "queued", "target": None, "partFile": None, "received": 0, "size": None,
            "rate": None, "runner": None, "priority": asked.get("priority", 0), "addedAt": time.time(), "finishedAt": None, "notBefore": None,
            "hold": None, "startAt": None, "after": asked.get("after", []), "attempts": 0, "digest": None, "digestSource": None, "note": None,
            "queue": asked.get("queue"), "between": asked.get("between"),
            "group": {"id": 1, "name": asked["group"]} if asked.get("group") else None, "error": None,
        }
        name = asked.get("output") or urlsplit(url).path.rstrip("/").split("/")[-1] or "index.html"
        self.details[job["id"]] = {
            "directory": directory, "name": name, "headers": asked.get("headers", []), "mirrors": asked.get("mirrors", []),
            "user": asked.get("user"), "checksum": asked.get("checksum"), "limit": asked.get("limitRate"), "attempts": [], "started": None,
        }
        self.jobs[job["id"]] = job
        if job["state"] in WAITING:
            self.place(job)
        self.tell_job(job)
        return {"id": job["id"], "uuid": job["uuid"], "existing": False}

    def place(self, job):
        """Inserts a job before the first one of a lower priority."""
        at = len(self.order)
        while at > 0 and self.jobs[self.order[at - 1]]["priority"] < job["priority"]:
            at -= 1
        self.order.insert(at, job["id"])

    def act(self, action, ids):
        return [self.act_on(action, id) for id in ids]

    def act_on(self, action, id):
        job = self.jobs.get(id)
        if not job:
            return {"id": id, "result": "unknown", "message": "no such job"}
        state = job["state"]
        allowed = {
            "pause": ("queued", "active", "interrupted"), "resume": ("queued", "paused", "interrupted"), "retry": ("failed",),
            "remove": (*WAITING, "active", "failed", "complete"), "again": ("complete",), "delete": ("complete",),
        }[action]
        if state not in allowed:
            return {"id": id, "result": "refused", "message": f"it is {state}"}
        if action == "again":
            details = self.details[id]
            added = self.add({"url": job["url"], "directory": details["directory"], "output": details["name"]}, isAgain=True)
            return {"id": id, "result": "done", "message": f"job {added['id']} fetches it"}
        if action in ("remove", "delete"):
            return {"id": id, "result": "done", "undo": self.remove(job)}
        if state == "active":
            self.end_attempt(job, "paused", None)
        elif action == "pause":
            job["state"] = "paused"
        else:
            job.update(state="queued", error=None, finishedAt=None, startAt=None, notBefore=None)
            if action == "retry":
                job.update(received=0, size=None)
            if id not in self.order:
                self.place(job)
        self.tell_job(job)
        return {"id": id, "result": "done"}

    def remove(self, job):
        token = uuid.uuid4().hex
        place = self.order.index(job["id"]) if job["id"] in self.order else None
        self.removed[token] = (dict(job), self.details.pop(job["id"]), place)
        del self.jobs[job["id"]]
        if job["id"] in self.order:
            self.order.remove(job["id"])
        self.tell("removed", {"id": job["id"]})
        return token

    def undo(self, token):
        if token not in self.removed:
            return {"id": None, "result": "unknown", "message": "this removal cannot be taken back any more"}
        job, details, place = self.removed.pop(token)
        asked = {"url": job["url"], "directory": details["directory"], "output": details["name"], "priority": job["priority"]}
        id = self.add({**asked, "paused": job["state"] == "paused"})["id"]
        if place is not None:
            self.order.remove(id)
            self.order.insert(place, id)
            self.tell("order", {})
        elif job["state"] == "complete":
            self.order.remove(id)
            self.jobs[id].update({key: job[key] for key in ("state", "size", "received", "target", "digest", "digestSource", "finishedAt", "attempts")})
            self.tell_job(self.jobs[id])
        return {"id": id, "result": "done"}

    def move(self, ids, place):
        for id in ids:
            if id not in self.order:
                raise Refused(409, "conflict", f"job {id} does not wait", "only jobs that wait can be moved")
        rest = [id for id in self.order if id not in ids]
        if "before" in place or "after" in place:
            other = place.get("before", place.get("after"))
            if other not in rest:
                raise Refused(409, "conflict", f"job {other} does not wait", "name a job that waits")
            at = rest.index(other) + ("after" in place)
        else:
            at = 0 if place.get("place") == "first" else len(rest)
        self.order = rest[:at] + ids + rest[at:]
        self.tell("order", {})

    def change(self, id, asked):
        job = self.jobs.get(id)
        if not job:
            raise Refused(404, "not-found", f"job {id}: no such job", None)
        if "url" in asked:
            job["url"] = asked["url"]
        if "queue" in asked:
            job["queue"] = asked["queue"]
        if "user" in asked:
            self.details[id]["user"] = asked["user"]
        if "priority" in asked:
            job["priority"] = asked["priority"]
        details = self.details[id]
        details["name"] = asked.get("output") or details["name"]
        details["directory"] = asked.get("directory") or details["directory"]
        if "output" in asked:
            job["target"] = f"{details['directory']}/{details['name']}"
        if "between" in asked:
            job["between"] = asked["between"]
        details["connections"] = int(asked.get("connections") or details.get("connections", 16))
        if "limitRate" in asked:
            self.details[id]["limit"] = asked["limitRate"]
        self.tell_job(job)

    # Named queues

    def named(self):
        """The queues as in GET /queues: those with settings, and those that jobs name."""
        names = sorted({*self.queues, *(job["queue"] for job in self.jobs.values() if job["queue"])})
        result = []
        for name in names:
            settings = self.queues.get(name, {})
            counts = dict.fromkeys(("queued", "active", "complete", "failed", "interrupted", "paused"), 0)
            for job in self.jobs.values():
                if job["queue"] == name:
                    counts[job["state"]] += 1
            quota = settings.get("quota")
            result.append({
                "name": name, "state": "paused" if settings.get("paused") else "open", "opensAt": None,
                **{key: settings.get(key) for key in ("jobs", "rate", "between", "directory")},
                "quota": quota and {"bytes": quantity(quota.split("/")[0]), "period": quota.split("/")[1], "used": 0}, "counts": counts,
            })
        return result

    def change_queue(self, name, asked):
        if asked.get("between") and "-" not in asked["between"]:
            raise Refused(400, "bad-request", f"between: \"{asked['between']}\" is not a window")
        self.queues.setdefault(name, {}).update(asked)

    # Transfers

    def step(self, seconds):
        """Advances time: starts jobs and adds bytes. Returns the progress report, or None if nothing runs."""
        active = [job for job in self.jobs.values() if job["state"] == "active"]
        limit = self.limits["jobs"] if self.limits["jobs"] != "auto" else self.at_once
        for id in list(self.order):
            if len(active) >= limit:
                break
            job = self.jobs[id]
            is_open = self.limits.get("between") in (None, "off") and not self.queues.get(job["queue"], {}).get("paused")
            if job["state"] == "queued" and is_open and all(self.jobs.get(other, {}).get("state") == "complete" for other in job["after"]):
                self.start(job)
                active.append(job)
        for job in active:
            self.receive(job, seconds)
        running = [self.progress(job) for job in active if job["state"] == "active"]
        return {"jobs": running, "rate": sum(entry["rate"] for entry in running)} if active else None

    def start(self, job):
        self.order.remove(job["id"])
        job["attempts"] += 1
        job.update(state="active", finalURL=job["url"], error=None)
        self.details[job["id"]]["started"] = time.time()
        size, _, end = plan(job["url"])
        details = self.details[job["id"]]
        if end != "failed":
            job["size"] = size
            job["target"] = f"{details['directory']}/{details['name']}"
            job["partFile"] = f"{details['directory']}/.{job['uuid']}.part"
        self.tell_job(job)

    def receive(self, job, seconds):
        size, rate, end = plan(job["url"])
        if end == "failed":
            message = f"{job['url']}: 404 Not Found; check the URL"
            return self.finish(job, "failed", {"code": "status", "exitStatus": 8, "message": message, "httpStatus": 404})
        if "/locked/" in job["url"] and not self.details[job["id"]].get("user"):
            message = f"{job['url']}: 401: a password is needed; add --user NAME"
            return self.finish(job, "failed", {"code": "authentication", "exitStatus": 6, "message": message, "httpStatus": 401})
        if "/expired/" in job["url"]:
            message = f"{job['url']}: 403 Forbidden. Link expired? `dray set-url {job['id']} NEW-URL`"
            return self.finish(job, "interrupted", {"code": "authentication", "exitStatus": 6, "message": message, "httpStatus": 403})
        if self.details[job["id"]]["limit"]:
            rate = min(rate, quantity(str(self.details[job["id"]]["limit"])))
        wobble = 0.75 + 0.5 * ((time.time() * 0.7 + job["id"]) % 1)
        job["rate"] = int(rate * wobble)
        job["received"] = min(size, job["received"] + int(job["rate"] * seconds))
        if end == "interrupted" and job["received"] >= size // 2:
            message = f"{job['url']}: the connection broke (connection reset by peer); `dray resume {job['id']}` continues"
            return self.finish(job, "interrupted", {"code": "network", "exitStatus": 4, "message": message, "httpStatus": None})
        if job["received"] >= size:
            self.finish(job, "complete", None)

    def finish(self, job, state, error):
        self.end_attempt(job, state, error)
        job["finishedAt"] = time.time()
        if state == "complete":
            job.update(digest="sha-256=" + (job["uuid"].replace("-", "") * 2).lower(), digestSource="the server's Repr-Digest", partFile=None)
        if state != "interrupted" and job["id"] in self.order:
            self.order.remove(job["id"])
        self.tell_job(job)

    def end_attempt(self, job, state, error):
        details = self.details[job["id"]]
        details["attempts"].append({
            "startedAt": details["started"], "endedAt": time.time(), "outcome": state, "message": error and error["message"],
            "firstByte": 0, "lastByte": job["received"],
        })
        job.update(state=state, error=error, rate=None)
        if state in WAITING:
            self.place(job)

    def connections(self, job):
        return 1 if not job["size"] or job["size"] < 4 * 1024**2 else 4

    def progress(self, job):
        return {
            "id": job["id"], "received": job["received"], "size": job["size"], "rate": job["rate"] or 0,
            "connections": self.connections(job), "phase": "receiving" if job["received"] else "connecting",
        }

    def parts(self, job):
        """Segments like those of several connections, each with its share of the file."""
        size, count = job["size"], self.connections(job)
        if not size:
            return {"size": size, "done": [], "fetching": []}
        shares = [(size * n // count, size * (n + 1) // count) for n in range(count)]
        done, fetching = [], []
        for number, (lower, upper) in enumerate(shares):
            there = lower + (upper - lower) * job["received"] // size
            if there > lower:
                done.append([lower, there])
            if there < upper and job["state"] == "active":
                fetching.append({"range": [there, upper], "source": urlsplit(job["url"]).netloc if number % 2 else None})
        return {"size": size, "done": done, "fetching": fetching}

    def show(self, job):
        details = self.details[job["id"]]
        answered = job["attempts"] > 0
        status = 404 if job["error"] and job["error"]["httpStatus"] == 404 else 200
        fields = [{"name": "Server", "value": "mock"}, {"name": "Content-Type", "value": "application/octet-stream"}, {"name": "Accept-Ranges", "value": "bytes"}]
        validators = {"etag": '"v1"' if answered else None, "lastModified": None, "strong": True}
        response = {
            "url": job["url"], "time": time.time(), "finalURL": job["url"], "status": status, "httpVersion": "1.1", "name": details["name"],
            "size": job["size"], "mediaType": "application/octet-stream", "charset": None, "resumable": status == 200,
            "resumableReason": "" if status == 200 else "the server does not say that it supports ranges", "validators": validators, "redirects": [],
            "links": [], "address": "127.0.0.1", "port": urlsplit(job["url"]).port or 443, "connectionReused": False, "tls": None,
            "timings": {"nameLookup": 0.0001, "connect": 0.0003, "tls": None, "firstByte": 0.021, "total": None}, "fields": fields,
        }
        return {
            **job,
            "request": {
                "method": "GET", "fields": [field.split(":")[0] for field in details["headers"]], "userAgent": None, "insecure": False,
                "ifChanged": False, "noCache": False, "onConflict": "fail", "resume": "safe", "maxConnections": details.get("connections", 16), "retries": 5,
                "rateLimit": quantity(str(details["limit"])) if details["limit"] else None, "maxTime": None, "maxSize": None,
            },
            "response": response if answered else None, "validators": validators, "segments": self.parts(job)["done"],
            "expectedDigest": details["checksum"], "offeredDigests": [{"digest": job["digest"], "source": "Repr-Digest"}] if job["digest"] else [],
            "expectedSize": None, "expectedType": None, "allowedTypes": [], "adopted": None, "mirrors": details["mirrors"],
            "attemptHistory": details["attempts"],
        }

    # State that survives the service

    def load(self):
        try:
            with open(self.path) as file:
                kept = json.load(file)
        except FileNotFoundError:
            return
        self.jobs = {job["id"]: job for job in kept["jobs"]}
        self.details = {int(id): details for id, details in kept["details"].items()}
        self.order, self.limits = kept["order"], kept["limits"]
        self.ids = itertools.count(max(self.jobs, default=0) + 1)
        for job in self.jobs.values():
            if job["state"] == "active":
                job.update(state="queued", rate=None)
                self.place(job)

    def save(self):
        if self.path:
            with open(self.path, "w") as file:
                json.dump({"jobs": list(self.jobs.values()), "details": self.details, "order": self.order, "limits": self.limits}, file)
