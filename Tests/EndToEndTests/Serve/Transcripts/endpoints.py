"""The ways of front ends to call: POST, GET and WebSocket with JSON, POST with XML. A page of another site names its origin."""

import base64
import http.client
import json
import os
import socket
import struct
import time
import urllib.parse
import xmlrpc.client


class Endpoints:
    """Calls a service, as a page of an origin, or as a program."""

    def __init__(self, port, origin=None, fields=None):
        self.port, self.origin, self.socket = port, origin, None
        self.fields = dict(fields or {})
        if origin:
            self.fields |= {"Origin": origin, "Sec-Fetch-Site": "cross-site"}

    def ask(self, method, path, body=None, fields=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, {**self.fields, **(fields or {})})
            answer = connection.getresponse()
            return answer.status, answer, answer.read()
        finally:
            connection.close()

    def json(self, *request):
        status, head, body = self.ask(*request)
        # The browser withholds answers that a page may not read.
        if self.origin and head.getheader("Access-Control-Allow-Origin") not in (self.origin, "*"):
            raise AssertionError(f"a page of {self.origin} may not read the answer: {head.getheaders()}")
        if not (head.getheader("Content-Type") or "").startswith("application/json"):
            raise AssertionError(f"this is {head.getheader('Content-Type')}: {body[:200]!r}")
        return status, json.loads(body)

    def post(self, call):
        return self.json("POST", "/jsonrpc", json.dumps(call).encode())

    def get(self, call):
        def text(value):
            if isinstance(value, (list, dict)):
                return urllib.parse.quote(base64.b64encode(json.dumps(value).encode()), safe="")
            return str(value)

        return self.json("GET", "/jsonrpc?" + "&".join(f"{name}={text(value)}" for name, value in call.items()))

    def xml(self, call):
        """A fault is an answer like any other."""
        params = tuple(_binaries(one) for one in call["params"])
        body = xmlrpc.client.dumps(params, call["method"], allow_none=True).encode()
        status, _, body = self.ask("POST", "/rpc", body, {"Content-Type": "text/xml"})
        try:
            return status, {"result": xmlrpc.client.loads(body)[0][0]}
        except xmlrpc.client.Fault as fault:
            return status, {"fault": {"faultCode": fault.faultCode, "faultString": fault.faultString}}

    def preflight(self, wanted):
        """The answer to a browser's preflight request."""
        fields = {"Access-Control-Request-Method": wanted["method"], "Access-Control-Request-Headers": wanted["fields"]}
        status, head, _ = self.ask("OPTIONS", "/jsonrpc", None, fields)

        def words(name):
            return [word.strip().lower() for word in (head.getheader(name) or "").split(",")]

        return status, {
            "origin": head.getheader("Access-Control-Allow-Origin"), "methods": words("Access-Control-Allow-Methods"),
            "fields": words("Access-Control-Allow-Headers"),
        }

    def open(self):
        if self.socket:
            self.socket.close()
        self.socket = WebSocket(self.port, self.fields)

    def websocket(self, call):
        if not self.socket:
            self.open()
        self.socket.send(json.dumps(call))
        return None, self.socket.answer()


def _binaries(value):
    """{"<binary>": TEXT} is a value of the type that XML-RPC has for bytes."""
    return xmlrpc.client.Binary(value["<binary>"].encode()) if isinstance(value, dict) and "<binary>" in value else value


class WebSocket:
    """Just enough of RFC 6455. Unrequested messages are kept in `notices`."""

    def __init__(self, port, fields):
        self.notices, self.buffer = [], b""
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=60)
        head = {
            "Host": f"127.0.0.1:{port}", "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13",
            "Sec-WebSocket-Key": base64.b64encode(os.urandom(16)).decode(), **fields,
        }
        lines = ["GET /jsonrpc HTTP/1.1", *(f"{name}: {value}" for name, value in head.items()), "", ""]
        self.socket.sendall("\r\n".join(lines).encode())
        while b"\r\n\r\n" not in self.buffer:
            self._more()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise AssertionError(f"no WebSocket: {head!r}")

    def close(self):
        self.socket.close()

    def send(self, text):
        self._send(1, text.encode())

    def _send(self, kind, data):
        mask = os.urandom(4)
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + struct.pack("!H", len(data))
        self.socket.sendall(bytes([0x80 | kind]) + size + mask + bytes(byte ^ mask[i % 4] for i, byte in enumerate(data)))

    def answer(self):
        while True:
            message = self._receive()
            if "id" in message:
                return message
            self.notices.append(message)

    def notice(self, fits, seconds):
        """Removes the first matching notice, or returns the notices that came instead."""
        end = time.monotonic() + seconds
        while True:
            for one in self.notices:
                if fits(one):
                    self.notices.remove(one)
                    return None
            try:
                self.notices.append(self._receive(end))
            except TimeoutError:
                return self.notices

    def _receive(self, end=None):
        while True:
            # Pings do not extend it.
            self.socket.settimeout(60 if end is None else max(0.01, end - time.monotonic()))
            # A timeout here must lose nothing: the frame is taken only once it is complete.
            first, size, start = self._at(0), self._at(1), 2
            if size > 125:
                start = 4 if size == 126 else 10
                self._at(start - 1)
                size = int.from_bytes(self.buffer[2:start], "big")
            while len(self.buffer) < start + size:
                self._more()
            data, self.buffer = self.buffer[start:start + size], self.buffer[start + size:]
            if first & 15 == 1:
                return json.loads(data)
            # Browsers answer a ping; a client that does not counts as gone.
            if first & 15 == 9:
                self._send(10, data)

    def _at(self, place):
        while len(self.buffer) <= place:
            self._more()
        return self.buffer[place]

    def _more(self):
        more = self.socket.recv(65536)
        if not more:
            raise AssertionError("the service has closed the WebSocket")
        self.buffer += more
