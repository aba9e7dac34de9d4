"""The service under test: the mock, or whatever the environment names.

    PAGE_SERVICE         base URL of a running service, such as http://127.0.0.1:6801/
    PAGE_SERVICE_SECRET  its secret, if it has one
    PAGE_SERVICE_STOP    a command that stops it, and PAGE_SERVICE_START one that starts it again: for the test of its return

Without PAGE_SERVICE a mock is started for each test class.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).resolve().parent
LIMIT = 20


class Service:
    def __init__(self, *arguments, secret=None):
        self.given = os.environ.get("PAGE_SERVICE")
        self.secret = secret or os.environ.get("PAGE_SERVICE_SECRET")
        self.arguments, self.process, self.port = arguments, None, "0"
        self.state = tempfile.NamedTemporaryFile(suffix=".json", delete=False).name
        os.unlink(self.state)
        if self.given:
            self.url = self.given.rstrip("/")
        else:
            self.start()

    def start(self):
        if self.given:
            return subprocess.run(os.environ["PAGE_SERVICE_START"], shell=True, check=True)
        command = [sys.executable, HERE / "mock_service.py", "--port", self.port, "--state", self.state, *self.arguments]
        if self.secret:
            command += ["--secret", self.secret]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self.process.stdout.readline().strip().rstrip("/")
        self.port = self.url.rsplit(":", 1)[1]

    def stop(self):
        if self.given:
            return subprocess.run(os.environ["PAGE_SERVICE_STOP"], shell=True, check=True)
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(LIMIT)
        self.process.stdout.close()

    def close(self):
        if not self.given:
            self.stop()
            Path(self.state).unlink(missing_ok=True)

    def call(self, method, path, body=None):
        """A call of the API, for what a test needs and does not try."""
        headers = {"Content-Type": "application/json"}
        if self.secret:
            headers["Authorization"] = f"Bearer {self.secret}"
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(f"{self.url}/api/v1{path}", data, headers, method=method)
        with urllib.request.urlopen(request, timeout=60) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def add(self, *urls, **settings):
        jobs = [{"url": url, **settings} for url in urls]
        return [job["id"] for job in self.call("POST", "/jobs", {"jobs": jobs})["jobs"]]

    def job(self, id):
        return self.call("GET", f"/jobs/{id}")

    def clear(self):
        """Removes all jobs, so that a test begins with none."""
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
