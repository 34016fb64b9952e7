"""The wire: what ib_write_bw moves."""

import contextlib
import re
import socket
import time

from errors import Failed
from sizes import LARGE

MTU_BITS = 8


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def listens(port):
    wanted = re.compile(rf":{port:04X} \S+ 0A ")
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with contextlib.suppress(OSError), open(table, encoding="ascii") as file:
            if any(wanted.search(line) for line in file):
                return True
    return False


class Wire:
    def __init__(self, programs, library, cpus, quick):
        self.programs, self.cpus, self.quick = programs, cpus, quick
        self.preload = {"LD_PRELOAD": library}

    def measure(self, size, both):
        """GB/s that ib_write_bw moves in one direction, while it moves as much in the other or not."""
        rows = re.findall(r"^ *\d+ +\d+ +\S+ +(\S+) +\S+ *$", self.run(size, both), re.M)
        if not rows:
            raise Failed("ib_write_bw printed no row")
        return float(rows[-1]) / MTU_BITS / (2 if both else 1)

    def run(self, size, both):
        """What the client says."""
        port = free_port()
        command = [*self.command(size), "-p", str(port), *(["-b"] if both else [])]
        server = self.programs.start([*self.on_cpu(0), *command], self.preload)
        try:
            self.wait_for(server, port)
            said = self.programs.run([*self.on_cpu(1), *command, "127.0.0.1"], "ib_write_bw",
                                     self.preload)[0]
            self.programs.finish(server, "ib_write_bw")
        finally:
            self.programs.end(server)
        return said.expandtabs()

    def command(self, size):
        size = min(max(size, LARGE), 8 << 20)
        count = max(16, min(5000, ((32 if self.quick else 128) << 20) // size))
        return ["ib_write_bw", "-d", "soft0", "-x", "0", "-F", "-s", str(size), "-n", str(count),
                "--report_gbits"]

    def on_cpu(self, side):
        return ["taskset", "-c", str(self.cpus[side])] if len(self.cpus) > 1 else []

    @staticmethod
    def wait_for(server, port):
        end = time.monotonic() + 10
        while not listens(port):
            if server.poll() is not None or time.monotonic() > end:
                raise Failed("ib_write_bw: its server does not listen")
            time.sleep(0.01)
