"""The service under test: the mock, or the one that the environment names.

    PAGE_SERVICE         base URL of a running service, such as http://127.0.0.1:6801/
    PAGE_SERVICE_SECRET  its secret, if it has one
    PAGE_SERVICE_STOP    a command that stops it, and PAGE_SERVICE_START one that starts it again: for the test of its return

    PAGE_PROGRAM         the program `dray`, which serves each test class with a queue of its own

Without these a mock is started for each test class.
"""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
#: The time limit of a wait, in seconds.
LIMIT = 60


class Service:
    def __init__(self, *arguments, secret=None):
        self.given = os.environ.get("PAGE_SERVICE")
        self.secret = secret or os.environ.get("PAGE_SERVICE_SECRET")
        self.arguments, self.process, self.port = arguments, None, "0"
        self.program = os.environ.get("PAGE_PROGRAM")
        self.directory = tempfile.mkdtemp(prefix="dray-page-")
        if self.given:
            self.url = self.given.rstrip("/")
        else:
            self.start()

    def start(self):
        if self.given:
            return subprocess.run(os.environ["PAGE_SERVICE_START"], shell=True, check=True)
        if self.program:
            return self.start_program()
        command = [sys.executable, HERE / "mock_service.py", "--port", self.port, "--state", f"{self.directory}/state.json", *self.arguments]
        if self.secret:
            command += ["--secret", self.secret]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")
        self.port = self.url.rsplit(":", 1)[1]

    def start_program(self):
        """Starts dray itself, at the same address each time, so that the page finds it again."""
        if self.port == "0":
            with socket.socket() as free:
                free.bind(("127.0.0.1", 0))
                self.port = str(free.getsockname()[1])
        self.url = f"http://127.0.0.1:{self.port}"
        files = Path(self.directory, "files")
        files.mkdir(exist_ok=True)
        command = [self.program, "serve", "--listen", f"127.0.0.1:{self.port}", "--listen", f"unix:{self.directory}/state/serve.sock", "--root", files, "--log-file", f"{self.directory}/log"]
        if not self.secret:
            command.append("--no-secret")
        configuration = Path(self.directory, "config.toml")
        configuration.touch(0o600)
        settings = {"DRAY_HOME": f"{self.directory}/state", "DRAY_SERVE_SECRET": self.secret, "DRAY_CONFIG": str(configuration)}
        variables = {name: value for name, value in os.environ.items() if not name.startswith("DRAY_") and "proxy" not in name.lower()}
        variables |= {name: value for name, value in settings.items() if value}
        self.process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, text=True)
        self.wait_until_up()

    def stop(self):
        if self.given:
            return subprocess.run(os.environ["PAGE_SERVICE_STOP"], shell=True, check=True)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)
        self.process.stdout.close()

    def close(self):
        if not self.given:
            self.stop()
        shutil.rmtree(self.directory, ignore_errors=True)

    def call(self, method, path, body=None):
        """A call of the API, for preparations of a test."""
        headers = {"Content-Type": "application/json"}
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def status(self, method, path, headers):
        """The status of a call without the secret."""
        request = urllib.request.Request(f"{self.url}/api/v1{path}", None, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def add(self, *urls, **settings):
        jobs = [{"url": url, **settings} for url in urls]
        return [job["id"] for job in self.call("POST", "/jobs", {"jobs": jobs})["jobs"]]

    def job(self, id):
        return self.call("GET", f"/jobs/{id}")

    def clear(self):
        """Removes all jobs, so that a test starts without any."""
        self.call("POST", "/jobs/actions", {"action": "remove", "all": True})

    def wait_until_up(self):
        end = time.monotonic() + LIMIT
        while True:
            try:
                return self.call("GET", "/service")
            except (urllib.error.URLError, ConnectionError):
                if time.monotonic() > end:
                    raise
                time.sleep(0.05)
