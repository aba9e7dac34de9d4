"""Other downloads that share the line with the measured program."""

import subprocess
from contextlib import ExitStack, contextmanager

from .namespaces import Namespace


@contextmanager
def others(count: int, client: Namespace, url: str):
    """`count` downloads of `url` without end while the block runs. They are under way before it begins."""
    with ExitStack() as stack:
        for _ in range(count):
            # curl takes the URL once for each number of the range.
            process = subprocess.Popen(
                [*client.within, "curl", "-q", "-s", "-o", "/dev/null", f"{url}?[1-1000000]"], stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
            stack.callback(process.wait)
            stack.callback(process.terminate)
        yield
