"""The line between two namespaces: Benchmarks/bare/line.c."""

import json
import subprocess
import time
from contextlib import contextmanager

from ..failure import Broken, Wrong
from .condition import Condition
from .namespaces import Namespace, ip

# These addresses are reserved for documentation (RFC 5737): no host has them.
SERVER, CLIENT = "192.0.2.1", "192.0.2.2"
DEVICE = "line0"
SEED = 20_000
# The properties that line.c makes. The server makes the others.
LINE = ("delay", "rate", "queue", "loss", "burst", "change")


class Line:
    """Exists during the `with` block. Counts the runs, and those in which this machine was too busy to be a line."""

    def __init__(self, program: str, condition: Condition, server: Namespace, client: Namespace):
        self.server, self.client, self.condition = server, client, condition
        self.command = [program, server.name, client.name]
        self.command += [f"{name}={getattr(condition, name)}" for name in LINE]
        # The seconds after the first packet at which the rate changes; 0 for never.
        self.change_after = 0.0
        self.runs = self.spoilt = self.skipped = 0

    def __enter__(self):
        # The line ends with its standard input, at the latest with this process.
        self.process = subprocess.Popen(
            self.command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, start_new_session=True)
        try:
            if self.process.stdout.readline() != "ready\n":
                raise Broken("the line does not start")
            for namespace, address in ((self.server, SERVER), (self.client, CLIENT)):
                # The device's own queue must never be full: the line decides what is dropped. Without addresses of IPv6
                # the kernel sends nothing on its own.
                ip("-n", namespace.name, "link", "set", DEVICE, "mtu", 1500, "txqueuelen", 20000, "addrgenmode", "none")
                ip("-n", namespace.name, "address", "add", f"{address}/24", "dev", DEVICE)
                ip("-n", namespace.name, "link", "set", DEVICE, "up")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.communicate()

    def clear(self, seed: int) -> list:
        """Empties the line and seeds its losses. Returns the counts since the last time."""
        self.process.stdin.write(f"{seed} {self.change_after}\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline().split()
        if len(answer) != 6:
            raise Broken("the line has ended")
        return [int(word) for word in answer]

    def calm(self, seed: int):
        """Waits until no packets of the last program are in flight."""
        pause = 0.1 + 3 * self.condition.delay / 1000
        deadline = time.monotonic() + 10
        self.clear(seed)
        while time.monotonic() < deadline:
            time.sleep(pause)
            if not any(self.clear(seed)):
                return

    def not_taken(self) -> int:
        """The packets that the devices dropped for lack of room since the last call."""
        before = self.skipped
        self.skipped = sum(
            json.loads(ip("-n", namespace.name, "-s", "-j", "link", "show", DEVICE))[0]["stats64"]["tx"]["dropped"]
            for namespace in (self.server, self.client))
        return self.skipped - before

    @contextmanager
    def fresh(self, turn: int):
        """For one run of a program: the line is empty, the losses start over, equal for all programs of a turn,
        and the kernel's metrics of the path are cleared. Yields a list that holds remarks at the end."""
        for namespace in (self.server, self.client):
            ip("-n", namespace.name, "tcp_metrics", "flush", "all")
        self.calm(SEED + turn)
        self.not_taken()
        remarks = []
        yield remarks
        delivered, dropped, lost, sent, refused, late = self.clear(SEED)
        if not delivered:
            raise Wrong("it reports success, and nothing went over the line")
        remarks.append(f"{delivered:,} packets, {dropped:,} dropped at the queue, {lost:,} lost")
        if refused:
            remarks.append(f"{refused:,} packets to the server dropped")
        late = late if late > 0.01 * (delivered + sent) else 0
        skipped = self.not_taken()
        if late or skipped:
            remarks.append(f"this machine was too busy: {late:,} late, {skipped:,} dropped before the line")
            self.spoilt += 1
        self.runs += 1

    def trouble(self) -> str:
        """Remarks for the table."""
        return f"this machine was too busy to be this line in {self.spoilt} of {self.runs} runs" if self.spoilt else ""
