"""Network namespaces: networks separate from the machine's."""

import fcntl
import os
import subprocess
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from ..failure import Broken
from .stopping import undisturbed

CONTROL = Path("/proc/sys/net/ipv4/tcp_congestion_control")


class Unknown(Broken):
    """The kernel does not have this congestion control."""


@dataclass(frozen=True)
class Namespace:
    name: str

    @property
    def within(self) -> tuple:
        """The command that runs its arguments in the namespace."""
        return ("ip", "netns", "exec", self.name)


def ip(*arguments) -> str:
    """Runs ip(8), to its end."""
    with undisturbed():
        done = subprocess.run(["ip", *map(str, arguments)], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Broken(f"ip {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout


@contextmanager
def namespace(role: str, control: str = ""):
    """`control` is its congestion control; if empty, the machine's."""
    name = f"dray-{os.getpid()}-{role}"
    try:
        with undisturbed(), inherited(control):
            ip("netns", "add", name)
        found = ip("netns", "exec", name, "cat", CONTROL).strip()
        if control not in ("", found):
            raise Broken(f"{name} has {found}, not {control}")
        ip("-n", name, "link", "set", "lo", "up")
        yield Namespace(name)
    finally:
        if Path("/run/netns", name).exists():
            ip("netns", "del", name)


@contextmanager
def inherited(control: str):
    """Namespaces created within the block get this congestion control.

    They copy the machine's setting, which must change for that moment: within a namespace, the kernel refuses
    controls that are not open to everyone, even cubic on some machines. Two of these scripts do this one after the
    other; otherwise one could restore the other's setting."""
    with open(CONTROL, encoding="ascii") as setting:
        fcntl.flock(setting, fcntl.LOCK_EX)
        before = setting.read().strip()
        if control in ("", before):
            yield
            return
        try:
            try:
                CONTROL.write_text(control)
            except OSError:
                raise Unknown(f"this kernel has no {control}") from None
            yield
        finally:
            CONTROL.write_text(before)
