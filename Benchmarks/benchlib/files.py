"""Files to fetch, and the check of fetched files."""

import os
from pathlib import Path

from .failure import Wrong
from .scale import MIB


def fill(path: Path, size: int):
    """Creates a file of random bytes, unless it exists."""
    if path.exists() and path.stat().st_size == size:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with open(path, "wb") as file:
        for start in range(0, size, MIB):
            file.write(os.urandom(min(MIB, size - start)))


def expect(directory: Path, sources: dict):
    """Checks the files of a run: a run with wrong files must not count. `sources` is name → the server's file."""
    for name, source in sources.items():
        if not same(directory / name, source):
            raise Wrong(f"{name} is not what the server has")


def same(one: Path, other: Path) -> bool:
    try:
        with open(one, "rb", buffering=0) as left, open(other, "rb", buffering=0) as right:
            while True:
                piece = left.read(MIB)
                if piece != right.read(MIB):
                    return False
                if not piece:
                    return True
    except FileNotFoundError:
        return False


def warm_memory(directory: Path, size: int):
    """Fills `size` bytes of the page cache once, and frees them.

    On a virtual machine the host may have reclaimed free memory. The first program that writes to it pays for
    its return, up to a second of CPU time for a GiB."""
    path = directory / "warm"
    with open(path, "wb", buffering=0) as file:
        piece = bytes(MIB)
        for _ in range(0, size, len(piece)):
            file.write(piece)
    path.unlink()
