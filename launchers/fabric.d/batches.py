"""ip(8) and tc(8) by whole batches, and the kernel's settings of a network namespace."""

import contextlib
import ctypes
import fcntl
import socket
import struct
import subprocess

from errors import LabError

SIOCETHTOOL = 0x8946
# ETHTOOL_STXCSUM, STSO, SGSO, SGRO (linux/ethtool.h)
OFFLOADS = (0x17, 0x1f, 0x24, 0x2c)


def batch(tool, lines):
    """Runs all lines in the current network namespace, in one process."""
    if not lines:
        return
    done = subprocess.run([tool, "-batch", "-"], input="\n".join(lines) + "\n", text=True,
                          capture_output=True, check=False)
    if done.returncode != 0:
        raise LabError(f"{tool}: {because(done.stderr, lines)}")


def because(errors, lines):
    """The first message of a batch, with the line that it is about."""
    first = errors.strip().splitlines() or ["failed"]
    number = next((line.rpartition(":")[2] for line in first if line.startswith("Command failed")),
                  "")
    about = f" ({lines[int(number) - 1]})" if number.isdecimal() else ""
    reason = "; ".join(line for line in first if not line.startswith("Command failed"))
    return f"{reason}{about}"


def setting(name, value):
    """A sysctl of this network namespace; kernels that lack it are left as they are."""
    with contextlib.suppress(OSError):
        with open(f"/proc/sys/net/{name}", "w", encoding="ascii") as file:
            file.write(str(value))


def plain_network():
    """Before there are netdevs: they take over what `default` says."""
    for scope in ("all", "default"):
        setting(f"ipv4/conf/{scope}/rp_filter", 0)     # paths need not be symmetric
        setting(f"ipv6/conf/{scope}/disable_ipv6", 1)  # no packets but those that are asked for


def without_offloads(netdev):
    """Whole packets with checksums, none of 64 KiB: what reads them from the wire expects that."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        for command in OFFLOADS:
            value = ctypes.create_string_buffer(struct.pack("II", command, 0), 8)
            request = struct.pack("16sP16x", netdev.encode(), ctypes.addressof(value))
            fcntl.ioctl(any_socket, SIOCETHTOOL, request)


def shaped(netdev, mbit, burst, limit):
    """A line of tc's: what the netdev sends has a rate. Bytes count with their Ethernet header."""
    return (f"qdisc replace dev {netdev} root tbf rate {mbit * 1e6:.0f}bit burst {burst} "
            f"limit {limit}")

