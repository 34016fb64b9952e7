"""A fabric's description (railgauge/fabric/1), complete as fabric_description prints it."""

import json
import os
import shutil
import subprocess

from errors import LabError, UsageError

HERE = os.path.dirname(os.path.realpath(__file__))
MANAGEMENT = "mgmt"   # port of every host
LONGEST_NETDEV = 15   # a switch's port may be called as the host at its other end


def programs_folder():
    """In the tree, or where it is installed."""
    tree = os.path.dirname(os.path.dirname(HERE))
    if os.path.exists(f"{tree}/CMakeLists.txt"):
        return f"{tree}/build/release/bin"
    return os.path.dirname(HERE)


def program(name, folder):
    path = os.path.join(folder or programs_folder(), name)
    if not os.access(path, os.X_OK):
        raise LabError(f"{path} is missing: run cmake -S . -B build/release && "
                       f"cmake --build build/release --target {name}")
    return path


def describe(arguments, folder):
    """What fabric_description prints for options; it names what is wrong with them itself."""
    made = subprocess.run([program("fabric_description", folder), *arguments],
                          stdout=subprocess.PIPE, check=False)
    if made.returncode != 0:
        raise Said(made.returncode)
    return made.stdout.decode()


class Said(UsageError):
    """The message is out already."""

    def __init__(self, code):
        super().__init__("")
        self.code = code


class End:
    """One end of a link, and what is at the other."""

    def __init__(self, link, number, side):
        self.link, self.number, self.side = link, number, side
        other = "b" if side == "a" else "a"
        self.node, self.port = link[side], link[f"{side}_port"]
        self.name = f"{self.node}.{self.port}"   # the node's may have dots of its own
        self.netdev = self.port if len(self.port) <= LONGEST_NETDEV else f"link{number}{side}"
        self.address = link.get(f"{side}_address", "")
        self.far_node, self.far_port = link[other], link[f"{other}_port"]
        self.mac, self.far_mac = (f"02:72:67:{number >> 8:02x}:{number & 255:02x}:0{end}"
                                  for end in (side, other))
        self.rate_mbit = link["rate_mbit_per_s"]
        self.mtu = link["mtu_bytes"]


class Description:
    def __init__(self, document):
        self.document = document
        self.hosts = [host["name"] for host in document["hosts"]]
        self.switches = {switch["name"]: switch for switch in document["switches"]}
        self.links = document["links"]
        self.ends = [End(link, number, side) for number, link in enumerate(self.links)
                     for side in "ab"]

    @classmethod
    def of_text(cls, text):
        return cls(json.loads(text))

    def ends_of(self, node):
        return [end for end in self.ends if end.node == node]

    def host_ends(self):
        return [end for end in self.ends if end.node in self.hosts]

    def balance_of(self, switch):
        return self.switches[switch].get("balance", self.document["switching"]["balance"])

    def balances(self):
        return {self.balance_of(switch) for switch in self.switches}

    def link_name(self, number):
        """As link_name() of lib/fabric/description.hpp."""
        link = self.links[number]
        pair = {link["a"], link["b"]}
        if sum({other["a"], other["b"]} == pair for other in self.links) == 1:
            return f"{link['a']}:{link['b']}"
        return f"{link['a']}.{link['a_port']}:{link['b']}.{link['b_port']}"

    def find_links(self, name):
        """Numbers of the links that a name may mean: see find_link() there."""
        def is_end(end, word):
            return word in (end.node, end.name)

        one, colon, other = name.partition(":")
        found = []
        for a, b in zip(self.ends[::2], self.ends[1::2]):
            if colon:
                hit = is_end(a, one) and is_end(b, other) or is_end(a, other) and is_end(b, one)
            else:
                hit = name in (a.name, b.name)
            if hit:
                found.append(a.number)
        return found


def check_tools():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    os.environ["PATH"] = path
    needed = {"ip": "iproute2", "tc": "iproute2", "unshare": "util-linux", "nsenter": "util-linux"}
    missing = sorted({package for tool, package in needed.items() if not shutil.which(tool)})
    if missing:
        raise LabError(f"packages are missing: {' '.join(missing)}; install them with ci/setup --lab")
