"""The laboratory's temporary folder, which disappears with it however it ends."""

import os
import secrets
import subprocess
import tempfile

import control
from errors import LabError

HERE = os.path.dirname(os.path.abspath(__file__))
LONGEST_PATH = 80   # of the folder: AF_UNIX addresses end at 107 bytes


class Workspace:
    """Holds share/ (what hosts and laboratory tell each other), results/, sockets, consoles."""

    def __init__(self, results, farewell=":", prefix=control.FOLDER_PREFIX):
        self.path = tempfile.mkdtemp(prefix=f"{prefix}{os.getpid()}.")
        self.janitor = self.start_janitor(farewell)
        if len(self.path) > LONGEST_PATH:
            raise LabError(f"the path of the temporary folder is too long: {self.path}; set TMPDIR")
        self.share = f"{self.path}/share"
        self.results = os.path.abspath(results) if results else f"{self.path}/results"
        os.mkdir(self.share)
        os.makedirs(self.results, exist_ok=True)
        self.token = secrets.token_hex(16)
        self.write("token", self.token)

    def start_janitor(self, farewell):
        """Cleans up when its stdin closes, which happens even on kill -9 of this process."""
        return subprocess.Popen(
            ["/bin/sh", "-c", f'read -r _\n{farewell}\nrm -rf "$1"', "sh", self.path],
            stdin=subprocess.PIPE, start_new_session=True)

    def write(self, name, content):
        with open(f"{self.share}/{name}", "w", encoding="utf-8") as file:
            file.write(content)

    def write_hosts(self, addresses, slots):
        """The tables of hosts: one for /etc/hosts and rsh, one for mpirun."""
        self.write("hosts", "".join(f"{address} host{number}\n"
                                    for number, address in enumerate(addresses)))
        self.write("hostfile", "".join(f"host{number} slots={slots}\n"
                                       for number in range(len(addresses))))

    def remove(self):
        self.janitor.stdin.close()
        self.janitor.wait()


def environment(share, results, lab, management, port):
    """What COMMAND finds on its host. The caller's own settings of Open MPI come first."""
    return {
        "OMPI_MCA_pml": "ob1", "OMPI_MCA_btl": "tcp,self,vader",   # nothing of MPI's on the rails
        "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
        **os.environ,
        "RAILGAUGE_SHARE": share, "RAILGAUGE_RESULTS": results, "RAILGAUGE_LAB": lab,
        "RAILGAUGE_HOSTFILE": f"{share}/hostfile", "RAILGAUGE_RSH": f"{HERE}/rsh",
        "RAILGAUGE_AGENT_PORT": str(port),
        "OMPI_MCA_orte_default_hostfile": f"{share}/hostfile",
        "OMPI_MCA_plm_rsh_agent": f"{HERE}/rsh",
        # Its daemons stay with the agent that started them, and so end with mpirun.
        "OMPI_MCA_orte_leave_session_attached": "1",
        "OMPI_MCA_oob_tcp_if_include": management, "OMPI_MCA_btl_tcp_if_include": management,
    }


