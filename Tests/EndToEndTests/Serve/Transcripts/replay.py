#!/usr/bin/env python3
"""Sends a service the calls of a front end, and compares the answers with that front end's needs.

    replay.py TRANSCRIPT PORT DIRECTORY [SECRET]

A transcript is JSON: which front end, and the files of its sources that it was written from; `secret`, whether it has one; `origin`,
if it is a page, and `allow`, if the service is to allow that by another word; `ends`, whether it ends the service; `fields` of its
requests; `envelope`, what its calls have besides method and parameters ($id is a new text, $count a number that grows from 0); and
`steps`. A step says
    why        what the front end does there, and what it makes of the answer
    transport  post, get, websocket, xml: a call. open: a new WebSocket. notice: waits for a notification over it.
               preflight: what a browser asks first. served: the fields with which a file was asked for.
    request    method and params of a call; the path that was served; what the browser asks about
    status     of the HTTP answer, if it is not 200
    answer     what it must look like (pattern.py), without the envelope
    until      true: asked again until the answer is that
Names that steps can use: $files, $dir, $secret.
"""

import json
import os
import sys
import time

import files
import pattern
from endpoints import Endpoints

SECONDS = 30
FILE_KEYS = {"frontEnd", "sources", "secret", "origin", "allow", "ends", "fields", "envelope", "steps"}
STEP_KEYS = {"why", "transport", "request", "status", "answer", "until"}


class Replay:
    def __init__(self, transcript, port, names):
        self.envelope, self.names, self.count = transcript.get("envelope", {}), names, 0
        self.endpoints = Endpoints(port, transcript.get("origin"), transcript.get("fields"))

    def step(self, step):
        """Carries out the step; returns the differences, as texts."""
        assert set(step) <= STEP_KEYS and step["why"] and isinstance(step.get("until", False), bool), f"what is {step}?"
        end = time.monotonic() + (SECONDS if step.get("until") else 0)
        while True:
            tried = dict(self.names)
            found = self.differences(step, tried)
            if not found:
                self.names.update(tried)
                return []
            if time.monotonic() >= end:
                return found
            time.sleep(0.05)

    def differences(self, step, names):
        transport, request = step["transport"], pattern.fill(step.get("request"), self.names)
        if transport == "open":
            self.endpoints.open()
            return []
        if transport == "notice":
            return self.notice(step["answer"], names)
        if transport == "served":
            return pattern.differences(step["answer"], files.Files.seen.get(request, {}), names)
        if transport in ("preflight", "xml"):
            status, answer = getattr(self.endpoints, transport)(request)
        else:
            status, answer = self.call(getattr(self.endpoints, transport), request)
        found = pattern.differences(step["answer"], answer, names)
        wanted = step.get("status", 200)
        return found if status in (None, wanted) else [f"status: {status}, not {wanted}"] + found

    def call(self, ask, request):
        """The answer without its envelope, which is always the same."""
        envelope = pattern.fill(self.envelope, {"id": f"id-{os.urandom(6).hex()}", "count": self.count})
        self.count += 1
        call = {**envelope, **request}
        status, answer = ask(call)
        kind = "error" if "error" in answer else "result"
        head = {"<only>": True, "jsonrpc": "2.0", "id": call["id"], kind: "<any>"}
        found = pattern.differences(head, answer, {})
        if found:
            raise AssertionError(f"{found}: {answer}")
        return status, {kind: answer[kind]}

    def notice(self, wanted, names):
        """A notification: its envelope is always the same."""
        def fits(message):
            tried = dict(names)
            if pattern.differences({"<only>": True, "jsonrpc": "2.0", **wanted}, message, tried):
                return False
            names.update(tried)
            return True

        others = self.endpoints.socket.notice(fits, SECONDS)
        return [] if others is None else [f"told only {others}"]


def main():
    path, port, directory = sys.argv[1], int(sys.argv[2]), sys.argv[3]
    with open(path, encoding="utf-8") as file:
        transcript = json.load(file)
    assert set(transcript) <= FILE_KEYS and transcript["sources"], f"what is {set(transcript) - FILE_KEYS}?"
    names = {"files": files.serve(), "dir": directory, "secret": sys.argv[4] if len(sys.argv) > 4 else ""}
    replay = Replay(transcript, port, names)
    failed = False
    for number, step in enumerate(transcript["steps"], 1):
        try:
            found = replay.step(step)
        except (AssertionError, OSError, KeyError, ValueError) as error:
            found = [f"{type(error).__name__}: {error}"]
        for text in found:
            failed = True
            print(f"step {number}, {step['transport']}: {step['why']}\n    {text[:2000]}", flush=True)
        # Later steps need the missing result of this one.
        if found and os.environ.get("REPLAY_ALL") is None:
            break
    print("failed" if failed else f"done: {len(transcript['steps'])} steps", flush=True)
    # Held files do not delay the end.
    os._exit(1 if failed else 0)


if __name__ == "__main__":
    main()
