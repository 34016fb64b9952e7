"""How much traffic this machine carries now, and which rate of ports follows from it.

A packet of the fabric costs its sender, the switches and its receiver processor time. A stand-in
costs less and needs no network: two processes on each processor send each other datagrams of the
packet's size and check them. One packet costs as much as PACKET_COST datagrams, of which
SWITCH_COST in softswitch, which is one process. lib/simulators/softfabric/README.md has the
measurements of all three.
"""

import collections
import contextlib
import os
import socket
import time
import zlib

import ways_in
from errors import LabError

DEFAULT_MBIT = 200              # of fabric_description
RATES_MBIT = (200, 100, 50, 20, 10)
PACKET_COST = {"soft": 13, "kernel": 6}   # by kind of switch
SWITCH_COST = 4
MARGIN = 0.75                   # the measured rates have a spread, and COMMAND computes, too
SECONDS = 0.25                  # several turns of the scheduler, and periods of a container's quota
TRIES = 3
SECONDS_TO_START = 0.004        # for each processor
MOST_PROCESSORS = 16            # more than softswitch, one process, can keep busy
PAYLOADS = (4096, 2048, 1024, 512, 256)
ETHERNET, ROCE = 14, 44         # bytes of headers; RoCE: IP 20, UDP 8, BTH 12, ICRC 4

# What all host ports send at full load: their number, their rates' sum, and bytes of a frame.
Load = collections.namedtuple("Load", "ports mbit frame")


def load_of(fabric):
    ends = fabric.host_ends()
    return Load(len(ends), sum(end.rate_mbit for end in ends), frame(min(end.mtu for end in ends)))


def frame(mtu):
    """Bytes of the largest RoCE packet on a link of this IP MTU."""
    return ETHERNET + ROCE + next((size for size in PAYLOADS if size + ROCE <= mtu), PAYLOADS[-1])


def carried_mbit(datagrams, size, switch):
    """By a machine whose processors had these numbers of datagrams of this size a second."""
    packets = sum(datagrams) / PACKET_COST[switch]
    if switch == "soft":
        packets = min(packets, max(datagrams) / SWITCH_COST)
    return MARGIN * packets * size * 8e-6


def largest_rate(load, carried):
    """At which all ports, whose load is at the default, can send at the same time; or None."""
    return next((rate for rate in RATES_MBIT if load.mbit * rate / DEFAULT_MBIT <= carried), None)


def choose(load, carried):
    """A rate in Mbit/s, and what to say about it."""
    rate = largest_rate(load, carried)
    if rate is None:
        least = load.mbit * RATES_MBIT[-1] / DEFAULT_MBIT
        raise LabError(f"{load.ports} ports of {RATES_MBIT[-1]} Mbit/s need {least:.0f} Mbit/s, "
                       f"and this machine carries about {about(carried)} now: end other programs, "
                       "lower --hosts or --rails, or choose --rate")
    if rate == DEFAULT_MBIT:
        return rate, ""
    return rate, (f"ports of {rate} Mbit/s: this machine carries about {about(carried)} Mbit/s "
                  f"in all ({load.ports} ports); --rate chooses another")


def warning(load, carried):
    """About rates that the user chose, if they are too high."""
    if load.mbit <= carried:
        return ""
    return (f"warning: {load.ports} host ports need {load.mbit:.0f} Mbit/s in all at full load, "
            f"and this machine carries about {about(carried)}: lower their rates, or load few")


def about(mbit):
    """Two digits: a measurement has no more."""
    return f"{float(f'{mbit:.2g}'):.0f}"


def carried_now(load, switch):
    """Measured again where it is too little: another program's short burst is no reason to refuse."""
    best = 0
    for _ in range(TRIES):
        best = max(best, carried_mbit(measure(load.frame), load.frame, switch))
        if largest_rate(load, best):
            break
    return best


def measure(size):
    """Datagrams that each processor carries in a second, all at the same time."""
    cpus = sorted(os.sched_getaffinity(0))[:MOST_PROCESSORS]
    start = time.monotonic() + SECONDS_TO_START * len(cpus)
    readers = [start_counting(cpu, size, start) for cpu in cpus]
    return [take_count(process, reader) / SECONDS for process, reader in readers]


def start_counting(cpu, size, start):
    """A process, and what will read its count."""
    reader, writer = os.pipe()
    process = in_child(lambda: os.write(writer, str(count(cpu, size, start)).encode()))
    os.close(writer)
    return process, reader


def take_count(process, reader):
    with open(reader, "rb") as file:
        said = file.read()
    os.waitpid(process, 0)
    return int(said or b"0")


def in_child(call):
    """Which never returns from here, whatever happens in it."""
    process = os.fork()
    if process:
        return process
    try:
        ways_in.die_with_parent()
        call()
    finally:
        os._exit(0)


def count(cpu, size, start):
    """Datagrams between this process and another on the same processor."""
    with contextlib.suppress(OSError):   # elsewhere it counts, too
        os.sched_setaffinity(0, {cpu})
    own, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    process = in_child(lambda: (own.close(), answer_all(far, bytearray(size))))
    far.close()
    time.sleep(max(0, start - time.monotonic()))
    counted = send_until(start + SECONDS, own, bytearray(size))
    own.close()
    os.waitpid(process, 0)
    return counted


def send_until(end, connection, datagram):
    """Datagrams there and back."""
    counted = 0
    while time.monotonic() < end:
        connection.send(datagram)
        connection.recv_into(datagram)
        zlib.crc32(datagram)   # as a receiver does
        counted += 2
    return counted


def answer_all(connection, datagram):
    while connection.recv_into(datagram):
        zlib.crc32(datagram)
        connection.send(datagram)
