"""nginx with a separate prefix and configuration; `Server` is the one on loopback."""

import base64
import hashlib
import os
import shutil
import signal
import socket
import subprocess
import time
import urllib.request
from pathlib import Path

from . import certificate
from .failure import Broken

FRAME = """
daemon off; worker_processes {workers}; pid {prefix}/pid; error_log {prefix}/error.log; {user}
events {{ worker_connections 4096; }}
http {{
  client_body_temp_path {prefix}/t1; proxy_temp_path {prefix}/t2; fastcgi_temp_path {prefix}/t3;
  uwsgi_temp_path {prefix}/t4; scgi_temp_path {prefix}/t5;
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  default_type application/octet-stream;
  root {prefix}/site;
  {servers}
}}
"""

SERVERS = """
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    # Any name below /slow/ is the same file, sent slowly: many jobs stay active without a disk full of files.
    location /slow/ {{ limit_rate 16k; rewrite ^ /slow.bin break; }}
    # 2 MiB/s for each connection. nginx sends the quota of a second at once, the first before any time has passed.
    location /limited/ {{ limit_rate 2m; rewrite ^/limited/(.*)$ /$1 break; }}
    # Every answer offers the digest that a case wrote into a file, at any speed.
    location /offered/ {{ include {prefix}/digest*.conf; rewrite ^/offered/(.*)$ /$1 break; }}
    location /offered-limited/ {{
      limit_rate 100m; include {prefix}/digest*.conf; rewrite ^/offered-limited/(.*)$ /$1 break;
    }}
  }}
  server {{
    listen 127.0.0.1:{tls_port} ssl backlog=4096;
    ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  }}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Nginx:
    """Serves `site` while the `with` block runs. `within` is a command that runs its arguments elsewhere, such as in
    a namespace; `names` are those of the certificate."""

    def __init__(self, prefix: Path, workers: int, within=(), **names):
        self.prefix, self.workers, self.within = prefix, workers, within
        self.site = prefix / "site"
        self.site.mkdir(parents=True, exist_ok=True)
        self.ca, self.certificate, self.key = certificate.make(prefix / "tls", **names)

    def servers(self) -> str:
        """The server blocks of the configuration."""
        raise NotImplementedError

    @staticmethod
    def program():
        found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if found is None:
            raise Broken("nginx is not installed; scripts/setup.sh bench installs it")
        return found

    def __enter__(self):
        configuration, pid, log = (self.prefix / name for name in ("nginx.conf", "pid", "error.log"))
        configuration.write_text(FRAME.format(
            prefix=self.prefix, workers=self.workers, servers=self.servers(),
            user="user root;" if os.geteuid() == 0 else ""))
        pid.unlink(missing_ok=True)
        # In a separate session: Ctrl-C must not reach nginx, which runs until this process ends it.
        self.process = subprocess.Popen(
            [*self.within, self.program(), "-p", self.prefix, "-c", configuration, "-e", log], start_new_session=True)
        try:
            deadline = time.monotonic() + 10
            while not (pid.exists() and pid.read_text()):  # nginx writes its pid when it listens
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Broken(f"nginx does not start: {log.read_text() if log.exists() else ''}")
                time.sleep(0.05)
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()


class Server(Nginx):
    """A server on loopback, for http and https."""

    def __init__(self, prefix: Path):
        super().__init__(prefix, workers=2)
        self.port, self.tls_port = free_port(), free_port()

    def servers(self) -> str:
        return SERVERS.format(
            prefix=self.prefix, port=self.port, tls_port=self.tls_port, certificate=self.certificate, key=self.key)

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def tls_url(self, path: str) -> str:
        return f"https://localhost:{self.tls_port}/{path}"

    def offer(self, path: Path):
        """Makes every answer below `offered` and `offered-limited` state the SHA-256 of this file (RFC 9530)."""
        with path.open("rb") as file:
            digest = base64.b64encode(hashlib.file_digest(file, "sha256").digest()).decode()
        (self.prefix / "digest.conf").write_text(f'add_header Repr-Digest "sha-256=:{digest}:";\n')
        self.process.send_signal(signal.SIGHUP)
        deadline = time.monotonic() + 10
        while True:
            with urllib.request.urlopen(self.url("offered/" + path.name)) as answer:
                if answer.headers["Repr-Digest"]:
                    return
            if time.monotonic() > deadline:
                raise Broken("nginx does not offer the digest")
            time.sleep(0.05)
