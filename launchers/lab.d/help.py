"""What --help prints."""

import faults

SYNOPSIS = """\
usage: launchers/lab [OPTION...] -- COMMAND...
       launchers/lab fault [--lab PID] HOST RAIL KIND...
       launchers/lab prepare
"""

HELP = SYNOPSIS + f"""
Runs COMMAND on host0 of a laboratory: virtual machines with Linux's own software RoCE (rdma_rxe),
which see this machine's files and need neither RDMA hardware nor root. Takes all of it down after.

  --hosts N          hosts host0, host1... (default 2, at most 8)
  --rails N          RDMA devices rxe0, rxe1... of every host (default 2, at most 8); rail N is one
                     network segment, interface railN, subnet 10.(10+N).0.0/24, RoCE MTU 4096
  --slots N          ranks per host in mpirun's host file (default: one per rail)
  --results DIR      COMMAND's folder $RAILGAUGE_RESULTS is DIR (default: thrown away at the end)
  --timeout SECONDS  give up after this long, boot included (default 600)
  --fault 'HOST RAIL KIND...'   a fault from the start; may be repeated
  --accel kvm|tcg    do not try whether KVM works, use this
  --native           no virtual machines: this machine's own rdma_rxe (needs root; see below)
  --verbose          say what is being done and how long it took

COMMAND runs in the current folder, as root of its host. All hosts see this machine's files; what
they write to them stays in their memory and is lost, except in $RAILGAUGE_RESULTS. Its stdin is
empty; stdout, stderr and the exit status are passed on. Plain `mpirun` uses all hosts and keeps
MPI's own traffic off the rails; `$RAILGAUGE_RSH host1 COMMAND` runs a command on another host.

Faults, in `lab fault` from here or from inside COMMAND, and in --fault:
{faults.KINDS}
They act on what HOST sends on RAIL; for the other direction give the peers the same fault. Several
add up until `clear`. link=down takes the carrier away: the port goes down, packets vanish without
an error. `lab fault` means the only laboratory running, or the one whose process id is --lab.

--native makes all hosts from this machine's kernel, so they share its list of devices and its
files. Each owns the devices in its $RAILGAUGE_DEVICES (host1 of two rails: rxe2,rxe3), and only
mpirun and $RAILGAUGE_RSH know the names host0, host1... There is no address=duplicate.

`lab prepare` only fills the cache (~/.cache/railgauge/lab, 230 MB): Debian's stock kernel, fetched
with apt-get download, and the answer whether KVM works. Otherwise the first run does that.

Exit status: COMMAND's (127: not found); 2 wrong usage; 124 time-out; 125 the laboratory failed
(then its hosts' consoles are printed); 129, 130, 143 ended by SIGHUP, SIGINT, SIGTERM.
"""
