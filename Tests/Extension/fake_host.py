#!/usr/bin/env python3
"""Speaks the protocol of `dray browser-host` without transferring anything, and fails in the ways that a test wants.

Usage: fake_host.py DIR …     the browser adds arguments of its own

DIR/mood is the behaviour: `ok`, `refuse` (every `add`), `die` (ends instead of an answer to `add`), `die-late` (accepts an `add`, then
ends without an answer), `die-once`, `silent` (no answers to `add`), `fail` (accepts, and the job fails at once), `other-version`. DIR/log
gets every request, DIR/jobs has the jobs.
"""

import json
import os
import struct
import sys
import uuid

PLACE = sys.argv[1]


def path(name):
    return os.path.join(PLACE, name)


def mood():
    with open(path("mood"), encoding="utf-8") as file:
        return file.read().strip()


def jobs():
    try:
        with open(path("jobs"), encoding="utf-8") as file:
            return json.load(file)
    except FileNotFoundError:
        return []


def keep(all_jobs):
    with open(path("jobs.new"), "w", encoding="utf-8") as file:
        json.dump(all_jobs, file)
    os.replace(path("jobs.new"), path("jobs"))


def receive():
    head = sys.stdin.buffer.read(4)
    if len(head) < 4:
        return None
    return json.loads(sys.stdin.buffer.read(struct.unpack("=I", head)[0]))


def send(answer):
    text = json.dumps(answer).encode()
    sys.stdout.buffer.write(struct.pack("=I", len(text)) + text)
    sys.stdout.buffer.flush()


def add(request):
    how = mood()
    if how == "refuse":
        return {"ok": False, "code": "refused", "message": "the test refuses", "advice": "ask another time"}
    if how == "die":
        sys.exit(1)
    if how == "silent":
        return None
    if how == "die-once":
        with open(path("mood"), "w", encoding="utf-8") as file:
            file.write("ok")
        sys.exit(1)
    known = jobs()
    same = next((job for job in known if job["url"] == request["url"]), None)
    if same:
        return {"ok": False, "code": "exists", "message": f"job {same['number']} has this URL", "job": same["job"], "number": same["number"]}
    number = len(known) + 1
    name = request.get("name") or request["url"].rsplit("/", 1)[-1]
    job = {
        "job": str(uuid.uuid4()), "number": number, "name": name, "url": request["url"], "state": "failed" if how == "fail" else "queued",
        "bytes": 0, "size": request.get("size"), "rate": 0, "message": "403 Forbidden" if how == "fail" else "",
    }
    keep([*known, job])
    if how == "die-late":
        with open(path("mood"), "w", encoding="utf-8") as file:
            file.write("ok")
        sys.exit(1)
    return {"ok": True, "job": job["job"], "number": number, "output": f"/downloads/{name}", "state": job["state"], "existing": None}


def change(request):
    known = jobs()
    job = next((job for job in known if job["job"] == request["job"]), None)
    if job is None:
        return {"ok": False, "code": "invalid", "message": "no such job"}
    if request["type"] == "remove":
        known.remove(job)
    else:
        job["state"] = "paused" if request["type"] == "pause" else "queued"
    keep(known)
    return {"ok": True}


def relink(request):
    known = jobs()
    job = next(job for job in known if job["job"] == request["job"])
    job.update(url=request["url"], state="queued", message="")
    keep(known)
    return {"ok": True, "job": job["job"], "number": job["number"], "output": f"/downloads/{job['name']}", "state": "queued", "kept": job["bytes"]}


def matches(request):
    stopped = [job for job in jobs() if job["state"] == "interrupted"]
    for job in stopped:
        job["certain"] = (job["name"], job["size"]) == (request.get("name"), request.get("size"))
    return {"ok": True, "matches": stopped}


def answer_to(request):
    match request["type"]:
        case "hello":
            version = 2 if mood() == "other-version" else 1
            return {"ok": True, "version": version, "program": "1.0", "directory": "/downloads", "service": False}
        case "add":
            return add(request)
        case "list":
            return {"ok": True, "jobs": [{name: value for name, value in job.items() if name != "url"} for job in jobs()]}
        case "relink":
            return relink(request)
        case "matches":
            return matches(request)
        case _:
            return change(request)


while (request := receive()) is not None:
    with open(path("log"), "a", encoding="utf-8") as log:
        log.write(json.dumps(request) + "\n")
    answer = answer_to(request)
    if answer is not None:
        send({"id": request["id"], **answer})
