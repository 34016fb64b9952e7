"""How processes are started on another host, and their output sent back.

A client sends one line of JSON (a request) and then reads frames: one byte of kind, four bytes of
length, payload. ssh would do the same, but sshd is not part of a minimal Debian and takes seconds
to answer on an emulated CPU.
"""

import json
import os
import socket
import struct

from errors import BROKEN_PIPE, LabError

STDOUT, STDERR, EXIT = b"o", b"e", b"x"
HEADER = struct.Struct("!cI")


def send_frame(connection, kind, payload):
    connection.sendall(HEADER.pack(kind, len(payload)) + payload)


def send_line(connection, request):
    connection.sendall(json.dumps(request).encode() + b"\n")


def receive_exactly(connection, size):
    chunks = bytearray()
    while len(chunks) < size:
        chunk = connection.recv(size - len(chunks))
        if not chunk:
            raise ConnectionError("the host closed the connection")
        chunks += chunk
    return bytes(chunks)


def receive_line(connection):
    """Byte by byte, so that nothing behind the line is taken from the socket."""
    line = bytearray()
    while not line.endswith(b"\n"):
        line += receive_exactly(connection, 1)
    return json.loads(line)


def receive_frame(connection):
    kind, size = HEADER.unpack(receive_exactly(connection, HEADER.size))
    return kind, receive_exactly(connection, size)


def pass_on(connection, sinks):
    """Hands a process's output to the functions in sinks; returns its exit status."""
    while True:
        kind, payload = receive_frame(connection)
        if kind == EXIT:
            return int(payload)
        sinks[kind](payload)


def start(address, request):
    """Connects to an agent and asks it to run the request."""
    connection = socket.create_connection(address)
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    send_line(connection, request)
    return connection


def collect(address, request):
    """Runs a request to its end; returns its exit status and everything it printed."""
    output = bytearray()
    with start(address, request) as connection:
        status = pass_on(connection, {STDOUT: output.extend, STDERR: output.extend})
    return status, output.decode(errors="replace").strip()


def to_descriptor(descriptor):
    """A sink that writes through at once: the user watches a benchmark's table grow."""
    def sink(data):
        try:
            while data:
                data = data[os.write(descriptor, data):]
        except BrokenPipeError:
            raise LabError("stdout or stderr was closed by its reader", BROKEN_PIPE) from None
    return sink


TO_OWN_OUTPUT = {STDOUT: to_descriptor(1), STDERR: to_descriptor(2)}
