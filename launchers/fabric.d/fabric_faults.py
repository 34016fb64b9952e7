"""Faults: what they are called here, and what softswitch or the kernel is asked for."""

import re

from errors import UsageError

DIRECTIONS = ("a-to-b", "b-to-a", "both")


class Fault:
    """place: the name of a link, or of a switch if `link` is None."""

    def __init__(self, place, link, direction, kinds):
        self.place, self.link, self.direction, self.kinds = place, link, direction, kinds

    def lines(self):
        """For softswitch's control socket, which has requests of their own for a switch."""
        of_switch, others = [], []
        for kind in self.kinds:
            name, _, value = kind.partition("=")
            if self.link is None and name in ("reboot", "seed"):
                of_switch.append(f"{name} {self.place} {value}".rstrip())
            else:
                others.append(kind)
        if others:
            of_switch.append(" ".join(["fault", self.place, self.direction, *others]))
        return of_switch


def parse(words, fabric):
    """['host3', 'rail1', 'loss=1%'], ['leaf1-0:spine2', 'a-to-b', 'loss=1%'], ['spine2', ...]."""
    if len(words) < 2:
        raise UsageError("a fault is PLACE KIND..., such as: leaf1-0:spine2 loss=1%")
    words = list(words)
    place, direction, link = words.pop(0), None, None
    if place in fabric.hosts:   # the laboratory's words
        place = f"{place}.{words.pop(0)}"
    if place not in fabric.switches:
        link = one_link(fabric, place)
        if ":" not in place:
            direction = direction_from(fabric, link, place)
        place = fabric.link_name(link)
    if words and words[0] in DIRECTIONS:
        direction = words.pop(0)
    if not words:
        raise UsageError(f"the fault of {place} is missing, such as: {place} loss=1%")
    if words == ["clear"] or any(word.startswith("link=") for word in words):
        direction = "both"
    return Fault(place, link, direction or "both", words)


def one_link(fabric, name):
    found = fabric.find_links(name)
    if not found:
        raise UsageError(f"there is no host, switch or link '{name}': see --print table")
    if len(found) > 1:
        names = ", ".join(fabric.link_name(number) for number in found)
        raise UsageError(f"'{name}' is ambiguous: {names}")
    return found[0]


def direction_from(fabric, link, port):
    """What the node in front of the point sends."""
    return "a-to-b" if fabric.ends[2 * link].name == port else "b-to-a"


def rate_mbit(text):
    match = re.fullmatch(r"(\d+(?:\.\d+)?)([MGk])bit", text)
    if not match or float(match[1]) == 0:
        raise UsageError(f"'{text}' is not a rate such as 50Mbit")
    return float(match[1]) * {"k": 0.001, "M": 1, "G": 1000}[match[2]]
