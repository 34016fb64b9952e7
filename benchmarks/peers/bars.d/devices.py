"""What is measured on: softroce in every process, or a device that each host of the laboratory has.

Each says what programs need to use it, how often to repeat what, and how to tell that it was used.
"""

import contextlib
import os
import re
import shlex
import subprocess

from errors import Missing, Usage
from sizes import Pace

SOCKETS = ("/proc/net/tcp", "/proc/net/tcp6")
COUNTED = os.path.join(os.path.dirname(os.path.realpath(__file__)), "counted")


def read(paths):
    said = ""
    for path in paths:
        with contextlib.suppress(OSError), open(path, encoding="ascii") as file:
            said += file.read()
    return said


class Softroce:
    name, gid_index, title = "soft0", 0, "softroce"
    names = (name,)
    pace = Pace(least=20, most=2000, size=128 << 20)
    deadline = 60
    wire_runs = 3  # a repetition: one average may hold a processor that the machine took away
    ours = ("--device", "soft")
    hosts = ("127.0.0.1",)
    lab_settings = ()
    counted = ()
    network = True  # has packets to count
    wire = True  # ib_write_bw and Gloo drive one device
    peer_settings = {}  # for UCX
    # Ranks share one GPU and meet over the loopback interface.
    nccl_environment = {"NCCL_MULTI_RANK_GPU_ENABLE": "1", "NCCL_NET": "IB", "NCCL_IB_HCA": name,
                        "NCCL_IB_GID_INDEX": str(gid_index), "NCCL_SOCKET_IFNAME": "lo"}

    def __init__(self, build):
        self.library = os.path.join(build, "lib", "libsoftroce.so")

    def check(self):
        if not os.path.exists(self.library):
            raise Missing(f"{self.library} is missing: build it first")

    @property
    def wire_environment(self):
        return {"LD_PRELOAD": self.library}

    @property
    def peer_environment(self):
        return {"LD_PRELOAD": self.library, "SOFTROCE_COUNTERS": "1"}

    @staticmethod
    def on_server(command):
        return command

    @staticmethod
    def server_sockets():
        return read(SOCKETS)

    @staticmethod
    def sharers(_):
        """Every rank has a device of its own."""
        return 1

    @staticmethod
    def received(said, _):
        return [int(packets) for packets in re.findall(r"soft0 \S+ .*?rcvd_pkts=(\d+)", said)]


class SeveralRails(Softroce):
    """Of every rank: soft0, soft1 and so on, over which ours, Open MPI and NCCL stripe data."""

    wire = False

    def __init__(self, build, rails):
        super().__init__(build)
        self.names = [f"soft{rail}" for rail in range(rails)]
        self.title = f"{rails} rails of softroce"
        self.ours = ("--device", f"soft:{rails}")
        self.peer_settings = {"UCX_MAX_RNDV_RAILS": str(rails)}
        self.nccl_environment = self.nccl_environment | {"NCCL_IB_HCA": ",".join(self.names)}

    @property
    def peer_environment(self):
        return super().peer_environment | {"SOFTROCE_RAILS": str(len(self.names))}

    @staticmethod
    def received(said, ranks):
        """What came to all ranks, in equal parts: whose a line is it does not say."""
        packets = sum(int(count) for count in re.findall(r"soft\d+ \S+ .*?rcvd_pkts=(\d+)", said))
        return [packets // ranks] * ranks


class SharedMemory(Softroce):
    """No device between ranks: ours and Open MPI's memory. Ours finds rails all the same."""

    title = "shared memory"
    ours = ("--device", "soft", "--same-host", "memory")
    network = wire = False
    nccl_environment = None


class Laboratory:
    """rdma_rxe, as launchers/lab has it. The last host is where ib_write_bw's server runs."""

    gid_index = 1  # 0 is of the link-local IPv6 address
    pace = Pace(least=5, most=400, size=16 << 20)  # a processor may be emulated
    deadline = 180
    wire_runs = 1
    network = wire = True
    peer_settings = {}
    nccl_environment = None
    wire_environment = {}
    peer_environment = {"UCX_UD_VERBS_ETH_DGID_CHECK": "n"}  # it would drop rxe's datagrams
    # How mpirun and rsh reach the other hosts.
    lab_settings = ("RAILGAUGE_SHARE", "RAILGAUGE_RSH", "RAILGAUGE_AGENT_PORT",
                    "OMPI_MCA_plm_rsh_agent", "OMPI_MCA_orte_default_hostfile",
                    "OMPI_MCA_orte_leave_session_attached", "OMPI_MCA_oob_tcp_if_include",
                    "OMPI_MCA_btl_tcp_if_include")

    def __init__(self, name):
        if "RAILGAUGE_RSH" not in os.environ:
            raise Usage("--device works in launchers/lab only")
        self.name, self.names = name, (name,)
        self.ours = ("--devices", name)
        self.counted = (COUNTED, name)
        with open(os.environ["RAILGAUGE_HOSTFILE"], encoding="ascii") as file:
            self.hosts = [line.split()[0] for line in file]
        self.title = f"{name} of {', '.join(self.hosts)}"

    def check(self):
        if not os.path.exists(f"/sys/class/infiniband/{self.name}"):
            raise Missing(f"there is no device {self.name}")

    def on_server(self, command):
        return [os.environ["RAILGAUGE_RSH"], self.hosts[-1], shlex.join(command)]

    def server_sockets(self):
        with contextlib.suppress(subprocess.TimeoutExpired):
            return subprocess.run(self.on_server(["cat", *SOCKETS]), capture_output=True,
                                  text=True, check=False, timeout=10).stdout
        return ""

    def sharers(self, ranks):
        return max(1, ranks // len(self.hosts))

    def received(self, said, _):
        return [int(packets) for packets in re.findall(rf"{self.name} rcvd_pkts=(\d+)", said)]
