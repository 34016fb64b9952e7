"""Faults of one host's rail: what they are called and the commands that make them."""

import re

from errors import UsageError
from network import MTU, rail_address

KINDS = """\
  loss=P%        drop P percent of the packets       delay=MS[,JITTER]  delay by MS milliseconds
  corrupt=P%     flip a bit in P percent of them     reorder=P%         P percent overtake the rest
  link=down|up   pull or plug in the cable           mtu=N              set the interface's MTU
  subnet=wrong   move the address to another subnet  clear              undo all faults of the rail
  address=duplicate   take host0's address (on host0: that of host1)"""

REORDER_DELAY_MS = 1.0    # netem can only reorder what it delays
QUEUE_PACKETS = 10000     # netem's default of 1000 would turn a delay into loss
SMALLEST_MTU, LARGEST_MTU = 576, MTU


def percentage(text):
    match = re.fullmatch(r"(\d+(\.\d+)?)%", text)
    if not match or float(match[1]) > 100:
        raise ValueError("a percentage such as 0.1%")
    return text


def milliseconds(text):
    match = re.fullmatch(r"(\d+(\.\d+)?)(,(\d+(\.\d+)?))?", text)
    if not match:
        raise ValueError("milliseconds, such as 5 or 5,1")
    return [float(number) for number in (match[1], match[4]) if number]


def mtu(text):
    if not text.isdecimal() or not SMALLEST_MTU <= int(text) <= LARGEST_MTU:
        raise ValueError(f"a number from {SMALLEST_MTU} to {LARGEST_MTU}")
    return int(text)


def one_of(*words):
    def parse(text):
        if text not in words:
            raise ValueError(" or ".join(words))
        return text
    return parse


PARSERS = {"loss": percentage, "corrupt": percentage, "reorder": percentage, "delay": milliseconds,
           "mtu": mtu, "link": one_of("down", "up"), "subnet": one_of("wrong"),
           "address": one_of("duplicate")}


def parse_kind(word):
    if word == "clear":
        return "clear", None
    name, _, value = word.partition("=")
    if name not in PARSERS:
        raise UsageError(f"unknown fault '{word}': use {', '.join(PARSERS)} or clear")
    try:
        return name, PARSERS[name](value)
    except ValueError as error:
        raise UsageError(f"fault '{word}': {name} takes {error}") from None


def parse_number(word, what, count):
    match = re.fullmatch(what + r"(\d+)", word)
    if not match:
        raise UsageError(f"'{word}' is not a {what}: use {what}0, {what}1...")
    if int(match[1]) >= count:
        raise UsageError(f"there is no {word}: this laboratory has {count} {what}s, from {what}0 on")
    return int(match[1])


def parse(words, hosts, rails):
    """['host1', 'rail0', 'loss=1%', ...] to (1, 0, [('loss', '1%'), ...])."""
    if len(words) < 3:
        raise UsageError("a fault is HOST RAIL KIND..., such as: host1 rail0 loss=1%")
    host = parse_number(words[0], "host", hosts)
    rail = parse_number(words[1], "rail", rails)
    return host, rail, [parse_kind(word) for word in words[2:]]


class RailFaults:
    """The faults in force on one host's rail."""

    def __init__(self, host, rail, hosts, interface, routing):
        """routing gives the command that must follow when the address has changed."""
        self.host, self.rail, self.hosts = host, rail, hosts
        self.interface, self.routing = interface, routing
        self.active = {}

    def change(self, kinds):
        """Takes faults over; command() then brings the host to this state."""
        for name, value in kinds:
            if name == "clear":
                self.active.clear()
            else:
                self.active[name] = value

    def link_is_up(self):
        return self.active.get("link", "up") == "up"

    def command(self):
        return "\n".join(["set -e", self.queue(), self.readdress(),
                          f"ip link set {self.interface} mtu {self.active.get('mtu', MTU)}"])

    def queue(self):
        """netem works on what leaves the host; what it receives is left to its peers' faults."""
        words = [f"{name} {self.active[name]}"
                 for name in ("loss", "corrupt") if name in self.active]
        delay = self.active.get("delay", [REORDER_DELAY_MS] if "reorder" in self.active else [])
        if delay:
            words.append("delay " + " ".join(f"{value}ms" for value in delay))
        if "reorder" in self.active:
            words.append(f"reorder {self.active['reorder']}")
        if not words:
            return f"tc qdisc del dev {self.interface} root 2>/dev/null || true"
        netem = f"netem limit {QUEUE_PACKETS} {' '.join(words)}"
        return f"tc qdisc replace dev {self.interface} root {netem}"

    def wanted_address(self):
        if "address" in self.active:
            return rail_address(0 if self.host else 1 % self.hosts, self.rail)
        if "subnet" in self.active:
            return f"10.{110 + self.rail}.0.{self.host + 1}"
        return rail_address(self.host, self.rail)

    def readdress(self):
        """Only when it changes: taking an address away takes the routes and the GID with it."""
        address = self.wanted_address()
        return (f"ip -4 -o addr show dev {self.interface} | grep -qw {address}/24 || "
                f"{{ ip -4 addr flush dev {self.interface}\n"
                f"ip addr add {address}/24 dev {self.interface}\n{self.routing(address)}\n}}")

    def __str__(self):
        if not self.active:
            return "no faults"
        return " ".join(f"{name}={shown(value)}" for name, value in self.active.items())


def shown(value):
    return ",".join(f"{part:g}" for part in value) if isinstance(value, list) else str(value)
