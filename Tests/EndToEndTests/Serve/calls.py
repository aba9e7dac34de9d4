"""A client of aria2's interface on a WebSocket: requests the version repeatedly, and prints each message on a line.

Usage: calls.py PORT [host=NAME] [origin=URL] [secret=TEXT] [ca=FILE]
"""

import base64
import json
import os
import socket
import ssl
import sys
import time

port = int(sys.argv[1])
given = dict(word.split("=", 1) for word in sys.argv[2:])
host = given.get("host", "localhost")
line = socket.create_connection(("127.0.0.1", port))
if "ca" in given:
    line = ssl.create_default_context(cafile=given["ca"]).wrap_socket(line, server_hostname=host)
origin = f"Origin: {given['origin']}\r\n" if "origin" in given else ""
key = base64.b64encode(os.urandom(16)).decode()
line.sendall(
    f"GET /jsonrpc HTTP/1.1\r\nHost: {host}:{port}\r\n{origin}Upgrade: websocket\r\nConnection: Upgrade\r\n"
    f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n".encode())
stream = line.makefile("rb")
head = stream.readline().decode().strip()
while stream.readline() != b"\r\n":
    pass
print(head, flush=True)
if " 101 " not in head:
    sys.exit()


def send(kind, text):
    """Sends one masked frame (RFC 6455, 5.2)."""
    mask = os.urandom(4)
    size = bytes([0x80 | len(text)]) if len(text) < 126 else bytes([0x80 | 126]) + len(text).to_bytes(2, "big")
    line.sendall(bytes([0x80 | kind]) + size + mask + bytes(byte ^ mask[at % 4] for at, byte in enumerate(text)))


token = [f"token:{given['secret']}"] if "secret" in given else []
number = 0
while True:
    number += 1
    send(1, json.dumps({"jsonrpc": "2.0", "id": number, "method": "aria2.getVersion", "params": token}).encode())
    # Notifications may arrive in between.
    answer = None
    while answer != number:
        kind, size = stream.read(2)
        if size == 126:
            size = int.from_bytes(stream.read(2), "big")
        text = stream.read(size)
        if kind == 0x89:
            send(10, text)
        elif kind == 0x81:
            print(text.decode(), flush=True)
            answer = json.loads(text).get("id")
        else:
            sys.exit(f"a frame that nobody expects: {kind:x}")
    time.sleep(0.1)
