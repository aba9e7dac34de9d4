"""A bucket of SeaweedFS, and the peers that fill buckets."""

import json
import os
import select
import shutil
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

from .failure import Broken, Wrong
from .scale import MIB

PLACE = Path(__file__).resolve().parents[2] / "Tests/EndToEndTests/Servers"
sys.path.append(str(PLACE))
sys.dont_write_bytecode = True

from s3client import Client  # noqa: E402: it is beside the tests

# Seconds until the server is there.
START = 240


class Bucket:
    """An empty bucket that is there. `variables` are the environment of programs that use it."""

    def __init__(self, said: dict):
        self.client = Client(said["endpoint"], said["access"], said["secret"], said["region"])
        self.variables = {
            "AWS_ENDPOINT_URL_S3": said["endpoint"], "AWS_ENDPOINT_URL": said["endpoint"], "AWS_REGION": said["region"],
            "AWS_DEFAULT_REGION": said["region"], "AWS_ACCESS_KEY_ID": said["access"],
            "AWS_SECRET_ACCESS_KEY": said["secret"], "AWS_EC2_METADATA_DISABLED": "true", "RCLONE_CONFIG": "/dev/null",
            "RCLONE_CONFIG_STORE_TYPE": "s3", "RCLONE_CONFIG_STORE_PROVIDER": "Other", "RCLONE_CONFIG_STORE_ENV_AUTH": "true",
            "RCLONE_CONFIG_STORE_ENDPOINT": said["endpoint"], "RCLONE_CONFIG_STORE_REGION": said["region"],
            "RCLONE_S3_NO_CHECK_BUCKET": "true"}

    def expect(self, sources: dict):
        """Checks the objects of a run and removes them, so that the next run finds an empty bucket. `sources` is
        key → the source's file. The server may be in a namespace: the check runs where `client` reaches it."""
        try:
            for key, source in sources.items():
                with source.open("rb") as file:
                    for piece in self.client.read(key):
                        if file.read(len(piece)) != piece:
                            raise Wrong(f"{key} is not what the server has")
                    if file.read(1):
                        raise Wrong(f"{key} is too short")
            if uploads := self.client.uploads():
                raise Wrong(f"uploads are left: {uploads}")
        except SystemExit as problem:
            raise Wrong(str(problem)) from None
        finally:
            for key in sources:
                self.client.delete(key)


@contextmanager
def bucket(directory: Path, address: str = "127.0.0.1", within=()):
    """SeaweedFS with an empty bucket, as long as the `with` block runs. `within` runs it in a namespace."""
    directory.mkdir(parents=True, exist_ok=True)
    command = [*within, sys.executable, "-B", PLACE / "s3server.py", "seaweedfs", directory, address]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True) as server:
        try:
            ready, _, _ = select.select([server.stdout], [], [], START)
            line = server.stdout.readline() if ready else ""
            if not line:
                server.terminate()
                raise Broken(f"SeaweedFS does not start (scripts/setup.sh s3 installs it): {server.stderr.read()[-500:]}")
            yield Bucket(json.loads(line))
        finally:
            server.terminate()
            server.communicate()
            shutil.rmtree(directory, ignore_errors=True)


def aws() -> str | None:
    """The program of aws-cli: from PyPI by scripts/setup.sh bench, otherwise the machine's."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    own = cache / "dray-aws/bin/aws"
    return str(own) if os.access(own, os.X_OK) else shutil.which("aws")


def versions() -> list:
    """Lines on the server and the peers."""
    lines = []
    for name, *command in (("SeaweedFS", PLACE / "s3server.py", "version"), ("aws-cli", aws(), "--version"),
                           ("rclone", "rclone", "version")):
        if command[0] and (name == "SeaweedFS" or shutil.which(command[0])):
            if name == "SeaweedFS":
                command = [sys.executable, "-B", *command]
            done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
            lines.append(f"{name}: {(done.stdout.splitlines() or ['unknown'])[0]}")
    return lines


def dray(program, url, key, *options):
    return [program, "get", "-q", *options, "-o", f"s3://bucket/{key}", url]


def curl_aws(program, url, key, size):
    """aws-cli must know the size, otherwise its parts are too small for large files."""
    upload = f"'{program}' s3 cp - s3://bucket/{key} --only-show-errors --expected-size {size}"
    return ["bash", "-c", f"set -o pipefail; curl -q -sS '{url}' | {upload}"]


def rclone(url, key):
    return ["rclone", "copyurl", url, f"store:bucket/{key}"]


def rclone_many(root, names, prefix):
    """Copies the files that are named in the file `names`, 16 at a time, as dray does."""
    return ["rclone", "copy", "--transfers", "16", "--checkers", "16", "--files-from-raw", names, "--no-traverse",
            "--http-url", root, ":http:", f"store:bucket/{prefix}"]


def warm(size: int) -> int:
    """The memory that a run's parts and the server's cache need; a GiB needs no GiB."""
    return min(size, 512 * MIB)
