"""Services that answer JSON-RPC: `dray serve` and `aria2c --enable-rpc`, and their use of the machine."""

import re
import subprocess
import time
from pathlib import Path

from .failure import Broken, Failed
from .measure import environment
from .nginx import free_port
from .rpc import Http

# Longer than any awaited step.
LIMIT = 60


def dray(program: str, port: int, directory: Path) -> list:
    """dray with its default durability and 100 simultaneous jobs, also at one host."""
    return [
        program, "serve", "--listen", f"127.0.0.1:{port}", "--no-secret", "-d", directory, "-j100", "--max-per-host",
        "100"]


def aria2(_program: str, port: int, directory: Path) -> list:
    """aria2 with 100 simultaneous jobs, without the user's configuration and without file preallocation."""
    return [
        "aria2c", "--no-conf", "-q", "--enable-rpc", f"--rpc-listen-port={port}", "-d", directory, "-j100",
        "--file-allocation=none"]


class Service:
    """A service during the `with` block. Its directory is also its home, so its state is separate."""

    def __init__(self, command, program: str, home: Path):
        self.home, self.out, self.port = home, home / "out", free_port()
        self.arguments = [str(word) for word in command(program, self.port, self.out)]

    def __enter__(self):
        with open(self.home / "output.log", "wb") as log:
            self.process = subprocess.Popen(
                self.arguments, cwd=self.home, env=environment(self.home), stdin=subprocess.DEVNULL, stdout=log,
                stderr=subprocess.STDOUT, start_new_session=True)
        try:
            self.await_that(self.answers, "listen")
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        try:
            self.process.wait(LIMIT)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()

    def answers(self) -> bool:
        """Whether it listens."""
        try:
            with Http(self.port) as client:
                return bool(client.call("aria2.getVersion"))
        except ConnectionRefusedError:
            return False

    def await_that(self, true, what: str):
        """Polls until the condition holds."""
        deadline = time.monotonic() + LIMIT
        while not true():
            if self.process.poll() is not None:
                raise Failed(f"it ended: {(self.home / 'output.log').read_text(errors='replace')[-500:]}", "ended")
            if time.monotonic() > deadline:
                raise Failed(f"it did not {what} within {LIMIT} s", f"> {LIMIT} s")
            time.sleep(0.02)

    def cpu(self) -> float:
        """Seconds of user and system so far: the clock of the process, to the nanosecond (see clock_getcpuclockid(3))."""
        return time.clock_gettime((~self.process.pid << 3) | 2)

    def memory(self) -> dict:
        """Bytes of memory, by the names of smaps_rollup."""
        text = Path(f"/proc/{self.process.pid}/smaps_rollup").read_text(encoding="ascii")
        return {name: int(size) * 1024 for name, size in re.findall(r"^(\w+): +(\d+) kB", text, re.MULTILINE)}

    def wakeups(self, seconds: float) -> int:
        """The number of times that its threads woke up within this time."""

        def counted():
            switches = {}
            for status in Path(f"/proc/{self.process.pid}/task").glob("*/status"):
                try:
                    text = status.read_text(encoding="utf-8")
                except OSError:  # a thread that has ended
                    continue
                switches[status.parent.name] = int(re.search(r"^voluntary_ctxt_switches:\s+(\d+)", text, re.MULTILINE)[1])
            return switches

        before = counted()
        if not before:
            raise Broken(f"/proc/{self.process.pid}/task has no threads")
        time.sleep(seconds)
        return sum(count - before.get(thread, 0) for thread, count in counted().items())
