"""Tries aria2p's library with a service, and notifications over WebSocket. Prints a word for each success.

Usage: aria2p_client.py PORT SECRET SMALL HELD
"""

import os
import sys
import time

import aria2p

port, secret, small, held = int(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4]
api = aria2p.API(aria2p.Client(host="http://127.0.0.1", port=port, secret=secret))
told = []


def until(what, condition):
    for _ in range(600):
        if condition():
            print(what, flush=True)
            return
        time.sleep(0.05)
    print(f"waited for: {what}, told {told}", flush=True)
    # The listening thread does not end on its own.
    os._exit(1)


def now(download):
    download.update()
    return download


api.listen_to_notifications(
    threaded=True,
    on_download_start=lambda _, gid: told.append(("start", gid)),
    on_download_pause=lambda _, gid: told.append(("pause", gid)),
    on_download_stop=lambda _, gid: told.append(("stop", gid)),
    on_download_complete=lambda _, gid: told.append(("complete", gid)),
    on_download_error=lambda _, gid: told.append(("error", gid)),
    timeout=1,
)
time.sleep(1)
first = api.add_uris([small])
until("added and complete", lambda: now(first).is_complete)
until("told complete", lambda: ("start", first.gid) in told and ("complete", first.gid) in told)
second = api.add_uris([held])
until("active", lambda: now(second).is_active and (second.completed_length, second.total_length) == (200_000, 300_000))
second.pause()
until("paused", lambda: now(second).is_paused)
until("told pause", lambda: ("pause", second.gid) in told)
second.resume()
until("active again", lambda: now(second).is_active)
second.remove(force=True)
until("removed", lambda: second.gid not in [one.gid for one in api.get_downloads() if one.is_active])
until("told stop", lambda: ("stop", second.gid) in told)
missing = api.add_uris([small + "-missing"])
until("failed", lambda: now(missing).has_failed)
until("told error", lambda: ("error", missing.gid) in told)
api.set_global_options({"max-overall-download-limit": "1M"})
until("limited", lambda: api.get_global_options().max_overall_download_limit == 1 << 20)
until("version", lambda: api.client.get_version()["version"])
api.purge()
until("purged", lambda: not api.get_downloads())
print("done", flush=True)
os._exit(0)
