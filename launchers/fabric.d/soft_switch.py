"""Hosts' cables into one network namespace, and softswitch at their other ends."""

import os
import select
import subprocess
import time

import batches
import description
from errors import LabError

READY_SECONDS = 20   # a machine that does much else


def netdev(end):
    """As switch_netdev() of lib/simulators/softfabric/netdevs.hpp."""
    return f"sw{end.number}{end.side}"


def pairs(fabric):
    """Both ends of the links that hosts have: the host's, and the switch's."""
    for a, b in zip(fabric.ends[::2], fabric.ends[1::2]):
        if a.node in fabric.hosts:
            yield a, b
        elif b.node in fabric.hosts:
            yield b, a


def link_lines(fabric, folder):
    lines = []
    for own, far in pairs(fabric):
        lines += [f"link add {netdev(far)} mtu {far.mtu} address {far.mac} type veth "
                  f"peer name {own.port} netns {folder}/{own.node} mtu {own.mtu} "
                  f"address {own.mac}",
                  f"link set {netdev(far)} up"]
    return lines


def set_up(fabric):
    for _, far in pairs(fabric):
        batches.without_offloads(netdev(far))


def start(options, workspace):
    """Waits until it forwards."""
    command = [description.program("softswitch", options["programs"]),
               "--fabric", f"{workspace}/share/fabric.json",
               "--control", f"{workspace}/switch.sock"]
    if options["metrics"]:
        command += ["--metrics", options["metrics"]]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE)
    wait_until_ready(process)
    return process


def wait_until_ready(process):
    said = b""
    end = time.monotonic() + READY_SECONDS
    while b"ready" not in said:
        left = end - time.monotonic()
        if left <= 0:
            raise LabError(f"softswitch was not ready within {READY_SECONDS} s")
        if select.select([process.stdout], [], [], left)[0]:
            chunk = os.read(process.stdout.fileno(), 4096)
            if not chunk:
                raise LabError(f"softswitch ended with status {process.wait()} before it was ready")
            said += chunk
