"""The environment of every case."""

import os
import shutil
import subprocess
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from .failure import Broken
from .files import fill
from .measure import Meter, environment
from .nginx import Server
from .scale import Scale


@dataclass
class Bench:
    """`programs` are the compiled C programs, by name."""

    dray: str
    server: Server
    work: Path
    scale: Scale
    programs: dict

    def __post_init__(self):
        self.meter = Meter(self.programs["cost"])
        done = subprocess.run(
            [self.dray, "help", "get", "--all"], capture_output=True, text=True, check=False,
            env=environment(self.work))
        if done.returncode:
            raise Broken(f"{self.dray} help get --all: {done.stderr}")
        self.help = done.stdout

    def knows(self, option: str) -> bool:
        """Whether `dray get` has this option."""
        return option in self.help.replace(",", " ").split()

    @contextmanager
    def fresh_directory(self, keep: bool = False):
        """A directory with a subdirectory `out`. `keep` keeps it until the end of the benchmark."""
        path = Path(tempfile.mkdtemp(dir=self.work))
        (path / "out").mkdir()
        try:
            yield path
        finally:
            if not keep:
                shutil.rmtree(path)

    def serve(self, name: str, size: int) -> Path:
        """A file of random bytes below the server's root."""
        path = self.server.site / name
        fill(path, size)
        return path

    def links(self, urls) -> Path:
        """A file with one URL a line."""
        handle, path = tempfile.mkstemp(dir=self.work, suffix=".txt")
        with os.fdopen(handle, "w") as file:
            file.writelines(f"{url}\n" for url in urls)
        return Path(path)
