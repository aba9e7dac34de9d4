"""nginx on loopback with a prefix and a configuration of its own."""

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

CONFIGURATION = """
daemon off; worker_processes 2; pid {prefix}/pid; error_log {prefix}/error.log; {user}
events {{ worker_connections 4096; }}
http {{
  client_body_temp_path {prefix}/t1; proxy_temp_path {prefix}/t2; fastcgi_temp_path {prefix}/t3;
  uwsgi_temp_path {prefix}/t4; scgi_temp_path {prefix}/t5;
  access_log off; sendfile on; tcp_nopush on; keepalive_requests 1000000;
  default_type application/octet-stream;
  root {prefix}/site;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    # Any name below /slow/ is the same file, sent slowly: many jobs stay active without a disk full of files.
    location /slow/ {{ limit_rate 16k; rewrite ^ /slow.bin break; }}
    # 2 MiB/s for each connection. nginx sends the quota of a second at once, the first before any time has passed.
    location /limited/ {{ limit_rate 2m; rewrite ^/limited/(.*)$ /$1 break; }}
    # The digest that a case wrote into a file is offered with every answer, at any speed and at that of a good line.
    location /offered/ {{ include {prefix}/digest*.conf; rewrite ^/offered/(.*)$ /$1 break; }}
    location /offered-limited/ {{
      limit_rate 100m; include {prefix}/digest*.conf; rewrite ^/offered-limited/(.*)$ /$1 break;
    }}
  }}
  server {{
    listen 127.0.0.1:{tls_port} ssl backlog=4096;
    ssl_certificate {certificate}; ssl_certificate_key {key}; ssl_protocols TLSv1.2 TLSv1.3;
  }}
}}
"""


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


class Server:
    """Serves `site` while the `with` block runs."""

    def __init__(self, prefix: Path):
        self.prefix = prefix
        self.site = prefix / "site"
        self.site.mkdir(parents=True, exist_ok=True)
        self.port, self.tls_port = free_port(), free_port()
        self.ca, self.certificate, self.key = certificate.make(prefix / "tls")

    @staticmethod
    def program():
        found = shutil.which("nginx", path=os.environ.get("PATH", "") + ":/usr/sbin")
        if found is None:
            raise Broken("nginx is not installed; scripts/setup.sh bench installs it")
        return found

    def url(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}/{path}"

    def tls_url(self, path: str) -> str:
        return f"https://localhost:{self.tls_port}/{path}"

    def __enter__(self):
        configuration = self.prefix / "nginx.conf"
        configuration.write_text(CONFIGURATION.format(
            prefix=self.prefix, port=self.port, tls_port=self.tls_port, certificate=self.certificate, key=self.key,
            user="user root;" if os.geteuid() == 0 else ""))
        self.process = subprocess.Popen(
            [self.program(), "-p", self.prefix, "-c", configuration, "-e", self.prefix / "error.log"])
        deadline = time.monotonic() + 10
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port)).close()
                return self
            except OSError:
                if self.process.poll() is not None or time.monotonic() > deadline:
                    raise Broken(f"nginx does not start: {(self.prefix / 'error.log').read_text()}") from None
                time.sleep(0.05)

    def offer(self, path: Path):
        """Has every answer below `offered` and `offered-limited` tell the SHA-256 of this file (RFC 9530)."""
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

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
