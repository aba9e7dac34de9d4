"""The programs in C below Benchmarks/bare: compiled into the work directory, for each run."""

import subprocess
from pathlib import Path

from .failure import Broken

SOURCES = Path(__file__).resolve().parent.parent / "bare"
WITH_LIBCURL = {"libcurl", "multi"}


def build(directory: Path, only=None) -> dict:
    """Returns name → program, of all or of `only` these."""
    directory.mkdir(parents=True, exist_ok=True)
    programs = {}
    for source in sorted(SOURCES.glob("*.c")):
        if only is not None and source.stem not in only:
            continue
        program = directory / source.stem
        command = ["gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-D_FILE_OFFSET_BITS=64", "-o", program, source]
        command += libcurl() if source.stem in WITH_LIBCURL else []
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or done.stderr:
            raise Broken(f"{source.name} does not compile:\n{done.stderr}")
        programs[source.stem] = str(program)
    return programs


def libcurl() -> list:
    """The compiler's options for libcurl."""
    return subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libcurl"], capture_output=True, text=True, check=False).stdout.split()
