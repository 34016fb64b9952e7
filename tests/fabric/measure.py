#!/usr/bin/python3 -IB
"""What the soft switches do to RDMA flows, measured; by hand: it takes minutes and an idle machine.

usage: measure.py PROGRAMS [permutation|incast|spine|faults|collectives|spread]...   (default: all)

Prints tables in Markdown, those of lib/simulators/softfabric/README.md, and `spread`, of benchmarks/README.md. Flows are
ib_write_bw's, on soft devices, or those of railgauge's own programs.
"""

import collections
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
FABRIC = f"{ROOT}/launchers/fabric"
RATE = "100Mbit"


def in_fabric(programs, scenario, options, change=lambda description: None):
    """What inside() says in a fabric whose description was changed."""
    made = subprocess.run([FABRIC, "--programs", programs, "--print", "json", *options],
                          stdout=subprocess.PIPE, check=True).stdout
    description = json.loads(made)
    change(description)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file, tempfile.TemporaryDirectory() as out:
        json.dump(description, file)
        file.flush()
        subprocess.run([FABRIC, "--programs", programs, "--topology", file.name, "--results", out,
                        "--", "/usr/bin/python3", "-IB", os.path.abspath(__file__), "--inside", *scenario], check=True)
        with open(f"{out}/said.json", encoding="utf-8") as said:
            return json.load(said)


def lossless(description):
    return next(one for one in description["switching"]["priorities"] if one["priority"] == 3)


def without_ecn(description):
    for name in ("ecn_kmin_bytes", "ecn_kmax_bytes"):
        del lossless(description)[name]


def lossy(description):
    lossless(description)["lossless"] = False


# Inside a fabric. Flows last for as long as rates are taken, and START_SECONDS.

START_SECONDS = 4


def permutation(seconds=6):
    """Host i to host i + 4 on rail 0, through four spines, each of a host's rate."""
    flows = [Flow(host, host + 4, seconds=seconds + START_SECONDS) for host in range(4)]
    goodput, (spines, arrived) = run(flows, lambda: ([spine_of(flow) for flow in flows],
                                                     rates_over(flows, seconds)))
    return {"spines": spines, "goodput": goodput, "arrived": arrived}


def incast(seconds=6):
    """Seven hosts to host 9, and a victim, host 4 to host 8, which shares a spine with four of them."""
    flows = [Flow(host, 9, seconds=seconds + START_SECONDS) for host in (0, 1, 2, 3, 5, 6, 7)]
    victim = Flow(4, 8, seconds=seconds + START_SECONDS)
    goodput, _ = run([*flows, victim], lambda: rates_over([victim], seconds))
    return {"goodput": goodput[:-1], "victim": goodput[-1],
            "heard": sum(flow.counted("rx_prio3_pause") for flow in [*flows, victim])}


def spine(seconds=4):
    """The permutation, all ways in use; a spine dies and returns."""
    flows = [Flow(host, host + 4, seconds=3 * seconds + 2 + START_SECONDS) for host in range(4)]

    def during():
        before = rates_over(flows, seconds)
        fault("spine0", "link=down")
        time.sleep(1)
        without = rates_over(flows, seconds)
        fault("spine0", "link=up")
        time.sleep(1)
        return before, without, rates_over(flows, seconds)
    _, (before, without, after) = run(flows, during)
    return {"before": sum(before), "without": sum(without), "after": sum(after)}


FAULTS = ("loss=1%", "duplicate=1%", "corrupt=1%", "corrupt_payload=0%", "delay=2ms", "delay=2ms jitter=2ms",
          "rate=50Mbit", "dscp=0", "ecn=off", "pfc=off", "priority_map=26:0", "flap=200ms/50ms",
          "loss=1% priority=0")


def faults():
    """One flow through one spine, with each fault on the way, and what was dropped there."""
    said = []
    for kind in ("clear", *FAULTS):
        ask("clear")
        fault("leaf0-0:spine0", "a-to-b", *kind.split())
        first = totals(ask("counters"))
        flow = Flow(0, 1, seconds=4)
        goodput, _ = run([flow], lambda: None)
        last = totals(ask("counters"))
        said.append({"kind": "none" if kind == "clear" else kind, "goodput": goodput[0],
                     "drops": last["drops"] - first["drops"],
                     "retransmitted": flow.counted("retransmitted"), "icrc": flow.counted("icrc_err")})
    return {"faults": said}


def collectives(size):
    """Bus bandwidth of every collective, out of place, in Mbit/s of payload, of one rank on two rails."""
    said = {}
    for name in ("all_reduce", "all_gather", "alltoall"):
        file = f"{os.environ['RAILGAUGE_RESULTS']}/{name}.json"
        subprocess.run([f"{ROOT}/launchers/mpirun", "-np", "8", f"{name}_perf", "-b", size, "-e", size, "-n", "4",
                        "--device", "soft:2", "--traffic-class", "104", "--window", "4", "-J", file],
                       check=True, stdout=subprocess.DEVNULL)
        with open(file, encoding="utf-8") as document:
            said[name] = json.load(document)["rows"][0]["out_of_place"]["busbw_gigabytes_per_second"] * 8000
    return said


def spread():
    """Every host to the next, which is in the other pod, with and without --spread-paths, in Mbit/s of payload."""
    order = (0, 4, 1, 5, 2, 6, 3, 7)
    results = os.environ["RAILGAUGE_RESULTS"]
    with open(f"{results}/hosts", "w", encoding="utf-8") as file:
        file.writelines(f"host{host} slots=1\n" for host in order)
    said = {}
    for queue_pairs in ("1", "4"):
        for option in ([], ["--spread-paths"]):
            file = f"{results}/{queue_pairs}{''.join(option)}.json"
            subprocess.run([f"{ROOT}/launchers/mpirun", "-np", "8", "--hostfile", f"{results}/hosts", "sendrecv_perf",
                            "-b", "1M", "-e", "1M", "-n", "4", "--chunk", "16K", "--window", "4", "--device", "soft:1",
                            "--traffic-class", "104", "--qps", queue_pairs, *option, "-J", file],
                           check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            with open(file, encoding="utf-8") as document:
                busbw = json.load(document)["rows"][0]["out_of_place"]["busbw_gigabytes_per_second"]
            said[queue_pairs + "".join(option)] = busbw * 8000
    ring = list(zip(order, [*order[1:], order[0]]))
    return {"slowest": said, "by_hash": slowest_by_hash(ring, lambda: [4791]),
            "by_linux": [slowest_by_hash(ring, linux_ports) for _ in range(100)]}


def linux_ports():
    """Of four queue pairs: what Linux's rule makes of their numbers is as good as random."""
    return [random.randrange(0xc000, 0x10000) for _ in range(4)]


def slowest_by_hash(pairs, ports):
    """In parts of a host's rate, if queue pairs get equal shares of their links, and chunks go over them in turn."""
    spines = {pair: [spine_between(*pair, port) for port in ports()] for pair in pairs}
    count = collections.Counter((source // 4, spine) for (source, _), all_of in spines.items() for spine in all_of)
    return min(len(all_of) * min(1 / count[source // 4, spine] for spine in all_of)
               for (source, _), all_of in spines.items())


def spine_between(source, target, port):
    said = ask("path", f"10.10.0.{source + 1}:{port}-10.10.0.{target + 1}:4791")
    return next(name for name in said["path"] if name.startswith("spine"))


def inside(scenario):
    result = globals()[scenario[0]](*(int(word) if word.isdigit() else word for word in scenario[1:]))
    counters = ask("counters")
    of_hosts = totals(counters, lambda one: one["link"].startswith("host") and
                      one["direction"] == "a-to-b")
    result.update(totals=totals(counters), to_hosts=of_hosts, lateness=counters["lateness"],
                  conserved=counters["conserved"])
    with open(f"{os.environ['RAILGAUGE_RESULTS']}/said.json", "w", encoding="utf-8") as file:
        json.dump(result, file)
    return 0


# Outside.

def row(*cells):
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def head(*cells):
    row(*cells)
    print("|" + "---|" * len(cells), flush=True)


def table_of_permutations(programs):
    line = float(RATE.removesuffix("Mbit")) * EFFICIENCY
    head("balance", "spines of the four flows", "slowest by hash", "slowest", "all", "late packets")
    for balance, gap in (("ecmp", 0), ("ecmp+qp", 0), ("wcmp", 0), ("flowlet", 500), ("flowlet", 100), ("spray", 0),
                         ("adaptive", 0)):
        def change(description, gap=gap):
            description["switching"]["flowlet_gap_us"] = gap
        said = in_fabric(programs, ["permutation"], ["--hosts", "8", "--rails", "1", "--spines", "4",
                                                     "--rate", RATE, "--balance", balance], change if gap else lambda _: None)
        shares = [rate / line for rate in said["goodput"]]
        spines = said["spines"]
        expected = 1 / max(map(spines.count, spines)) if balance == "ecmp" else None
        row(f"{balance}, gap of {gap} µs" if gap else balance, " ".join(spine.removeprefix("spine") for spine in spines) if expected else "",
            f"{expected:.2f}" if expected else "", f"{min(shares):.2f}", f"{sum(shares) / 4:.2f}",
            said["lateness"]["late_packets"])


def table_of_incasts(programs):
    head("ECN", "PFC", "CE marks", "pause frames", "to hosts", "heard by devices", "drops", "goodput of seven", "the victim's")
    for ecn, pfc in ((True, True), (True, False), (False, True), (False, False)):
        def change(description, ecn=ecn, pfc=pfc):
            if not ecn:
                without_ecn(description)
            if not pfc:
                lossy(description)
        said = in_fabric(programs, ["incast"], ["--hosts", "10", "--rails", "1", "--spines", "1",
                                                "--rate", RATE], change)
        sums, line = said["totals"], float(RATE.removesuffix("Mbit")) * EFFICIENCY
        row("on" if ecn else "off", "on" if pfc else "off", sums["ce_marks"], sums["pauses_sent"],
            said["to_hosts"]["pauses_sent"], said["heard"], sums["drops"], f"{sum(said['goodput']) / line:.2f}", f"{said['victim'] / line:.2f}")


def table_of_spines(programs):
    line = 4 * float(RATE.removesuffix("Mbit"))
    head("four spines, one killed", "before", "without it", "after", "late packets")
    for balance in ("spray", "adaptive"):
        said = in_fabric(programs, ["spine"], ["--hosts", "8", "--rails", "1", "--spines", "4",
                                               "--rate", RATE, "--balance", balance])
        row(balance, *(f"{said[name] / line:.2f}" for name in ("before", "without", "after")),
            said["lateness"]["late_packets"])


def table_of_faults(programs):
    line = float(RATE.removesuffix("Mbit")) * EFFICIENCY
    head("fault at leaf0-0:spine0 a-to-b", "goodput", "dropped by switches", "seen by devices")
    said = in_fabric(programs, ["faults"], ["--hosts", "2", "--rails", "1", "--spines", "1",
                                            "--rate", RATE])
    for one in said["faults"]:
        row(f"`{one['kind']}`", f"{one['goodput'] / line:.2f}", one["drops"],
            f"{one['icrc']} bad ICRCs" if one["icrc"] else "")


def table_of_collectives(programs):
    """Ranks, devices and switches share the processors, so these links are slow."""
    head("links", "size", "all-reduce", "all-gather", "all-to-all", "late packets")
    for rate, size in ((25, "4M"), (25, "8M"), (50, "8M")):
        said = in_fabric(programs, ["collectives", size], ["--hosts", "8", "--rails", "2", "--spines", "4", "--rate",
                                                           f"{rate}Mbit", "--balance", "adaptive"])
        line = 2 * rate * EFFICIENCY
        row(f"{rate} Mbit/s", f"{size}iB", *(f"{said[name] / line:.2f}" for name in ("all_reduce", "all_gather", "alltoall")),
            said["lateness"]["late_packets"])


def table_of_spreads(programs):
    """The slowest host decides how long a step of sendrecv takes."""
    head("ECMP seed", "one queue pair", "one, `--spread-paths`", "four queue pairs", "four, `--spread-paths`",
         "one, by the hash", "four with random ports, by the hash", "late packets")
    line = 50 * EFFICIENCY
    for seed in (1, 2, 3):
        said = in_fabric(programs, ["spread"], ["--hosts", "8", "--rails", "1", "--spines", "4", "--rate", "50Mbit",
                                                "--balance", "ecmp", "--seed", str(seed)])
        slowest = said["slowest"]
        row(seed, *(f"{slowest[name] / line:.2f}" for name in ("1", "1--spread-paths", "4", "4--spread-paths")),
            f"{said['by_hash']:.2f}", f"{statistics.median(said['by_linux']):.2f}", said["lateness"]["late_packets"])


TABLES = {"permutation": table_of_permutations, "incast": table_of_incasts, "spine": table_of_spines,
          "faults": table_of_faults, "collectives": table_of_collectives,
          "spread": table_of_spreads}


def main(arguments):
    if not arguments or arguments[0].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    for name in arguments[1:] or TABLES:
        TABLES[name](os.path.abspath(arguments[0]))
        print(flush=True)
    return 0


EFFICIENCY = 4096 / (4096 + 14 + 20 + 8 + 12 + 4)   # as in flows.py, which needs a fabric
if sys.argv[1:2] == ["--inside"]:
    sys.path.insert(0, HERE)
    from flows import Flow, ask, fault, rates_over, run, spine_of, totals
    sys.exit(inside(sys.argv[2:]))
if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
