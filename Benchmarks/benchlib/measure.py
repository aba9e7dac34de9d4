"""Runs a program and measures its cost."""

import os
import re
import signal
import subprocess
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from .failure import Failed

# Longer than any contender takes, in seconds.
LIMIT = 300


@dataclass
class Cost:
    """The costs of a program and its children: seconds, and the peak resident bytes of a single one."""

    wall: float
    user: float
    system: float
    memory: int

    @property
    def cpu(self):
        return self.user + self.system


class Meter:
    """Measures with Benchmarks/bare/cost.c. `within` is a command that runs its arguments elsewhere, such as in a
    namespace; its own time is not measured. `variables` are added to the environment."""

    def __init__(self, program: str, within=(), variables=None):
        self.program = program
        self.within = within
        self.variables = variables or {}

    def run(self, arguments: list, directory: Path) -> Cost:
        """Runs a program to its end in `directory`, which also is its home."""
        log, report = directory / "output.log", directory / "cost.txt"
        command = [*self.within, self.program, report, *arguments]
        with open(log, "wb") as output:
            process = subprocess.Popen(
                [str(argument) for argument in command], cwd=directory, stdin=subprocess.DEVNULL, stdout=output,
                stderr=subprocess.STDOUT, env=environment(directory) | self.variables, start_new_session=True)
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                raise Failed(f"it did not end within {LIMIT} s", f"> {LIMIT} s") from None
            finally:
                if process.poll() is None:
                    with suppress(ProcessLookupError):
                        os.killpg(process.pid, signal.SIGKILL)
                    process.wait()
        wall, user, system, memory, status = report.read_text().split()
        if status != "0":
            raise Failed(f"it ended with {status}: {log.read_text(errors='replace')[-500:].strip()}", f"exit {status}")
        return Cost(float(wall), float(user), float(system), int(memory) * 1024)


def environment(home: Path) -> dict:
    """Excludes the user's configuration and proxies. `TERM=dumb`: no bars."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG") if name in os.environ}
    return kept | {"HOME": str(home), "DRAY_HOME": str(home / "dray"), "TERM": "dumb"}


def peak_memory(pid: int) -> int:
    """The peak resident memory of a running process so far, in bytes; 0 after its end."""
    try:
        found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    except OSError:
        return 0
    return int(found.group(1)) * 1024 if found else 0
