"""One run of one contender."""

import json
import os
import re
import subprocess

from errors import Failed
from wire import Wire

TREE = os.path.realpath(os.path.join(os.path.dirname(__file__), *[os.pardir] * 3))
PACKET = 4096  # bytes of payload in one, at most


def binary(build, name):
    path = os.path.join(build, "bin", name)
    return path if os.access(path, os.X_OK) else None


class Bench:
    def __init__(self, options, programs, scratch, nccl_left_out):
        self.ranks, self.quick, self.programs, self.scratch = (
            options.ranks, options.quick, programs, scratch)
        self.device, self.nccl_left_out = options.device, nccl_left_out
        self.build = options.build
        self.algorithms = {}
        self.cpus = [] if options.unbound else sorted(os.sched_getaffinity(0))
        self.unbound = options.unbound
        # A setting of the user's would be one contender's and not another's.
        for name in set(os.environ).difference(self.device.lab_settings):
            if name.startswith(("SOFTROCE_", "UCX_", "NCCL_", "OMPI_MCA_", "RAILGAUGE_")):
                del os.environ[name]
        # mpirun refuses to run as root unless told; here it may.
        os.environ |= {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
                       "UCX_WARN_UNUSED_ENV_VARS": "n"}
        self.wire = Wire(programs, self.device, self.cpus, self.quick)

    def binary(self, name):
        return binary(self.build, name)

    def pinned_mpirun(self):
        """Open MPI kept off the device, for ours and for Gloo, which it only starts."""
        return [os.path.join(TREE, "launchers", "mpirun"), *self.placed()]

    def placed(self):
        """mpirun's words for so many ranks, each on a CPU of its own if there are as many."""
        enough = self.ranks <= len(self.cpus) * len(self.device.hosts)
        binding = "core" if enough and not self.unbound else "none"
        return ["--oversubscribe", "--bind-to", binding, "-np", str(self.ranks)]

    def times(self, size):
        return self.device.pace.iterations(size, self.quick)

    def with_device(self, peer, environment=None):
        """mpirun's words for a peer that shall use the device, and count what it does with it."""
        environment = self.device.peer_environment | (environment or {})
        settings = [f"{name}={value}" for name, value in environment.items()]
        exports = [word for setting in settings for word in ("-x", setting)]
        return [*exports, *self.device.counted, self.binary(peer)]

    def our_algorithms(self, collective):
        """What its --algo takes, in its own words; [None] when it has no such option."""
        if collective not in self.algorithms:
            asked = self.programs.start([self.binary(f"{collective}_perf"), "--algo", "?"])
            try:
                said = asked.communicate(timeout=self.programs.deadline)[1]
            except subprocess.TimeoutExpired as error:
                raise Failed(f"{collective}_perf --algo ?: timed out after "
                             f"{self.programs.deadline} s") from error
            finally:
                self.programs.end(asked)
            takes = re.search(r"expected ([a-z_, -]+?), all(?: or|,) auto", said)
            self.algorithms[collective] = re.split(r",\s*", takes[1].strip()) if takes else [None]
        return self.algorithms[collective]

    def ours(self, collective, algorithm, size):
        """Out of place. Its p50 is over iterations of which each is the slowest rank's."""
        count, warmup = self.times(size)
        document = os.path.join(self.scratch, "ours.json")
        choice = ["--algo", algorithm] if algorithm else []
        choice += ["--placement", "none"] if self.unbound else []
        command = [*self.pinned_mpirun(), self.binary(f"{collective}_perf"), *self.device.ours,
                   "-b", str(size), "-e", str(size), "-n", str(count), "-w", str(warmup), *choice,
                   "-J", document, "--force"]
        self.programs.run(command, f"{collective}_perf {algorithm or ''} of {size}")
        with open(document, encoding="utf-8") as file:
            rows = json.load(file)["rows"]
        row = next((row for row in rows if row["size_bytes"] == size), None)
        if row is None:
            return None  # this collective rounds its sizes
        place = row["out_of_place"] or row["in_place"]
        if place["wrong"]:
            raise Failed(f"{collective}_perf {algorithm} of {size}: wrong data")
        return place["time"]["p50_us"], place["busbw_gigabytes_per_second"]

    def peer(self, command, collective, size, what):
        count, warmup = self.times(size)
        arguments = ["--collective", collective, "--sizes", str(size), "-n", str(count), "-w",
                     str(warmup), "-T", str(self.programs.deadline)]
        out, err = self.programs.run([*command, *arguments], f"{what} {collective} of {size}")
        line = json.loads(out.strip().splitlines()[-1])
        if line["wrong"]:
            raise Failed(f"{what} {collective} of {size}: wrong data")
        if self.device.network:
            self.check_traffic(err, count, line, what)
        return line["median_us"], line["busbw_GBps"]

    def check_traffic(self, err, count, line, what):
        """Every rank's device has received what the collective needs at least: nothing went around it."""
        received = self.device.received(err, self.ranks)
        per_run = line["busbw_GBps"] * line["median_us"] * 1e3  # bytes that have to come to a rank
        least = count * max(1, int(per_run / PACKET * 0.9)) * self.device.sharers(self.ranks)
        if len(received) != self.ranks or min(received, default=0) < least:
            raise Failed(f"{what}: devices received {received} packets instead of at least {least} "
                         f"each: data did not go over {self.device.name}")

    def gloo(self, collective, algorithm, polls, size):
        command = [*self.pinned_mpirun(), *self.with_device("gloo_peer"), "--algorithm", algorithm,
                   "--device", self.device.name, "--gid-index", str(self.device.gid_index),
                   *(["--poll"] if polls else [])]
        return self.peer(command, collective, size, "gloo_peer")

    def nccl(self, collective, size):
        command = [*self.pinned_mpirun(),
                   *self.with_device("nccl_peer", self.device.nccl_environment)]
        return self.peer(command, collective, size, "nccl_peer")

    def open_mpi(self, collective, size):
        """rc_v is rc_verbs, with ud_verbs to meet by; no shared memory, or nothing else."""
        if not self.device.network:
            command = ["mpirun", *self.placed(), "--mca", "pml", "ob1", "--mca", "btl",
                       "self,vader", "--mca", "coll", "^hcoll", self.binary("mpi_peer")]
            return self.peer(command, collective, size, "mpi_peer")
        command = ["mpirun", *self.placed(), "--mca", "pml", "ucx", "--mca", "pml_ucx_tls", "any", "--mca",
                   "pml_ucx_devices", "any", "--mca", "btl", "self", "--mca", "osc", "^ucx",
                   "--mca", "coll", "^hcoll", "-x", "UCX_TLS=rc_v,self", "-x",
                   "UCX_NET_DEVICES=" + ",".join(f"{name}:1" for name in self.device.names), "-x",
                   f"UCX_IB_GID_INDEX={self.device.gid_index}", "-x",
                   "UCX_WARN_UNUSED_ENV_VARS=n",
                   *self.with_device("mpi_peer", self.device.peer_settings)]
        return self.peer(command, collective, size, "mpi_peer")
