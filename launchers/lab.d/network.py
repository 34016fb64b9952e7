"""The segments of the laboratory's network and the guests' interfaces on them.

MPI's own traffic has a segment of its own, so that what is measured on the rails is RDMA alone.
"""

import os
import socket
import subprocess
import sys

CONTROL, MANAGEMENT, RAIL = range(3)   # kinds of interface: the fifth byte of their MAC
MTU = 9000                             # RoCE needs 4096 and its headers; tcp gains from more
SWITCH = os.path.join(os.path.dirname(os.path.abspath(__file__)), "switch.py")


def mac(host, kind, rail=0):
    return f"52:54:00:{host:02x}:{kind:02x}:{rail:02x}"


def management_address(host):
    return f"10.9.0.{host + 1}"


def rail_address(host, rail):
    return f"10.{10 + rail}.0.{host + 1}"


def segments(rails):
    return ["mgmt"] + [f"rail{rail}" for rail in range(rails)]


def start_switch(path, die_with_parent):
    """It listens before any guest starts: QEMU 7.2 does not try to connect twice."""
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(path)
        listener.listen(16)
        return subprocess.Popen(
            [sys.executable, "-IB", SWITCH, str(listener.fileno())], pass_fds=[listener.fileno()],
            stdin=subprocess.DEVNULL, start_new_session=True, preexec_fn=die_with_parent)


def device(segment, address, mtu=MTU):
    return ["-device", f"virtio-net-pci,netdev={segment},id=nic-{segment},mac={address},"
                       f"host_mtu={mtu},romfile="]


def plug(segment, address):
    """Connects a guest to the segment's switch; the path is relative to QEMU's folder."""
    return ["-netdev", f"stream,id={segment},server=off,addr.type=unix,addr.path={segment}",
            *device(segment, address)]


def arguments(host, rails):
    result = plug("mgmt", mac(host, MANAGEMENT))
    for rail in range(rails):
        result += plug(f"rail{rail}", mac(host, RAIL, rail))
    return result
