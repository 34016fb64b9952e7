"""What --help prints."""

import pathlib

import faults

SYNOPSIS = """\
usage: launchers/lab [OPTION...] -- COMMAND...
       launchers/lab fault [--lab PID] HOST RAIL KIND...
       launchers/lab prepare
       launchers/lab --help | --version
"""


def version():
    """In the tree, or where it is installed."""
    here = pathlib.Path(__file__).resolve().parent
    for file in here / "../../VERSION", here / "../../../share/railgauge/VERSION":
        if file.exists():
            return file.read_text(encoding="utf-8").strip()
    return "of an unknown version"


HELP = SYNOPSIS + f"""
Runs COMMAND on host0 of a laboratory of virtual machines with Linux's own software RoCE (rdma_rxe).
They share this machine's files, need no RDMA hardware or root, and are removed afterwards.

  --hosts N          number of hosts: host0, host1... (default 2, at most 8)
  --rails N          RDMA devices per host: rxe0, rxe1... (default 2, at most 8); rail N is one
                     network segment, interface railN, subnet 10.(10+N).0.0/24, RoCE MTU 4096
  --slots N          ranks per host in mpirun's host file (default: one per rail)
  --results DIR      keep what COMMAND writes to $RAILGAUGE_RESULTS in DIR (default: discard it)
  --timeout TIME     stop after this time, boot included: 90, 90s, 10m, 1h (default 600)
  --fault 'HOST RAIL KIND...'   inject a fault from the start; may be repeated
  --accel kvm|tcg    use this accelerator instead of testing whether KVM works
  --native           no virtual machines: this machine's own rdma_rxe (needs root; see below)
  --verbose          report each step and the boot time

COMMAND runs in the current folder, as root of its host. All hosts see this machine's files. Files
that they write stay in their memory and are lost, except in $RAILGAUGE_RESULTS. COMMAND's stdin is
empty; its stdout, stderr and exit status are passed on. Plain `mpirun` uses all hosts and keeps
MPI's own traffic off the rails; `$RAILGAUGE_RSH host1 COMMAND` runs a command on another host.

Faults, with --fault or with `lab fault` from here or from inside COMMAND:
{faults.KINDS}
Faults act on what HOST transmits on RAIL. For the other direction, give its peers the same fault.
Faults accumulate until `clear`. link=down removes the carrier: the port goes down, and packets are
lost without an error. `lab fault` applies to the only running laboratory, or to the one whose
process id is given with --lab.

--native runs all hosts on this machine's kernel, so they share its devices and files. Each host
owns the devices in its $RAILGAUGE_DEVICES (host1 with two rails: rxe2,rxe3), and only mpirun and
$RAILGAUGE_RSH know the names host0, host1... address=duplicate is not available.

`lab prepare` only fills the cache (~/.cache/railgauge/lab, 230 MB) with Debian's stock kernel,
fetched with apt-get download, and tests whether KVM works. Otherwise the first run does this.

Exit status: COMMAND's (127: not found); 2 usage error; 124 time-out; 125 the laboratory failed
(its hosts' consoles are then printed); 129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM.
"""
