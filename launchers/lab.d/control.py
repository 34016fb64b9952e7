"""Faults from outside: the running laboratory listens, `lab fault` asks it."""

import glob
import json
import os
import socket
import socketserver
import tempfile
import threading

import protocol
from errors import LAB_FAILED, LabError, UsageError

FOLDER_PREFIX = "railgauge-lab."


class Handler(socketserver.StreamRequestHandler):
    def handle(self):
        line = self.rfile.readline()
        if not line:
            return   # somebody only asked whether this laboratory is alive
        try:
            request = json.loads(line)
            answer = {"code": 0, "sentence": self.server.serve_request(request)}
        except LabError as error:
            answer = {"code": error.code, "sentence": str(error)}
        except (OSError, ValueError) as error:
            answer = {"code": LAB_FAILED, "sentence": str(error)}
        self.wfile.write(json.dumps(answer).encode() + b"\n")


class Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    block_on_close = False

    def __init__(self, path, serve_request):
        super().__init__(path, Handler)
        self.serve_request = serve_request
        threading.Thread(target=self.serve_forever, daemon=True).start()


def ask(connection, request):
    with connection:
        protocol.send_line(connection, request)
        answer = protocol.receive_line(connection)
    if answer["code"]:
        raise LabError(answer["sentence"], answer["code"])
    return answer["sentence"]


def connect_unix(path):
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        raise
    return connection


def connect_address(address):
    """What RAILGAUGE_LAB holds: a socket's path, or HOST:PORT inside a guest."""
    if address.startswith("/"):
        return connect_unix(address)
    return socket.create_connection(address.split(":"))


def running():
    """Process id and socket of every laboratory of this user."""
    found = {}
    for path in glob.glob(os.path.join(tempfile.gettempdir(), FOLDER_PREFIX + "*", "lab.sock")):
        try:
            connect_unix(path).close()
        except OSError:
            continue   # another user's, or one that has just ended
        found[os.path.basename(os.path.dirname(path)).split(".")[1]] = path
    return found


def the_only_one(found):
    if not found:
        raise LabError("no laboratory is running for this user")
    if len(found) > 1:
        raise UsageError(f"several laboratories are running: choose one with --lab: "
                         f"{', '.join(sorted(found))}")
    return next(iter(found.values()))


def connect(chosen):
    """To the laboratory that was chosen, or the one this process runs in, or the only one."""
    if chosen is None and "RAILGAUGE_LAB" in os.environ:
        return connect_address(os.environ["RAILGAUGE_LAB"])
    found = running()
    if chosen is not None and chosen not in found:
        raise UsageError(f"no laboratory {chosen} is running for this user")
    return connect_unix(found[chosen] if chosen else the_only_one(found))


def fault(chosen, words):
    try:
        return ask(connect(chosen), {"fault": words})
    except (OSError, ValueError) as error:
        raise LabError(f"the laboratory does not answer: {error}") from error
