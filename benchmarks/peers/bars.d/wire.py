"""The wire: what ib_write_bw moves."""

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


class Wire:
    def __init__(self, programs, device, cpus, quick):
        self.programs, self.device, self.cpus, self.quick = programs, device, cpus, quick

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
        environment = self.device.wire_environment
        server = self.programs.start(
            self.device.on_server([*self.on_cpu(0), *command]), environment)
        try:
            self.wait_for(server, port)
            said = self.programs.run([*self.on_cpu(1), *command, self.device.hosts[-1]],
                                     "ib_write_bw", environment)[0]
            self.programs.finish(server, "ib_write_bw")
        finally:
            self.programs.end(server)
        return said.expandtabs()

    def command(self, size):
        size = min(max(size, LARGE), 8 << 20)
        return ["ib_write_bw", "-d", self.device.name, "-x", str(self.device.gid_index), "-F",
                "-s", str(size), "-n", str(self.device.pace.writes(size, self.quick)),
                "--report_gbits"]

    def on_cpu(self, side):
        return ["taskset", "-c", str(self.cpus[side])] if len(self.cpus) > 1 else []

    def wait_for(self, server, port):
        end = time.monotonic() + self.device.deadline / 6
        while not re.search(rf":{port:04X} \S+ 0A ", self.device.server_sockets()):
            if server.poll() is not None or time.monotonic() > end:
                raise Failed("ib_write_bw: its server did not start to listen")
            time.sleep(0.01)
