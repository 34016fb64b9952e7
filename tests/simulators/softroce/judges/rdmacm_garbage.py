#!/usr/bin/python3
"""Sends what no soft device sends to a listener on 127.0.0.1: to the UDP socket that holds its
number, and to the TCP socket that this names. Whoever does that is cut off or ignored.
usage: rdmacm_garbage.py PORT
"""
import os
import random
import socket
import struct
import sys

MESSAGE_BYTES = 296
ADDRESS = "127.0.0.1"


def asked(port, question):
    """What the listener's UDP socket answers; nothing if it says nothing for a while."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asker:
        asker.settimeout(0.2 if question[:8] != b"softask1" else 10)
        asker.connect((ADDRESS, port))
        asker.send(question)
        try:
            return asker.recv(2000)
        except TimeoutError:
            return b""


def tcp_port(port):
    nonce = os.urandom(8)
    answer = asked(port, b"softask1" + nonce)
    assert answer[:16] == b"softsay1" + nonce, answer
    return struct.unpack("!H", answer[16:18])[0]


def is_cut_off(port, data):
    with socket.create_connection((ADDRESS, port), timeout=10) as stranger:
        stranger.sendall(data)
        try:
            return stranger.recv(1) == b""
        except ConnectionResetError:
            return True


def main():
    port, seed = int(sys.argv[1]), random.Random(1)
    for size in (0, 1, 15, 17, 1400):
        assert asked(port, seed.randbytes(size)) == b"", f"{size} bytes were answered"
    listener = tcp_port(port)
    for _ in range(20):
        assert is_cut_off(listener, seed.randbytes(MESSAGE_BYTES))
    # A message of the right format but of the wrong kind, and a request from no device.
    for kind in range(10):
        head = b"softrcm1" + bytes([kind, 3])
        assert is_cut_off(listener, head + bytes(MESSAGE_BYTES - len(head))), kind
    # Half a message, and nothing at all: they may stay, and are in nobody's way.
    silent = [socket.create_connection((ADDRESS, listener)) for _ in range(50)]
    silent[0].sendall(b"softrcm1")
    silent[1].close()


if __name__ == "__main__":
    main()
