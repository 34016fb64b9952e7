"""Switches that Linux plays: a network namespace each, with routes to every host's port.

ECMP by the 5-tuple, WCMP by weights, rates by tbf; no queues per priority, no ECN, no PFC.
"""

import functools
import ipaddress
import math

import batches
import hosts
import namespaces
from errors import UsageError
from fabric_faults import rate_mbit

BURST, LIMIT = "128k", "1m"   # bytes; the burst holds a train of segments
BALANCES = ("ecmp", "wcmp")
LARGEST_WEIGHT = 100


def check(fabric):
    unknown = sorted(fabric.balances() - set(BALANCES))
    if unknown:
        raise UsageError(f"kernel switches know {' and '.join(BALANCES)}, "
                         f"not {', '.join(unknown)}: use --switch soft")


def prepare():
    batches.plain_network()
    batches.setting("ipv4/ip_forward", 1)
    batches.setting("ipv4/fib_multipath_hash_policy", 3)
    batches.setting("ipv4/fib_multipath_hash_fields", 55)   # addresses, protocol, ports
    batches.setting("ipv4/icmp_ratelimit", 0)               # every TTL probe is answered


def make(fabric, folder):
    for name in fabric.switches:
        namespaces.make_network(f"{folder}/{name}", prepare)


def link_lines(fabric, folder):
    """All cables, plugged in at both ends."""
    lines = []
    for a, b in zip(fabric.ends[::2], fabric.ends[1::2]):
        lines.append(f"link add {a.netdev} netns {folder}/{a.node} mtu {a.mtu} address {a.mac} "
                     f"type veth peer name {b.netdev} netns {folder}/{b.node} mtu {b.mtu} "
                     f"address {b.mac}")
    return lines


class Routes:
    """Shortest paths through switches, without links that are down."""

    def __init__(self, fabric, down=()):
        self.fabric, self.down = fabric, set(down)
        self.weighted = {name for name in fabric.switches if fabric.balance_of(name) == "wcmp"}

    def live_ends(self, node):
        return [end for end in self.fabric.ends_of(node) if end.number not in self.down]

    @functools.lru_cache(maxsize=None)
    def hops_from(self, leaf):
        """Of every switch, the number of links to this one."""
        hops, waiting = {leaf: 0}, [leaf]
        for node in waiting:
            for end in self.live_ends(node):
                if end.far_node in self.fabric.switches and end.far_node not in hops:
                    hops[end.far_node] = hops[node] + 1
                    waiting.append(end.far_node)
        return hops

    def next_hops(self, switch, port):
        """The ends of a switch that lead to a host's port."""
        if port.number in self.down:
            return []
        if port.far_node == switch:
            return [end for end in self.live_ends(switch) if end.number == port.number]
        hops = self.hops_from(port.far_node)
        own = hops.get(switch, math.inf)
        return [end for end in self.live_ends(switch) if hops.get(end.far_node, math.inf) < own]

    def lines(self, switch):
        made = []
        for port in self.fabric.host_ends():
            address = ipaddress.ip_interface(port.address).ip
            ends = self.next_hops(switch, port)
            if ends:
                made.append(f"route replace {address} {self.in_words(switch, ends)}")
            else:
                made.append(f"route replace unreachable {address}")
        return made

    def in_words(self, switch, ends):
        if len(ends) == 1:
            return f"via {hosts.FAR_END} dev {ends[0].netdev} onlink"
        most = max(end.rate_mbit for end in ends)
        weights = [max(1, round(end.rate_mbit / most * LARGEST_WEIGHT))
                   if switch in self.weighted else 1 for end in ends]
        return " ".join(f"nexthop via {hosts.FAR_END} dev {end.netdev} weight {weight} onlink"
                        for end, weight in zip(ends, weights))


def set_up(fabric, folder):
    routes = Routes(fabric)
    for name, switch in fabric.switches.items():
        own = fabric.ends_of(name)
        lines = ["link set lo up", f"addr add {switch['address']}/32 dev lo"]
        for end in own:
            lines += [f"link set {end.netdev} up", neighbour(end)]
        with namespaces.inside(f"{folder}/{name}"):
            batches.batch("ip", lines + routes.lines(name))
            batches.batch("tc", [shaped(end) for end in own])


def neighbour(end):
    """A line of ip's, which the end of an interface undoes."""
    return f"neigh replace {hosts.FAR_END} lladdr {end.far_mac} dev {end.netdev} nud permanent"


def shaped(end, mbit=None):
    return batches.shaped(end.netdev, end.rate_mbit if mbit is None else mbit, BURST, LIMIT)


def up_or_down(value):
    if value not in ("up", "down"):
        raise UsageError(f"link={value}: use link=down or link=up")
    return value


def mtu_bytes(value):
    if not value.isdecimal() or not 576 <= int(value) <= 65535:
        raise UsageError(f"mtu={value}: takes 576 to 65535")
    return value


KINDS = {"link": up_or_down, "rate": rate_mbit, "mtu": mtu_bytes, "clear": str}


def changes(fault):
    """[("rate", 50.0), ...]"""
    if fault.link is None:
        raise UsageError("kernel switches have faults of links only: use --switch soft")
    found = []
    for kind in fault.kinds:
        name, _, value = kind.partition("=")
        if name not in KINDS:
            raise UsageError(f"kernel switches do not know '{kind}', only link=, rate=, mtu= "
                             "and clear: use --switch soft")
        found.append((name, KINDS[name](value)))
    return found


class Faults:
    """What the kernel can do to a link while the fabric runs. Both directions, but for rate."""

    def __init__(self, fabric, folder):
        self.fabric, self.folder = fabric, folder
        self.down = set()

    def apply(self, fault):
        carry_out = {"link": self.link, "rate": self.rate, "mtu": self.mtu, "clear": self.clear}
        for name, value in changes(fault):
            carry_out[name](fault, value)
        return f"{fault.place}: {' '.join(fault.kinds)}"

    def ends(self, fault):
        return self.fabric.ends[2 * fault.link:2 * fault.link + 2]

    def at(self, end, tool, line):
        with namespaces.inside(f"{self.folder}/{end.node}"):
            batches.batch(tool, [line])

    def link(self, fault, value):
        """Down at the end of a switch, so the other end loses its carrier."""
        end = next(end for end in self.ends(fault) if end.node in self.fabric.switches)
        self.at(end, "ip", f"link set {end.netdev} {value}")
        if value == "down":
            self.down.add(fault.link)
        else:
            self.down.discard(fault.link)
            self.at(end, "ip", neighbour(end))
        self.reroute()

    def reroute(self):
        routes = Routes(self.fabric, self.down)
        for name in self.fabric.switches:
            with namespaces.inside(f"{self.folder}/{name}"):
                batches.batch("ip", routes.lines(name))

    def rate(self, fault, mbit):
        for end in self.ends(fault):
            if fault.direction in ("both", f"{end.side}-to-{'b' if end.side == 'a' else 'a'}"):
                self.at(end, "tc", shaped(end, mbit))

    def mtu(self, fault, value):
        for end in self.ends(fault):
            self.at(end, "ip", f"link set {end.netdev} mtu {value}")

    def clear(self, fault, _value):
        for end in self.ends(fault):
            self.at(end, "tc", shaped(end))
            self.at(end, "ip", f"link set {end.netdev} mtu {end.mtu}")
        if fault.link in self.down:
            self.link(fault, "up")
