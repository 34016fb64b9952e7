"""Each fault of softswitch, and what is expected of it, in a fabric of 6 hosts and 2 spines: three hosts on each of two
leaves. Counters have the names that fault_counters.py gives them.
"""

import dataclasses

# Soft devices send from port 4791, so all from one host to another takes one way.
THERE, BACK = "10.10.0.1:4791-10.10.0.4:4791", "10.10.0.4:4791-10.10.0.1:4791"
LINE = "leaf0-0:spine0 a-to-b"   # on the way THERE and not on the way BACK
SWITCHES = ("leaf0-0", "leaf0-1", "spine0", "spine1")

# What runs: two ranks in two pods, or six, of which five send to the first.
PAIR = "-np 2 --host host0,host3 all_reduce_perf -b 1K -e 64K -f 8 -n 10 -c 10"
SLOW_PAIR = "-np 2 --host host0,host3 all_reduce_perf -b 1K -e 64K -f 8 -n 3 -c 3"
PACKETS_OF_64K = 16   # in an iteration, from each rank; there are as many in place
LONG_PAIR = "-np 2 --host host0,host3 all_reduce_perf -b 64K -e 64K -n {n} -c {n}"
INCAST = "-np 6 gather_perf -b 1536K -e 1536K -n 1 -c 1 -w 0 --window 4"

# What a device's timer makes, which may fire because this machine is busy.
BY_TIMER = {"completer_retry_err", "retransmitted_pkts", "duplicate_request"}
LOST = {"retransmitted_pkts"}
MAY_BE_LOST = BY_TIMER | {"out_of_seq_request", "rcvd_seq_err"}
MARKS = {"CE marks", "np_ecn_marked_roce_packets", "np_cnp_sent", "rp_cnp_handled"}
PAUSES = {"pauses sent", "pauses heard"}


@dataclasses.dataclass
class Case:
    plant: list                   # of "PLACE KIND..."
    moves: set = dataclasses.field(default_factory=set)   # these counters, all of them; with wildcards
    may: set = dataclasses.field(default_factory=set)     # and none but these
    status: int = 0               # of a run that ends well, all data are right
    says: str = ""                # regular expression, of what ranks say
    run: str = PAIR
    way: str = "spine0"           # that all packets of host0 take; empty: any
    slower: bool = False          # 64 KiB take at least twice the twin's time

    def acts(self):
        return bool(self.moves or self.slower or self.status or self.way == "spine1")


def on_line(kind, *moves, **others):
    return Case([f"{LINE} {kind}"], set().union(*moves), **others)


def on_switches(kind, *moves, **others):
    return Case([f"{name} {kind}" for name in SWITCHES], set().union(*moves), run=INCAST, way="", **others)


def between(host, other, kind, *moves, says):
    """On the only link of the other host."""
    run = f"-np 2 --host host{host},host{other} all_reduce_perf -b 64K -e 64K -n 3 -c 3"
    return Case([f"host{other}:leaf0-1 {kind}"], {"retry_exceeded_err"}.union(*moves), MAY_BE_LOST, 3, says, run, "")


def both_ways(what):
    return {f"{what} a-to-b", f"{what} b-to-a"}


DROPPED = {f"fault at {LINE}"}
DOWN = {f"link_down at {LINE}"}
FROM_SPINE, TO_HOST = {"priority 0 at leaf0-1:spine0 b-to-a"}, {"priority 0 at host3:leaf0-1 b-to-a"}

HEALTHY = Case([])
# One by one, with a healthy twin before each list and after the last. What one leaves behind, the next does not expect.
PACKETS = [
    on_line("loss=5%", DROPPED, LOST, may=MAY_BE_LOST),
    on_line("loss=5% priority=0"),   # the ranks' is 3
    on_line(f"loss=5% flow={BACK}"),
    on_line(f"loss=5% priority=3 flow={THERE}", DROPPED, LOST, may=MAY_BE_LOST),
    on_line("duplicate=5%", {"duplicates made", "duplicate_request"}),
    on_line("corrupt=5%", {"icrc_err"}, LOST, may=MAY_BE_LOST),
    on_line("corrupt_payload=5%", status=4, says=r"rank \d \(host[03]\): .* wrong elements; .* but should be "),
    on_line("dscp=0", FROM_SPINE, TO_HOST),
    on_line("priority_map=26:0", FROM_SPINE),   # of that switch only: the DSCP is as it was
]
TIMES = [
    on_line("rate=5Mbit", may=MARKS | PAUSES, run=SLOW_PAIR, slower=True),
    on_line("delay=20ms", run=SLOW_PAIR, slower=True),
    on_line("jitter=60ms", may=MARKS | PAUSES, run=SLOW_PAIR, slower=True),   # in order, and so in bursts
]
LINKS = [
    on_line("flap=300ms/20ms", DOWN, LOST, may=MAY_BE_LOST),
    on_line("link=down", way="spine1"),
]

def long_reboot(iterations):
    """While ranks send. What is dropped is in the switch (reboot), or comes before it is routed around (link_down)."""
    return Case(["spine0 reboot=100ms"], {"[rl]*[tn] at leaf0-?:spine0 ?-to-?"} | LOST, MAY_BE_LOST,
                run=LONG_PAIR.format(n=iterations), way="")


def another_seed(seed):
    return Case([f"leaf0-0 seed={seed}"], way="spine1")


# It takes ranks eight seconds to give up a path, so these three run at the same time.
DEAD = [
    between(0, 3, "blackhole=on", both_ways("fault at host3:leaf0-1"),
            says=r"error: host[03] soft0 .* -> host[03] soft0 .*: unreachable"),
    between(1, 4, "mtu=1500", both_ways("fault at host4:leaf0-1"),
            says=r"error: host[14] soft0 .* -> host[14] soft0 .*: loss of large packets: smallest packet that was lost 4096 bytes"),
    between(2, 5, "link=down", {"link_down at host5:leaf0-1 a-to-b", "no_route at *"},
            says=r"error: host[25] soft0 .* -> host[25] soft0 .*: unreachable"),
]
# Together they may send more than a link to a spine takes.
DEAD_TWINS = [Case([], may=MARKS | PAUSES, run=case.run, way="") for case in DEAD]

# These act where queues are: in front of host0, whose link is so slow that even one sender at a time fills a buffer. They
# add up; what is without ECN is the healthy twin of what is without PFC, too.
BOTTLENECK = Case(["host0:leaf0-0 b-to-a rate=20Mbit"], MARKS, PAUSES, run=INCAST, way="")
OF_QUEUES = [
    BOTTLENECK,
    on_switches("ecn=off", PAUSES),
    on_switches("pfc=off", LOST, {"headroom_full at *"}, may=MAY_BE_LOST),
]
