#!/usr/bin/python3 -IB
"""agent.py HOST ADDRESS PORT SHARE, in every host: one process per connection, its output streamed.

A process gets the environment of the request, except for RAILGAUGE_DEVICES: those are this host's.

When the connection drops, the whole session of that process is killed, so that nothing which
mpirun started stays behind when mpirun or the laboratory goes away.
"""

import os
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import protocol  # noqa: E402

DEVICES = "RAILGAUGE_DEVICES"
COMMAND_NOT_FOUND = 127
GRACE_SECONDS = 2.0   # orted ends its ranks on SIGTERM; after this long they are killed


def session_members(session):
    """All processes of a session: mpirun gives every rank its own process group."""
    members = []
    for entry in filter(str.isdigit, os.listdir("/proc")):
        try:
            if os.getsid(int(entry)) == session:
                members.append(int(entry))
        except ProcessLookupError:
            pass
    return members


def signal_session(session, number):
    for process in session_members(session):
        try:
            os.kill(process, number)
        except ProcessLookupError:
            pass


def end_session(process):
    signal_session(process.pid, signal.SIGTERM)
    deadline = time.monotonic() + GRACE_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(0.05)
    signal_session(process.pid, signal.SIGKILL)
    process.wait()


def spawn(request):
    environment = dict(request["env"])
    environment.pop(DEVICES, None)
    if DEVICES in os.environ:   # with --native; a virtual machine has no others
        environment[DEVICES] = os.environ[DEVICES]
    return subprocess.Popen(
        request["command"], cwd=request["cwd"], env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)


def forward(connection, process):
    """Streams until the process closed its output or the client went away (then False)."""
    with selectors.DefaultSelector() as ready:
        ready.register(process.stdout, selectors.EVENT_READ, protocol.STDOUT)
        ready.register(process.stderr, selectors.EVENT_READ, protocol.STDERR)
        ready.register(connection, selectors.EVENT_READ)
        while len(ready.get_map()) > 1:
            for key, _ in ready.select(0.2):
                if key.data is None:
                    return False   # a client never speaks twice: this is its end
                data = os.read(key.fd, 65536)
                if data:
                    protocol.send_frame(connection, key.data, data)
                else:
                    ready.unregister(key.fileobj)
            if process.poll() is not None and not ready_now(ready):
                return True        # a daemon it left behind may hold the pipes open
    return True


def ready_now(ready):
    return bool(ready.select(0))


def exit_status(process):
    status = process.wait()
    return status if status >= 0 else 128 - status


def run(connection, request):
    try:
        process = spawn(request)
    except OSError as error:
        text = f"lab: cannot run {request['command'][0]}: {error}\n"
        protocol.send_frame(connection, protocol.STDERR, text.encode())
        protocol.send_frame(connection, protocol.EXIT, b"%d" % COMMAND_NOT_FOUND)
        return
    try:
        if forward(connection, process):
            protocol.send_frame(connection, protocol.EXIT, b"%d" % exit_status(process))
    finally:
        end_session(process)


def serve(connection, token):
    with connection:
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            request = protocol.receive_line(connection)
            if request.get("token") == token:
                run(connection, request)
        except OSError:
            pass   # the client went away; run() has cleaned up


def main():
    host, address, port, share = sys.argv[1:]
    with open(f"{share}/token", encoding="ascii") as file:
        token = file.read()
    listener = socket.create_server((address, int(port)), backlog=64)
    with open(f"{share}/listening.{host}", "wb"):
        pass   # the laboratory waits for this file
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=serve, args=(connection, token), daemon=True).start()


if __name__ == "__main__":
    main()
