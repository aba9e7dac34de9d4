"""The programs in C below Benchmarks/bare: compiled into the work directory, for each run."""

import subprocess
from pathlib import Path

from .failure import Broken

SOURCES = Path(__file__).resolve().parent.parent / "bare"
WITH_LIBCURL = {"libcurl", "multi"}


def build(directory: Path) -> dict:
    """Returns name → program."""
    directory.mkdir(parents=True, exist_ok=True)
    libcurl = subprocess.run(
        ["pkg-config", "--cflags", "--libs", "libcurl"], capture_output=True, text=True, check=False).stdout.split()
    programs = {}
    for source in sorted(SOURCES.glob("*.c")):
        program = directory / source.stem
        command = ["gcc", "-std=gnu11", "-O2", "-Wall", "-Wextra", "-D_FILE_OFFSET_BITS=64", "-o", program, source]
        command += libcurl if source.stem in WITH_LIBCURL else []
        done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
        if done.returncode or done.stderr:
            raise Broken(f"{source.name} does not compile:\n{done.stderr}")
        programs[source.stem] = str(program)
    return programs
