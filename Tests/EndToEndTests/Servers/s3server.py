"""A real S3 server on loopback, for tests, the demo and the benchmarks.

Usage: s3server.py KIND DIRECTORY [ADDRESS]

KIND is seaweedfs, ministack, moto or swift. The server keeps its data in DIRECTORY, and listens at ADDRESS (127.0.0.1).
When it answers, the bucket `bucket` exists, and one line of JSON is printed: endpoint, access, secret, region. It ends
with this program, also when that is killed. `s3server.py installed` prints the kinds that can be started here,
`s3server.py version` the version of SeaweedFS.

`scripts/setup.sh s3` installs the servers; moto comes with `scripts/setup.sh test`."""

import ctypes
import glob
import http.client
import json
import os
import random
import signal
import socket
import stat
import subprocess
import sys
import time
from pathlib import Path

from s3client import Client

ACCESS, SECRET, REGION, BUCKET = "AKIDANN", "s3cretKeyOfAnn", "us-east-1", "bucket"
# Far more than any start takes, in seconds.
LIMIT = 240
ATTEMPTS = 3
CACHE = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
S3 = Path(os.environ.get("DRAY_S3") or CACHE / "dray-s3") / "bin"
# The environment of `scripts/setup.sh test`, or the one of this name in the tests: its Python.
MOTO = Path(os.environ.get("DRAY_MOTO") or CACHE / "dray-moto/bin/python")


def free_port(address):
    """Below the range from which the system assigns ports, like LocalPort of the tests: nobody takes it before it is bound."""
    for _ in range(1000):
        port = random.randrange(10_000, 20_000)
        with socket.socket() as probe:
            try:
                probe.bind((address, port))
            except OSError:
                continue
            return port
    raise SystemExit("s3server: no free port")


def die_with_parent():
    """Runs in the child: the kernel kills it when this program ends, however it ends."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


class Ended(Exception):
    """A process ended before the server was there."""


class Server:
    """Starts the processes of one kind."""

    program = ""
    access = ACCESS

    def __init__(self, directory: Path, address: str):
        self.directory, self.address = directory, address
        self.port = free_port(address)
        self.processes = []
        self.client = Client(f"http://{address}:{self.port}", self.access, SECRET, REGION, BUCKET)

    def run(self, *command, **variables):
        """Starts a process, whose output goes to DIRECTORY/log."""
        environment = os.environ | {"HOME": str(self.directory), "PYTHONDONTWRITEBYTECODE": "1"} | variables
        with open(self.directory / "log", "ab") as log:
            self.processes.append(subprocess.Popen(
                [str(word) for word in command], cwd=self.directory, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                env=environment, preexec_fn=die_with_parent))

    def start(self):
        raise NotImplementedError

    def make_bucket(self):
        """Repeats until the bucket exists: some servers listen before all of their parts do."""
        deadline = time.monotonic() + LIMIT
        while True:
            for process in self.processes:
                if process.poll() is not None:
                    log = (self.directory / "log").read_text(errors="replace")[-2000:]
                    raise Ended(f"{process.args[0]} ended with {process.returncode}: {log}")
            try:
                made, there = (self.client.ask(method) for method in ("PUT", "HEAD"))
                if made.status in (200, 409) and there.status == 200:
                    # The first object costs SeaweedFS seconds, in which it makes volumes.
                    self.client.put("first", b"first")
                    self.client.delete("first")
                    return
            except (OSError, http.client.HTTPException, SystemExit):
                pass
            if time.monotonic() > deadline:
                raise SystemExit(f"s3server: no answer within {LIMIT} s")
            time.sleep(0.1)


class SeaweedFS(Server):
    """Checks signatures and checksums."""

    program = S3 / "weed"

    def start(self):
        remove_sockets()
        keys = {"identities": [{
            "name": "ann", "credentials": [{"accessKey": ACCESS, "secretKey": SECRET}],
            "actions": ["Admin", "Read", "Write", "List", "Tagging"]}]}
        (self.directory / "s3.json").write_text(json.dumps(keys))
        (self.directory / "data").mkdir(exist_ok=True)
        ports = []
        for part in ("master", "volume", "filer", "s3"):
            ports += [f"-{part}.port={self.port if part == 's3' else free_port(self.address)}",
                      f"-{part}.port.grpc={free_port(self.address)}"]
        self.run(
            self.program, "-logtostderr", "server", f"-ip={self.address}", f"-ip.bind={self.address}", *ports, "-filer", "-s3",
            f"-dir={self.directory}/data", f"-s3.config={self.directory}/s3.json", f"-filer.localSocket={self.directory}/f",
            f"-s3.localSocket={self.directory}/s", "-s3.port.iceberg=0", "-s3.port.lance=0", "-master.telemetry=false",
            "-volume.max=0", "-volume.minFreeSpace=100MiB", "-master.volumeSizeLimitMB=1024")


class MiniStack(Server):
    """Completes uploads atomically, knows checksums, checks no signatures."""

    program = S3 / "ministack"

    def start(self):
        self.run(
            self.program, GATEWAY_PORT=str(self.port), BIND_HOST=self.address, SERVICES="s3", LOG_LEVEL="ERROR",
            S3_DATA_DIR=str(self.directory / "data"), S3_PERSIST="0", STATE_DIR=str(self.directory / "state"),
            TMPDIR=str(self.directory), AWS_ACCESS_KEY_ID=ACCESS, AWS_SECRET_ACCESS_KEY=SECRET)


class Moto(Server):
    """Fast; checks no signatures."""

    program = MOTO

    def start(self):
        self.run(self.program, "-m", "moto.server", "-H", self.address, "-p", self.port, TMPDIR=str(self.directory))


class Swift(Server):
    """OpenStack's object store with s3api: no conditional requests, MD5 only. Four processes and their rings."""

    program = CACHE / "dray-swift/bin/swift-proxy-server"
    access = "test:ann"
    PROXY = """
[DEFAULT]
{common}
[pipeline:main]
pipeline = catch_errors gatekeeper listing_formats bulk s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
allow_account_management = true
account_autocreate = true
[filter:tempauth]
use = egg:swift#tempauth
user_test_ann = {secret} .admin
[filter:s3api]
use = egg:swift#s3api
location = {region}
""" + "".join(f"[filter:{name}]\nuse = egg:swift#{name}\n" for name in (
        "catch_errors", "gatekeeper", "listing_formats", "bulk", "copy", "slo", "dlo", "versioned_writes", "symlink"))
    STORE = """
[DEFAULT]
{common}
devices = {directory}/devices
mount_check = false
[pipeline:main]
pipeline = {kind}-server
[app:{kind}-server]
use = egg:swift#{kind}
"""

    def start(self):
        bin_ = self.program.parent
        python = bin_ / "python"
        (self.directory / "devices/d1").mkdir(parents=True, exist_ok=True)
        (self.directory / "swift.conf").write_text("[swift-hash]\nswift_hash_path_suffix = tests\n")
        user = subprocess.run(["id", "-un"], capture_output=True, text=True, check=True).stdout.strip()
        for kind in ("account", "container", "object"):
            port = free_port(self.address)
            builder = self.directory / f"{kind}.builder"
            for words in (["create", 4, 1, 0], ["add", f"r1z1-{self.address}:{port}/d1", 1], ["rebalance"]):
                # Exit 1 is a warning.
                subprocess.run(
                    [python, bin_ / "swift-ring-builder", builder, *map(str, words)], check=False, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, cwd=self.directory, timeout=60)
            self.serve(kind, self.STORE, port, user)
        self.serve("proxy", self.PROXY, self.port, user)

    def serve(self, kind, text, port, user):
        common = (
            f"bind_ip = {self.address}\nbind_port = {port}\nworkers = 0\nuser = {user}\nswift_dir = {self.directory}\n"
            "log_udp_host = 127.0.0.1\nlog_udp_port = 9\n")
        file = self.directory / f"{kind}.conf"
        file.write_text(text.format(
            common=common, directory=self.directory, kind=kind, secret=SECRET, region=REGION))
        self.run(self.program.parent / "python", self.program.parent / f"swift-{kind}-server", file)


KINDS = {"seaweedfs": SeaweedFS, "ministack": MiniStack, "moto": Moto, "swift": Swift}


def remove_sockets():
    """Removes the sockets that killed servers have left in /tmp, which is the only place that SeaweedFS has for them."""
    for path in glob.glob("/tmp/seaweedfs-*-grpc-*.sock"):
        with socket.socket(socket.AF_UNIX) as probe:
            try:
                about = os.lstat(path)
                if about.st_uid != os.geteuid() or not stat.S_ISSOCK(about.st_mode):
                    continue
                probe.connect(path)
            except ConnectionRefusedError:
                os.unlink(path)
            except OSError:
                pass


def main():
    if sys.argv[1:] == ["installed"]:
        print(" ".join(name for name, kind in KINDS.items() if os.access(kind.program, os.X_OK)))
        return
    if sys.argv[1:] == ["version"]:
        os.execv(SeaweedFS.program, ["weed", "version"])
    name, directory = sys.argv[1], Path(sys.argv[2]).resolve()
    directory.mkdir(parents=True, exist_ok=True)
    parent = os.getppid()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    for attempt in range(ATTEMPTS):
        place = directory / str(attempt)
        place.mkdir(exist_ok=True)
        server = KINDS[name](place, sys.argv[3] if len(sys.argv) > 3 else "127.0.0.1")
        try:
            server.start()
            server.make_bucket()
            print(json.dumps({
                "endpoint": f"http://{server.address}:{server.port}", "access": server.access, "secret": SECRET,
                "region": REGION}), flush=True)
            # Not by a signal of the kernel: that comes when the thread ends that has started this program.
            while os.getppid() == parent and all(process.poll() is None for process in server.processes):
                time.sleep(0.2)
            return
        except Ended as ended:
            # Another program may have taken a port.
            if attempt == ATTEMPTS - 1:
                raise SystemExit(f"s3server: {ended}") from None
        finally:
            for process in server.processes:
                process.kill()


if __name__ == "__main__":
    main()
