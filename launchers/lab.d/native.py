"""--native: all hosts in this machine's kernel, with its own rdma_rxe.

rxe sends from the initial network namespace only (seen in Linux 6.1), so hosts cannot be network
namespaces. Every host and rail is a veth pair into one bridge per rail instead, and policy routing
forces packets between two addresses of this same machine out of their own interface. What tells
the hosts apart is a UTS and a PID namespace each: names for mpirun, and processes that end with
their host.
"""

import os
import shutil
import subprocess

import guest
import interrupts
import network
from errors import LabError
from faults import RailFaults
from laboratory import Laboratory
from workspace import HERE, Workspace, environment

HOSTS_RULE, LOCAL_RULE = 7310, 7320   # preferences of the routing rules, to find them again
MANAGEMENT = "rg-mgmt"
AGENT_PORT = 7010    # not a guest's: --native also runs inside a guest, for its test
USE_VMS = "omit --native: virtual machines need neither"


def management_address(host):
    return f"10.8.0.{host + 1}"


def interface(host, rail):
    return f"rg-h{host}r{rail}"


def table(host, rail):
    return HOSTS_RULE * 100 + host * 10 + rail


def routing(host, rail, address):
    """Without this, packets from one host to another would take the loopback device."""
    own, number = interface(host, rail), table(host, rail)
    subnet = address.rpartition(".")[0] + ".0/24"
    return f"""\
while ip rule del pref {HOSTS_RULE} lookup {number} 2>/dev/null; do :; done
ip rule add pref {HOSTS_RULE} iif lo from {address} lookup {number}
ip route replace {subnet} dev {own} src {address} table {number}
ip route replace local {address} dev {own} table {number}"""


def create_rail(rail):
    """arp off: the bridge itself would answer for every host's address, as all are local to it."""
    return f"""\
ip link add rg-rail{rail} mtu {network.MTU} type bridge
ip link set rg-rail{rail} arp off up"""


def create_interface(host, rail, rails):
    own, address = interface(host, rail), network.rail_address(host, rail)
    return f"""\
ip link add {own} mtu {network.MTU} type veth peer name {own}p mtu {network.MTU}
ip link set {own}p master rg-rail{rail} up
cd /proc/sys/net/ipv4/conf/{own}
echo 1 > accept_local; echo 0 > rp_filter; echo 1 > arp_ignore; echo 2 > arp_announce
ip addr add {address}/24 dev {own}
ip link set {own} up
{routing(host, rail, address)}
rdma link add rxe{host * rails + rail} type rxe netdev {own}"""


def create(hosts, rails):
    addresses = "\n".join(f"ip addr add {management_address(host)}/24 dev {MANAGEMENT}"
                          for host in range(hosts))
    return "\n".join([
        "set -e", f"ip link add {MANAGEMENT} type dummy", f"ip link set {MANAGEMENT} up", addresses,
        *(create_rail(rail) for rail in range(rails)),
        f"ip rule add pref {LOCAL_RULE} lookup local", "ip rule del pref 0",
        "echo 0 > /proc/sys/net/ipv4/conf/all/rp_filter",
        *(create_interface(host, rail, rails) for host in range(hosts) for rail in range(rails))])


def destroy(hosts, rails, rp_filter):
    """Everything back, in an order in which this machine keeps its own network at all times."""
    links = [interface(host, rail) for host in range(hosts) for rail in range(rails)]
    links += [f"rg-rail{rail}" for rail in range(rails)] + [MANAGEMENT]
    return "\n".join([
        "exec 2>/dev/null", "ip rule add pref 0 lookup local", f"ip rule del pref {LOCAL_RULE}",
        f"while ip rule del pref {HOSTS_RULE}; do :; done",
        *(f"ip link del {link}" for link in links),
        f"echo {rp_filter} > /proc/sys/net/ipv4/conf/all/rp_filter"])


def read_rp_filter():
    with open("/proc/sys/net/ipv4/conf/all/rp_filter", encoding="ascii") as file:
        return file.read().strip()


def check_machine():
    """One sentence for the first thing that is missing."""
    if os.geteuid() != 0:
        raise LabError(f"--native needs root and rdma_rxe: run as root, or {USE_VMS}")
    loaded = subprocess.run(["modprobe", "rdma_rxe"], capture_output=True, text=True, check=False)
    if loaded.returncode != 0 and not os.path.isdir("/sys/module/rdma_rxe"):
        raise LabError(f"--native: this kernel ({os.uname().release}) has no rdma_rxe module: "
                       f"install it (Ubuntu: linux-modules-extra-...), or {USE_VMS}")
    for tool in ("ip", "rdma", "tc", "unshare"):
        if not shutil.which(tool):
            raise LabError(f"--native: {tool} is missing: install iproute2 and util-linux")
    if os.path.isdir(f"/sys/class/net/{MANAGEMENT}"):
        raise LabError("--native: another --native laboratory is running on this machine")


class NativeHost:
    def __init__(self, number, folder):
        self.name, self.number, self.folder = f"host{number}", number, folder
        self.agent = (management_address(number), AGENT_PORT)
        self.process = None

    def start(self, share, devices):
        script = (f"echo {self.name} > /proc/sys/kernel/hostname; ulimit -l unlimited; "
                  f'exec "$0" {self.name} {self.agent[0]} {AGENT_PORT} "$1"')
        with open(f"{self.folder}/{self.name}.console", "wb") as console:
            self.process = subprocess.Popen(
                ["unshare", "--uts", "--pid", "--fork", "--kill-child", "--mount-proc",
                 "/bin/sh", "-c", script, f"{HERE}/agent.py", share],
                env={**os.environ, "RAILGAUGE_DEVICES": devices}, start_new_session=True,
                stdin=subprocess.DEVNULL, stdout=console, stderr=console,
                preexec_fn=guest.die_with_parent)

    def ready(self):
        return os.path.exists(f"{self.folder}/share/listening.{self.name}")

    def set_link(self, rail, up):
        """The other end of the cable, so that this host's end loses its carrier."""
        own_end = interface(self.number, rail)
        subprocess.run(["ip", "link", "set", f"{own_end}p", "up" if up else "down"], check=True)

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def last_words(self):
        with open(f"{self.folder}/{self.name}.console", errors="replace") as file:
            return file.read().splitlines()

    def cause_of_death(self):
        return f"its agent exited with status {self.process.returncode}"


class NativeLaboratory(Laboratory):
    def start(self):
        check_machine()
        size = self.options.hosts, self.options.rails
        self.workspace = Workspace(self.options.results, destroy(*size, read_rp_filter()))
        self.workspace.write_hosts([management_address(number)
                                    for number in range(self.options.hosts)], self.options.slots)
        made = subprocess.run(["/bin/sh", "-c", create(*size)], capture_output=True, text=True,
                              check=False)
        if made.returncode != 0:
            raise LabError(f"--native: {made.stderr.strip()}")
        interrupts.watch_children(self.check_hosts)
        for number in range(self.options.hosts):
            self.start_host(number)
        self.wait_until_ready()

    def start_host(self, number):
        rails = self.options.rails
        host = NativeHost(number, self.workspace.path)
        self.hosts.append(host)
        host.start(self.workspace.share,
                   ",".join(f"rxe{number * rails + rail}" for rail in range(rails)))

    def environment(self):
        return environment(self.workspace.share, self.workspace.results,
                           f"{self.workspace.path}/lab.sock", MANAGEMENT, AGENT_PORT)

    def new_rail_faults(self, host, rail):
        return RailFaults(host, rail, self.options.hosts, interface(host, rail),
                          lambda address: routing(host, rail, address))

    def serve_request(self, request):
        if "address=duplicate" in request["fault"]:
            raise LabError("address=duplicate needs virtual machines: --native shares one kernel")
        return super().serve_request(request)
