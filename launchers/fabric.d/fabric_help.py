"""What --help prints."""

SYNOPSIS = """\
usage: launchers/fabric [OPTION...] -- COMMAND...
       launchers/fabric [OPTION...] --print table|svg|json
       launchers/fabric shell [--fabric PID] HOST [COMMAND...]
       launchers/fabric fault [--fabric PID] PLACE KIND...
       launchers/fabric ask [--fabric PID] WORDS...
       launchers/fabric --help | --version
"""

HELP = SYNOPSIS + """
Runs COMMAND on host0 of a fabric of hosts, leaves, spines and links on this machine: network
namespaces joined by links of a few hundred Mbit/s, so that links, not processors, are the
bottleneck, and software RDMA devices with the addresses and line rates of their ports. As root, or
as any user where user namespaces are allowed. All is removed afterwards.

Which fabric:
  --preset NAME      rail-optimised (default): a leaf for each rail and pod; clos: a leaf for each
                     pod; oversubscribed-2: spines for half of what hosts can send; storage:
                     rail-optimised, and a switch with storage servers
  --hosts N          host0, host1... (default 4)
  --rails N          ports of each host: rail0, rail1... (default 2)
  --leaves N         per rail, or of a clos in all: as many pods (default 2)
  --spines N         spine0, spine1... (default 2)
  --rate RATE        of hosts' ports, such as 200Mbit (default) or 1Gbit; links between switches get
                     what keeps leaves from being oversubscribed, or by 2
  --delay TIME       of every link, such as 5us (default); of soft switches only
  --mtu BYTES        of IP packets on every link (default 4200)
  --topology FILE    a description instead, railgauge/fabric/1 (results-schema); --print json makes
                     one of a preset, to be edited
  --addressing FORM  subnet (default): 10.10.0.0/24 for rail0, 10.11.0.0/24 for rail1, ...; routed:
                     a /31 for each link
  --balance NAME     how switches choose among equal paths: ecmp (default), ecmp+qp, wcmp, flowlet,
                     spray, adaptive; kernel switches know ecmp and wcmp
  --seed N           of the switches' hashes and of faults (default 1)
  --print FORM       shows the fabric and starts nothing: table, svg, or json

How it runs:
  --switch KIND      soft (default): softswitch, with queues, ECN, PFC, delays and faults; kernel:
                     Linux forwards, with rates only
  --slots N          ranks per host in mpirun's host file (default 1)
  --any-order        soft devices take packets in any order (SOFTROCE_ANY_ORDER=1), as NICs for
                     sprayed fabrics do; the default with spray, adaptive and flowlet; --in-order
                     keeps them from it
  --fault 'PLACE KIND...'   a fault from the start; may be repeated
  --metrics FILE     softswitch's counters every second, as JSON Lines
  --results DIR      keep what COMMAND writes to $RAILGAUGE_RESULTS in DIR (default: discard it)
  --timeout TIME     give up after this time: 90, 90s, 10m, 1h (default: never)
  --programs DIR     where fabric_description and softswitch are (default: build/release/bin)
  --verbose          report each step and how long it took

COMMAND runs in the current folder with stdin, stdout and stderr as they are, as root of its host
(in a user namespace: without rights outside). Plain `mpirun` and launchers/mpirun use all hosts, by
a management network (mgmt) of its own; `$RAILGAUGE_RSH host1 COMMAND` runs a command on another
host. `--device soft:R` of railgauge's programs, and `launchers/softroce -- COMMAND`, make devices
with the addresses of the host. There is no way to other networks. `launchers/fabric shell host2`
opens a shell in a host while COMMAND runs, also for tcpdump.

Faults, from here or from inside COMMAND. PLACE is a link (leaf1-0:spine2), a port (host3 rail1:
what host3 sends), or a switch (spine2); a link may have a direction behind it, a-to-b or b-to-a,
where a is the first in --print table. KIND is what softswitch knows, several at a time:
  link=down|up  rate=50Mbit  loss=1%  delay=50us  mtu=1500  clear  ...; of a switch also reboot,
  reboot=2s, seed=7 (of its hash); all in lib/softfabric/README.md
Kernel switches have link=, rate=, mtu= and clear. `fault` and `shell` apply to the only running
fabric, or to the one whose process id is given with --fabric; `ask` sends softswitch a line as it
is: `ask counters`.

Exit status: COMMAND's (127: not found); 2 usage error, or a description that cannot be; 124
time-out; 125 the fabric failed, or namespaces are not allowed here (the message says why); 129,
130, 143 ended by SIGHUP, SIGINT, SIGTERM.
"""
