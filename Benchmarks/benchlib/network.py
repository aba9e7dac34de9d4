"""A slow network between a contender and the server: Benchmarks/bare/proxy.c."""

import os
import subprocess
from contextlib import contextmanager, suppress

from .failure import Broken
from .nginx import free_port


class Network:
    """A path to the server through a separate port. `options` are those of proxy.c, such as `rate=1000`."""

    def __init__(self, bench, **options):
        self.port = free_port()
        self.command = [bench.programs["proxy"], str(self.port), str(bench.server.port)]
        self.command += [f"{name}={value}" for name, value in options.items()]

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    @contextmanager
    def fresh(self, _turn: int):
        """A proxy with its counts at zero. Yields a list that holds its remarks at the end."""
        remarks = []
        with subprocess.Popen(self.command, stdout=subprocess.PIPE, text=True) as proxy:
            try:
                with suppress(PermissionError):  # a real network waits for no processor; needs permission
                    os.setpriority(os.PRIO_PROCESS, proxy.pid, -15)
                if proxy.stdout.readline() != "ready\n":
                    raise Broken("the proxy does not start")
                yield remarks
            finally:
                proxy.terminate()
                told = proxy.stdout.read().strip()
                if not told.startswith("connections: 0"):  # otherwise the contender bypassed the proxy
                    remarks.append(told)
