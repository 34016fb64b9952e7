"""softswitch's control socket: a line in, an answer out."""

import json
import socket

from errors import LabError

PATIENCE_SECONDS = 10


def ask(path, line):
    """The answer as text; what softswitch refuses is raised."""
    with socket.socket(socket.AF_UNIX) as connection:
        connection.settimeout(PATIENCE_SECONDS)
        try:
            connection.connect(path)
            connection.sendall(line.encode() + b"\n")
            connection.shutdown(socket.SHUT_WR)
            answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
        except OSError as error:
            raise LabError(f"softswitch does not answer: {error}") from error
    return checked(answer)


def ask_all(path, lines):
    for line in lines:
        ask(path, line)


def checked(answer):
    try:
        document = json.loads(answer)
    except ValueError:
        return answer.rstrip("\n")   # Prometheus text
    if isinstance(document, dict) and "error" in document:
        # Its list of requests is for its own users.
        raise LabError(f"softswitch: {document['error'].partition('; use')[0].splitlines()[0]}")
    return answer.rstrip("\n")
