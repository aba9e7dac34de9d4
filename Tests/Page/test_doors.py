"""Doors that the documents recommend, tried by pages in a browser: the socket that ssh forwards to a port, and the cookie of a login."""

import http.server
import os
import socket
import threading
import unittest
from pathlib import Path

from browser import PageTest


def forward(path):
    """Forwards a port to a socket in the file system, as `ssh -L PORT:PATH` does. Returns the port."""
    listener = socket.create_server(("127.0.0.1", 0))

    def copy(source, sink):
        try:
            while data := source.recv(65536):
                sink.sendall(data)
            sink.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    def accept():
        while True:
            client, _ = listener.accept()
            service = socket.socket(socket.AF_UNIX)
            service.connect(path)
            for ends in ((client, service), (service, client)):
                threading.Thread(target=copy, args=ends, daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    return listener.getsockname()[1]


class Stranger(http.server.ThreadingHTTPServer):
    """A server of another user at another port of this machine. It has an empty page, and keeps the cookies that it gets."""

    daemon_threads = True

    def __init__(self):
        seen = self.seen = []

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                seen.append(self.headers.get("Cookie", ""))
                body = b"<!doctype html><title>stranger</title>"
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self.server_address[1]}/"


#: What a page of another site can send; each ends with whether it got an answer that it can read.
ATTEMPTS = """
  const [url, call, done] = arguments;
  const body = JSON.stringify({ jobs: [{ url: "http://127.0.0.1:1/planted", paused: true }] });
  const read = (request) => request.then((answer) => answer.text()).then((text) => text !== "", () => false);
  const posted = (path, type, text, mode) => read(fetch(url + path, { method: "POST", body: text, headers: { "Content-Type": type }, mode }));
  const image = () => new Promise((end) => { const image = new Image(); image.onload = image.onerror = () => end(false); image.src = url + call; });
  const webSocket = () => new Promise((end) => {
    const webSocket = new WebSocket(url.replace("http", "ws") + "jsonrpc");
    webSocket.onopen = () => end(true);
    webSocket.onerror = () => end(false);
  });
  const form = () => new Promise((end) => {
    const frame = Object.assign(document.createElement("iframe"), { name: "answer" });
    const form = Object.assign(document.createElement("form"), { method: "POST", action: url + "jsonrpc", target: "answer", enctype: "text/plain" });
    form.append(Object.assign(document.createElement("input"), { name: '{"method":"aria2.addUri","id":"', value: '","params":[["http://127.0.0.1:1/planted"],{"pause":"true"}]}' }));
    document.body.append(frame, form);
    frame.onload = () => end(false);
    form.submit();
  });
  Promise.all([
    read(fetch(url + "api/v1/jobs")), posted("api/v1/jobs", "application/json", body), posted("api/v1/jobs", "text/plain", body, "no-cors"),
    posted("jsonrpc", "text/plain", '{"id":1,"method":"aria2.addUri","params":[["http://127.0.0.1:1/planted"],{"pause":"true"}]}', "no-cors"),
    image(), webSocket(), form(),
  ]).then(done, (error) => done(String(error)));"""
CALL = "jsonrpc?method=aria2.addUri&id=1&params=W1siaHR0cDovLzEyNy4wLjAuMToxL3BsYW50ZWQiXV0%3D"


@unittest.skipUnless(os.environ.get("PAGE_PROGRAM"), "a real service is needed")
class DoorTests(PageTest):
    secret = "correct horse battery"

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.stranger = Stranger()
        cls.addClassCleanup(cls.stranger.shutdown)

    def tearDown(self):
        # The browser says that the service refuses what the tests try.
        self.browser.get_log("browser")

    def jobs(self):
        return self.service.call("GET", "/jobs")["jobs"]

    def attempts(self, url):
        self.browser.get(self.stranger.url)
        self.browser.set_script_timeout(20)
        return self.browser.execute_async_script(ATTEMPTS, url, CALL)

    def test_forwarded_socket(self):
        port = forward(str(Path(self.service.directory, "state/serve.sock")))
        for host in ("127.0.0.1", "localhost"):
            self.assertEqual(self.attempts(f"http://{host}:{port}/"), [False] * 7)
            self.assertEqual(self.jobs(), [])
        # The page itself works there, without the secret.
        self.browser.get(f"http://127.0.0.1:{port}/")
        self.one("#empty h2")
        # A name of another site that leads to the port (DNS rebinding): the page has the same origin as the service.
        self.browser.get(f"http://rebound.localhost:{port}/")
        self.assertNotIn("dray", self.browser.title)
        self.assertEqual(self.jobs(), [])

    def test_pages_of_other_ports(self):
        self.assertEqual(self.attempts(self.service.url + "/"), [False] * 7)
        self.assertEqual(self.jobs(), [])

    def test_cookie_goes_to_other_ports(self):
        self.open()
        self.fill("#login-secret", self.secret + "\n")
        self.one("#empty h2")
        self.stranger.seen.clear()
        self.browser.get(self.stranger.url)
        cookie = next(cookie for cookie in self.stranger.seen if "dray=" in cookie)
        self.assertEqual(self.service.status("GET", "/jobs", {"Cookie": cookie}), 401)
        # The page has the other half, and the events come.
        self.open()
        [id] = self.service.add(self.url("file/4M/1M/a.bin"), paused=True)
        self.until_state(id, "paused")
        # Both outlive the service.
        self.service.stop()
        self.service.start()
        self.open()
        self.until_state(id, "paused")


if __name__ == "__main__":
    unittest.main()
