"""Clients that vanish in mid-message: by closing the connection, or by a reset.

Usage: vanish.py PORT COUNT        so many of each kind, some of them at once
"""

import socket
import struct
import sys

port, count = int(sys.argv[1]), int(sys.argv[2])
HOST = b"Host: localhost\r\n"
JSON = HOST + b"Content-Type: application/json\r\n"
UPGRADE = (
    b"GET /jsonrpc HTTP/1.1\r\n" + HOST + b"Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n")
CALL = b'{"jsonrpc":"2.0","id":1,"method":"aria2.tellStopped","params":[0,1000]}'
# The bytes sent, and whether an answer begins before the client vanishes.
KINDS = [
    (b"", False),
    (b"\x16\x03\x01\x00", False),
    (b"POST /jsonrpc HT", False),
    (b"POST /jsonrpc HTTP/1.1\r\n" + JSON, False),
    (b"POST /jsonrpc HTTP/1.1\r\n" + JSON + b"Content-Length: 8000000\r\n\r\n" + b"[" * 500_000, False),
    (b"POST /api/v1/jobs HTTP/1.1\r\n" + JSON + b"Transfer-Encoding: chunked\r\n\r\n4000\r\n" + b"{" * 1000, False),
    (b"POST /jsonrpc HTTP/1.1\r\n" + JSON + b"Content-Length: %d\r\n\r\n" % len(CALL) + CALL, False),
    (b"GET / HTTP/1.1\r\n" + HOST + b"\r\n", True),
    (b"GET /api/v1/events HTTP/1.1\r\n" + HOST + b"\r\n", True),
    (UPGRADE, True),
    (UPGRADE + b"\x81", True),
    (UPGRADE + b"\x81\xff\x00\x00\x00\x00\x00\x10\x00\x00mask" + b"[" * 200_000, True),
    (UPGRADE + b"\x01\x84mask[[[[", True),
]


def vanish(line, resets):
    if resets:
        line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    line.close()


waiting = []
for number in range(count):
    for text, answers in KINDS:
        line = socket.create_connection(("127.0.0.1", port), timeout=60)
        try:
            line.sendall(text)
            if answers:
                line.recv(1)
        except (ConnectionResetError, BrokenPipeError):
            pass  # refused in the middle: that is an answer, too
        waiting.append(line)
    while len(waiting) > 60:
        vanish(waiting.pop(0), number % 4 != 0)
for at, line in enumerate(waiting):
    vanish(line, at % 4 != 0)
