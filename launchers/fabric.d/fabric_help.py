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
Runs COMMAND on host0 of an emulated fabric on this machine: hosts, leaves, spines and links. Hosts
are network namespaces. By default ports have at most 200 Mbit/s, so that links, not processors,
are the bottleneck. Software RDMA devices have the addresses and line rates of the hosts' ports.
Runs as root, or as any user where user namespaces are allowed. Removes everything afterwards.

Topology:
  --preset NAME      rail-optimised (default): one leaf per rail and pod; clos: one leaf per pod;
                     oversubscribed-2: spines carry half of the hosts' bandwidth; storage:
                     rail-optimised plus a switch with storage servers
  --hosts N          number of hosts: host0, host1... (default 4)
  --rails N          ports per host: rail0, rail1... (default 2)
  --leaves N         leaves per rail (clos: leaves in all), which is the number of pods (default 2)
  --spines N         number of spines: spine0, spine1... (default 2)
  --rate RATE        rate of hosts' ports: 50Mbit, 1Gbit...; the rate of links between switches
                     follows from the preset's oversubscription. Default: the launcher measures
                     this machine for 0.3 s. It takes the largest of 200, 100, 50, 20 and 10 Mbit/s
                     at which all ports can send at the same time. It refuses to start if that is
                     less than 10 Mbit/s. It only warns of a --rate or --topology that is too high.
                     --print measures nothing; its default is 200Mbit
  --delay TIME       one-way delay of every link, such as 5us (default); soft switches only
  --mtu BYTES        IP MTU of every link (default 4200)
  --topology FILE    read a topology (railgauge/fabric/1, see results-schema) instead of a preset;
                     --print json writes a preset as a starting point
  --addressing FORM  subnet (default): 10.10.0.0/24 for rail0, 10.11.0.0/24 for rail1, ...; routed:
                     a /31 per link
  --balance NAME     how switches choose among equal-cost paths: ecmp (default), ecmp+qp, wcmp,
                     flowlet, spray, adaptive; kernel switches: ecmp and wcmp only
  --seed N           seed of the switches' hashes and of faults (default 1)
  --print FORM       print the fabric as table, svg or json and start nothing

Execution:
  --switch KIND      soft (default): softswitch, with queues, ECN, PFC, delays and faults; kernel:
                     Linux forwarding, with rates only
  --slots N          ranks per host in mpirun's host file (default 1)
  --any-order        let soft devices accept packets out of order (SOFTROCE_ANY_ORDER=1), as NICs
                     for sprayed fabrics do; default with spray, adaptive and flowlet
  --in-order         soft devices expect packets in order; default with ecmp, ecmp+qp and wcmp
  --fault 'PLACE KIND...'   inject a fault from the start; may be repeated
  --metrics FILE     write softswitch's counters every second, as JSON Lines
  --results DIR      keep what COMMAND writes to $RAILGAUGE_RESULTS in DIR (default: discard it)
  --timeout TIME     stop after this time: 90, 90s, 10m, 1h (default: never)
  --programs DIR     folder of fabric_description and softswitch (default: build/release/bin)
  --verbose          report each step and its duration

COMMAND runs in the current folder with the caller's stdin, stdout and stderr, as root of its host.
In a user namespace that root has no rights outside. Plain `mpirun` and launchers/mpirun use all
hosts over a separate management network (mgmt). `$RAILGAUGE_RSH host1 COMMAND` runs a command on
another host. railgauge's programs (RAILGAUGE_DEVICE=soft:R) and `launchers/softroce -- COMMAND` use
soft devices with the addresses of the host. The fabric has no route to other networks.
`launchers/fabric shell host2` opens a shell on a host while COMMAND runs, also for tcpdump.

Faults, from here or from inside COMMAND. PLACE is one of:
  leaf1-0:spine2     a link; append a-to-b or b-to-a for one direction, as --print table orders it
  host3 rail1        what this port transmits
  spine2             a switch
KIND is one or more of:
  link=down|up  rate=50Mbit  loss=1%  delay=50us  mtu=1500  clear  ...; of a switch also reboot,
  reboot=2s, seed=7 (of its hash); all are listed in lib/simulators/softfabric/README.md
Kernel switches have link=, rate=, mtu= and clear. `fault` and `shell` apply to the only running
fabric, or to the one whose process id is given with --fabric. `ask` sends a line to softswitch:
`ask counters`.

Exit status: COMMAND's (127: not found); 2 usage error or invalid topology; 124 time-out; 125 the
fabric failed or namespaces are not allowed, with the reason; 129, 130, 143 ended by SIGHUP, SIGINT,
SIGTERM.
"""
