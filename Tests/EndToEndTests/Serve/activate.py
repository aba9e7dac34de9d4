"""Plays systemd for a service: passes it a listening socket, and prints the port, its messages, and the exit status.

Usage: activate.py NOTIFY_PATH PROGRAM ARGUMENT…
"""

import os
import socket
import sys

told = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
told.bind(sys.argv[1])
listener = socket.create_server(("127.0.0.1", 0))
print("PORT", listener.getsockname()[1], flush=True)
child = os.fork()
if child == 0:
    os.dup2(listener.fileno(), 3, inheritable=True)
    more = {"LISTEN_FDS": "1", "LISTEN_PID": str(os.getpid()), "NOTIFY_SOCKET": sys.argv[1], "WATCHDOG_USEC": "1000000"}
    os.execve(sys.argv[2], sys.argv[2:], {**os.environ, **more})
said = set()
while "STOPPING=1" not in said:
    for line in told.recv(4096).decode().splitlines():
        if line not in said:
            print(line, flush=True)
        said.add(line)
print("EXIT", os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
