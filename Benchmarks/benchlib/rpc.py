"""Clients of JSON-RPC: one persistent connection, over HTTP or WebSocket, with little work per call."""

import base64
import json
import os
import socket

from .failure import Failed

# Longer than any answer takes, in seconds.
LIMIT = 60


class Connection:
    """`request` prepares a call once, `ask` makes it and returns the text of the answer, `call` does both."""

    def __init__(self, port: int):
        self.socket = socket.create_connection(("127.0.0.1", port), LIMIT)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def request(self, method: str, *parameters) -> bytes:
        """The bytes to send for this call."""
        raise NotImplementedError

    def ask(self, request: bytes) -> bytes:
        """Sends a prepared call and waits for its answer."""
        raise NotImplementedError

    def call(self, method: str, *parameters):
        """The result of this call."""
        answer = json.loads(self.ask(self.request(method, *parameters)))
        if "error" in answer:
            raise Failed(f"{method}: {answer['error']}", "refused")
        return answer["result"]

    def more(self, data: bytes) -> bytes:
        """Receives more bytes and appends them."""
        piece = self.socket.recv(1 << 18)
        if not piece:
            raise Failed("it closed the connection", "closed")
        return data + piece


def body(method: str, parameters) -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": "1", "method": method, "params": parameters}).encode()


class Http(Connection):
    """POST to /jsonrpc; the connection is kept alive."""

    def request(self, method, *parameters):
        content = body(method, parameters)
        head = (
            "POST /jsonrpc HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\n\r\n")
        return head.encode() + content

    def ask(self, request):
        self.socket.sendall(request)
        data = self.more(b"")
        while (end := data.find(b"\r\n\r\n")) < 0:
            data = self.more(data)
        at = data[:end + 2].lower().find(b"content-length:")
        if not data.startswith(b"HTTP/1.1 200") or at < 0:
            raise Failed(f"its answer is {data[:100]!r}", "HTTP")
        size = end + 4 + int(data[at + 15:data.index(b"\r", at)])
        while len(data) < size:
            data = self.more(data)
        return data[end + 4:]


class WebSocket(Connection):
    """The same calls as texts of a WebSocket. Only the answers may come: no events."""

    def __init__(self, port):
        super().__init__(port)
        self.rest = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((
            "GET /jsonrpc HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            self.rest = self.more(self.rest)
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if not head.startswith(b"HTTP/1.1 101"):
            raise Failed(f"no WebSocket: {head[:100]!r}", "no WebSocket")

    def request(self, method, *parameters):
        content = body(method, parameters)
        size = len(content)
        head = bytes([0x81, 0x80 | size]) if size < 126 else b"\x81\xfe" + size.to_bytes(2, "big")
        return head + bytes(4) + content  # the mask is zero, so the text stays unchanged

    def ask(self, request):
        self.socket.sendall(request)
        data = self.rest
        while True:
            while len(data) < 10 and (len(data) < 2 or len(data) < 2 + data[1]):
                data = self.more(data)
            short = data[1] & 0x7F
            start = {126: 4, 127: 10}.get(short, 2)
            size = short if start == 2 else int.from_bytes(data[2:start], "big")
            while len(data) < start + size:
                data = self.more(data)
            kind, text, data = data[0], data[start:start + size], data[start + size:]
            if kind == 0x81 and b'"result"' in text:
                self.rest = data
                return text
