"""RDMA flows in a running fabric, and what its switches count. For COMMAND of launchers/fabric."""

import json
import os
import re
import subprocess
import sys
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.realpath(__file__))))
sys.path[:0] = [f"{ROOT}/launchers/fabric.d", f"{ROOT}/launchers/lab.d"]
import fabric_faults  # noqa: E402
import running_fabric  # noqa: E402
import switch_control  # noqa: E402

RSH, FOLDER = os.environ["RAILGAUGE_RSH"], os.environ["SOFTFABRIC"]
LIBRARY = os.environ.get("FABRIC_TEST_LIBSOFTROCE", f"{ROOT}/build/release/lib/libsoftroce.so")
LOSSLESS = 104   # traffic class of DSCP 26: priority 3
# Payload of a full packet, and the frame around it: Ethernet 14, IP 20, UDP 8, BTH 12, ICRC 4.
EFFICIENCY = 4096 / (4096 + 14 + 20 + 8 + 12 + 4)


def ask(*words):
    """What `launchers/fabric ask` does; a process for each would take longer than the rest."""
    return json.loads(switch_control.ask(f"{FOLDER}/switch.sock", " ".join(words)))


def fault(*words):
    """Likewise."""
    wanted = fabric_faults.parse(words, running_fabric.description_in(FOLDER))
    switch_control.ask_all(f"{FOLDER}/switch.sock", wanted.lines())


def on(host, command, **options):
    return subprocess.Popen([RSH, f"host{host}", command], stdin=subprocess.DEVNULL, text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, **options)


class Flow:
    """RDMA writes from one host to another by perftest."""

    next_port = 18515

    def __init__(self, source, target, rail=0, seconds=3, traffic_class=LOSSLESS, depth=4):
        self.source, self.target, self.rail = source, target, rail
        Flow.next_port += 1
        self.command = (f"SOFTROCE_COUNTERS=1 LD_PRELOAD={LIBRARY} exec ib_write_bw -d soft{rail} -x 0 -s 65536 -F "
                        f"--report_gbits -D {seconds} -f 1 -t {depth} --tclass {traffic_class} "
                        f"-p {Flow.next_port} -u 20")
        self.server = on(target, self.command)
        self.client, self.said = None, ""

    def counted(self, name):
        """By the devices of both sides, when they have ended."""
        return sum(int(number) for number in re.findall(rf"\b{name}[ =:]+(\d+)", self.said))

    def start(self):
        self.client = on(self.source, f"{self.command} 10.9.0.{self.target + 1}")

    def source_port(self):
        """Of its packets, while it runs: the socket beside that of port 4791."""
        table = on(self.source, "cat /proc/net/udp").communicate()[0]
        address = "".join(f"{int(part):02X}" for part in
                          reversed(f"10.{10 + self.rail}.0.{self.source + 1}".split(".")))
        ports = [int(port, 16) for port in re.findall(rf" {address}:([0-9A-F]{{4}}) ", table)]
        return next((port for port in ports if port != 4791), 4791)

    def tuple(self):
        return (f"10.{10 + self.rail}.0.{self.source + 1}:{self.source_port()}-"
                f"10.{10 + self.rail}.0.{self.target + 1}:4791")

    def mbit_per_s(self):
        """At its end; 0 if it failed."""
        said = self.client.communicate()[0]
        self.said = said + self.server.communicate()[0]
        match = re.search(r"^ *65536 +\d+ +[\d.]+ +([\d.]+)", said, re.MULTILINE)
        if not match:
            print(said, file=sys.stderr)
            return 0.0
        return float(match[1]) * 1000


def run(flows, during):
    """Starts all, calls during() once they send, and ends them. Returns (goodput by perftest in
    Mbit/s of each flow, what during() said)."""
    time.sleep(1)   # servers listen
    for flow in flows:
        flow.start()
    wait_until_all_send(flows)
    result = during()
    return [flow.mbit_per_s() for flow in flows], result


def wait_until_all_send(flows):
    """Until every target has had a few packets."""
    for _ in range(100):
        counters = ask("counters")
        if all(delivered(counters, flow) > 200000 for flow in flows):
            return
        time.sleep(0.1)
    raise SystemExit("not all flows came to send")


def delivered(counters, flow):
    """Bytes of lossless traffic that the target's port has got, frames and all."""
    link = f"host{flow.target}:"
    return sum(priority["sent_bytes"] for direction in counters["directions"]
               if direction["link"].startswith(link) and direction["direction"] == "b-to-a"
               and direction["to_port"] == f"rail{flow.rail}"
               for priority in direction["priorities"])


def rates_over(flows, seconds):
    """What arrived at each flow's target, in Mbit/s of frames, by the switches' own clock."""
    first = ask("counters")
    time.sleep(seconds)
    last = ask("counters")
    passed = last["time_s"] - first["time_s"]
    return [(delivered(last, flow) - delivered(first, flow)) * 8e-6 / passed for flow in flows]


def totals(counters, of=lambda direction: True):
    """Sums over directions of links, by name."""
    sums = {"ce_marks": 0, "pauses_sent": 0, "pauses_received": 0, "drops": 0, "sent_bytes": 0}
    for direction in filter(of, counters["directions"]):
        for priority in direction["priorities"]:
            sums["drops"] += sum(priority["drops"].values())
            for name in ("ce_marks", "pauses_sent", "pauses_received", "sent_bytes"):
                sums[name] += priority[name]
    return sums


def spine_of(flow):
    return next(name for name in ask("path", flow.tuple())["path"] if name.startswith("spine"))
