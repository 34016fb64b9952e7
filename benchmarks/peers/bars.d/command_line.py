"""The command line of bars, and how it ends."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
import tempfile

import nccl
from bench import TREE, Bench, binary
from devices import Laboratory, SeveralRails, SharedMemory, Softroce
from errors import Interrupted, Missing, Usage
from programs import Programs
from run import Run
from sizes import parse_size

COLLECTIVES = ("all_reduce", "all_gather", "alltoall", "sendrecv")
SIZES = "8,64,1K,4K,64K,1M,8M"
DESCRIPTION = """\
Compares railgauge's collectives with other libraries on the same devices, in one run. Devices are
softroce's on this host, or rdma_rxe's between the hosts of launchers/lab:

    launchers/lab --rails 1 --timeout 3000 --results DIR -- \\
        sh -c 'benchmarks/peers/bars --device rxe0 --json $RAILGAUGE_RESULTS/bars.json'

The contenders alternate, repetition by repetition, so that other load on the machine affects all:
  railgauge ("ours"), with every algorithm;
  Gloo over its ibverbs transport;
  Open MPI over UCX's rc_verbs;
  NCCL on softroce; needs a GPU, its Multi-Process Service, libnccl.so.2 (2.30 or later) and
    libcudart.so, found by LD_LIBRARY_PATH;
  ib_write_bw, which measures the wire.

Every rank has its own CPU if there are enough. With fewer CPUs the scheduler sometimes puts two
polling ranks on one CPU for seconds, which slows everything down several times. A figure is the
median over repetitions of the median iteration. The time of an iteration is its slowest rank's.
Each row is printed when it is complete. An interrupted run keeps its results.

Targets, which do not affect the exit status:

  64 KiB to 8 MiB: 1.3 times the bus bandwidth of the best peer, or 0.95 of the wire (half of
    what ib_write_bw -b moves);
  up to 4 KiB, and from 16 MiB: no slower than the fastest peer;
  ring all-gather and sendrecv: 0.95 of the wire from 1 MiB.

exit status: 0 whatever the results are; 1 a program failed or gave wrong data; 2 usage error;
77 Open MPI, the device or the binaries are missing; 130 interrupted
"""


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Usage(message)


def parse():
    parser = Parser(prog="bars", description=DESCRIPTION, allow_abbrev=False,
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ranks", type=int, default=2, metavar="N", help="number of ranks (default: 2)")
    parser.add_argument("--repetitions", type=int, default=5, metavar="N",
                        help="repetitions of every figure (default: 5)")
    parser.add_argument("--sizes", default=SIZES, help=f"sizes, comma-separated (default: {SIZES})")
    parser.add_argument("--collectives", default=",".join(COLLECTIVES),
                        help=f"collectives, comma-separated (default: {','.join(COLLECTIVES)})")
    parser.add_argument("--algo", default="",
                        help="railgauge's algorithms, comma-separated (default: all)")
    parser.add_argument("--build", default=os.path.join(TREE, "build", "release"), metavar="DIR",
                        help="build directory (default: build/release)")
    parser.add_argument("--device", metavar="NAME",
                        help="in launchers/lab: run between its hosts on this device of each, such "
                        "as rxe0 (default: softroce, on this host)")
    parser.add_argument("--memory", action="store_true",
                        help="compare shared memory instead of devices: railgauge and Open MPI")
    parser.add_argument("--rails", type=int, default=1, metavar="N",
                        help="soft devices of each rank: railgauge, Open MPI and NCCL (default: 1)")
    parser.add_argument("--unbound", action="store_true",
                        help="do not bind ranks (default: one CPU per rank)")
    parser.add_argument("--deadline", type=int, metavar="SECONDS",
                        help=f"time limit for one program (default: {Softroce.deadline}, with "
                        f"--device {Laboratory.deadline})")
    parser.add_argument("--json", metavar="FILE", help="write all figures to FILE")
    parser.add_argument("--quick", action="store_true",
                        help="run a twentieth of the iterations, as a functional check")
    options = parser.parse_args()
    if options.device and options.memory:
        raise Usage("give either --device or --memory")
    if options.rails > 1 and (options.device or options.memory):
        raise Usage("--rails is for softroce: omit --device and --memory")
    if options.device:
        options.device = Laboratory(options.device)
    elif options.rails > 1:
        options.device = SeveralRails(options.build, options.rails)
    else:
        options.device = (SharedMemory if options.memory else Softroce)(options.build)
    options.deadline = options.device.deadline if options.deadline is None else options.deadline
    options.sizes = [parse_size(word) for word in options.sizes.split(",")]
    options.collectives = options.collectives.split(",")
    for name in options.collectives:
        if name not in COLLECTIVES:
            raise Usage(f"--collectives: '{name}' is not one of {', '.join(COLLECTIVES)}")
    for name, least, most in (("ranks", 2, 64), ("rails", 1, 8), ("repetitions", 1, 1000), ("deadline", 1, 3600)):
        if not least <= getattr(options, name) <= most:
            raise Usage(f"--{name} must be {least} to {most}, not {getattr(options, name)}")
    unit = max(4, options.ranks)
    if any(size % unit for size in options.sizes):
        raise Usage(f"--sizes: with {options.ranks} ranks sizes must be multiples of {unit}")
    if options.json and not os.path.isdir(os.path.dirname(os.path.abspath(options.json))):
        raise Usage(f"--json: the folder of {options.json} does not exist")
    return options


def check_here(options):
    for program, package in (("mpirun", "openmpi-bin"), ("ib_write_bw", "perftest"),
                             ("taskset", "util-linux")):
        if not shutil.which(program):
            raise Missing(f"there is no {program} (Debian: {package})")
    options.device.check()
    peer = os.path.join(options.build, "bin", "mpi_peer")
    if not os.path.exists(peer):
        raise Missing(f"{peer} is missing: build it first")
    said = subprocess.run(["ompi_info", "--parsable"], capture_output=True, text=True, check=False,
                          timeout=options.deadline).stdout
    if options.device.network and "mca:pml:ucx:" not in said:
        raise Missing("this Open MPI has no UCX")


def interrupt(number, _):
    for later in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(later, signal.SIG_IGN)
    raise Interrupted(signal.Signals(number).name)


def main():
    programs = None
    try:
        options = parse()
        check_here(options)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, interrupt)
        programs = Programs(options.deadline)
        with tempfile.TemporaryDirectory(prefix="railgauge-peers.") as scratch, nccl.made_ready(
                binary(options.build, "nccl_peer"), options.device, programs, scratch) as left_out:
            run = Run(options, Bench(options, programs, scratch, left_out))
            for collective in options.collectives:
                run.measure(collective)
        return 1 if run.failures else 0
    except Usage as error:
        print(f"bars: {error}; see --help", file=sys.stderr)
        return 2
    except Missing as error:
        print(f"bars: skipped: {error}", file=sys.stderr)
        return 77
    except Interrupted as error:
        print(f"bars: interrupted by {error}", file=sys.stderr)
        return 130
    finally:
        if programs:
            programs.end_all()
