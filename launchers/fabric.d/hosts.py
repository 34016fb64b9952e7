"""Hosts: a network namespace each, ports to their leaves, and the management network."""

import ipaddress

import batches
import namespaces

# Link-local, and only ever the next hop: every port's far end, whoever that is.
FAR_END = "169.254.0.1"
FIRST_TABLE = 100     # of routing, one for each port
HOST_LIMIT = "16m"    # bytes that wait for the rate of a port; a socket holds 200 KiB at most
MANAGEMENT_NETWORK = "10.9.0.0/16"


def management_address(number):
    return str(ipaddress.ip_address("10.9.0.1") + number)


def hostname_file(folder, name):
    """Keeps the name of a host. No host is called so: names have no colon."""
    return f"{folder}/{name}:uts"


def make(fabric, folder):
    """Empty hosts, with their names."""
    for name in fabric.hosts:
        namespaces.make_network(f"{folder}/{name}", batches.plain_network)
        namespaces.make_hostname(hostname_file(folder, name), name)


def management_lines(fabric, folder):
    """A bridge in the launcher's own namespace, with a port for each host."""
    lines = ["link add mgmt type bridge", "link set mgmt up"]
    for number, name in enumerate(fabric.hosts):
        lines += [f"link add mgmt{number} type veth peer name mgmt netns {folder}/{name}",
                  f"link set mgmt{number} master mgmt up"]
    return lines


def port_lines(end, table):
    """Addresses and routes of one port: all that leaves it goes to the far end of its cable."""
    interface = ipaddress.ip_interface(end.address)
    source = interface.ip
    via = f"via {FAR_END} dev {end.port} onlink"
    return [f"link set {end.port} up",
            f"addr add {interface} dev {end.port} noprefixroute",
            f"neigh replace {FAR_END} lladdr {end.far_mac} dev {end.port} nud permanent",
            f"route add {interface.network} {via} src {source}",
            f"route add default {via} src {source} table {table}",
            f"rule add from {source} lookup {table}"]


def route_lines(fabric, own):
    """To ports outside the subnets of this host: by the port of the same name, or the first."""
    networks = [ipaddress.ip_interface(end.address).network for end in own]
    lines = []
    for end in fabric.host_ends():
        address = ipaddress.ip_interface(end.address).ip
        if any(address in network for network in networks):
            continue
        port = next((mine for mine in own if mine.port == end.port), own[0])
        lines.append(f"route add {address} via {FAR_END} dev {port.port} onlink "
                     f"src {ipaddress.ip_interface(port.address).ip}")
    for switch in fabric.switches.values():
        lines.append(f"route add {switch['address']} via {FAR_END} dev {own[0].port} onlink")
    return lines


def set_up(fabric, folder, offloads):
    for number, name in enumerate(fabric.hosts):
        own = fabric.ends_of(name)
        lines = ["link set lo up", f"addr add {management_address(number)}/16 dev mgmt",
                 "link set mgmt up"]
        for place, end in enumerate(own):
            lines += port_lines(end, FIRST_TABLE + place)
        with namespaces.inside(f"{folder}/{name}"):
            batches.batch("ip", lines + route_lines(fabric, own))
            shape(own, offloads)


def shape(own, offloads):
    """A qdisc's burst has to hold the longest train of segments, 64 KiB, or it drops them."""
    for end in own:
        if not offloads:
            batches.without_offloads(end.port)
    burst = "128k" if offloads else "16k"
    batches.batch("tc", [batches.shaped(end.port, end.rate_mbit, burst, HOST_LIMIT)
                         for end in own])


def devices(fabric, name):
    """What soft devices of a host have to know (lib/simulators/softroce/README.md), and that railgauge's
    programs use them unless told otherwise."""
    own = fabric.ends_of(name)
    return {"RAILGAUGE_DEVICE": f"soft:{len(own)}",
            "SOFTROCE_RAILS": str(len(own)),
            "SOFTROCE_ADDRESS": ",".join(end.address.split("/")[0] for end in own),
            "SOFTROCE_RATE": ",".join(f"{end.rate_mbit:g}Mbit" for end in own)}
