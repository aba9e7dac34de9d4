"""A CA of the benchmark's own and a certificate for the server."""

import subprocess
from pathlib import Path

from .failure import Broken


def make(directory: Path, names="DNS:localhost,IP:127.0.0.1"):
    """`names` as in subjectAltName. Returns the files of the CA's certificate, the server's certificate and its key."""
    directory.mkdir(parents=True, exist_ok=True)
    ca, ca_key, certificate, key, request, extensions = (
        directory / name for name in ("ca.pem", "ca.key", "server.pem", "server.key", "server.csr", "extensions"))
    extensions.write_text(f"subjectAltName={names}\n")
    new_key = ["-newkey", "rsa:2048", "-nodes"]
    openssl("req", "-x509", *new_key, "-keyout", ca_key, "-out", ca, "-days", "30", "-subj", "/CN=Benchmarks of dray",
            "-addext", "basicConstraints=critical,CA:TRUE")
    openssl("req", *new_key, "-keyout", key, "-out", request, "-subj", "/CN=localhost")
    openssl("x509", "-req", "-in", request, "-CA", ca, "-CAkey", ca_key, "-CAcreateserial", "-days", "30",
            "-extfile", extensions, "-out", certificate)
    return ca, certificate, key


def openssl(*arguments):
    done = subprocess.run(["openssl", *arguments], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Broken(f"openssl {arguments[0]}: {done.stderr}")
