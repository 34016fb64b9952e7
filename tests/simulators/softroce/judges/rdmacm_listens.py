#!/usr/bin/python3
"""Whether somebody listens with RDMA_PS_TCP: the UDP socket that has a number answers where its
listener is, and with 0 before there is one. usage: rdmacm_listens.py PORT [ADDRESS]
"""
import socket
import sys


def main():
    address = sys.argv[2] if len(sys.argv) > 2 else "127.0.0.1"
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    with socket.socket(family, socket.SOCK_DGRAM) as asker:
        asker.settimeout(1)
        try:
            asker.connect((address, int(sys.argv[1])))
            asker.send(b"softask1" + bytes(8))
            return 0 if asker.recv(100)[16:18] != bytes(2) else 1
        except OSError:
            return 1


if __name__ == "__main__":
    sys.exit(main())
