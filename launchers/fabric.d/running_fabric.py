"""A fabric from outside: its folder, its processes, and how all of it ends."""

import contextlib
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile

import ways_in
import workspace
from description import Description
from errors import LabError, UsageError

HERE = os.path.dirname(os.path.realpath(__file__))
FOLDER_PREFIX = "railgauge-fabric."
MANAGEMENT = "mgmt"
# What a terminal's Ctrl-C, or a request to end, leaves COMMAND to end by itself.
GRACE_SECONDS, SECOND_GRACE_SECONDS = 1.5, 3


class RunningFabric:
    def __init__(self, options, text, way):
        self.options, self.text, self.way = options, text, way
        self.fabric = Description.of_text(text)
        self.workspace, self.process, self.lifeline = None, None, None

    def start(self, command):
        self.workspace = workspace.Workspace(self.options["results"], prefix=FOLDER_PREFIX)
        self.fill_workspace(command)
        reader, self.lifeline = os.pipe()
        self.process = subprocess.Popen(
            [*self.way, "--", sys.executable, "-IB", f"{HERE}/holder.py", self.workspace.path,
             str(reader)],
            env=self.environment(), pass_fds=[reader], preexec_fn=ways_in.die_with_parent)
        os.close(reader)
        self.write("unshare", str(self.process.pid))

    def write(self, name, content):
        self.workspace.write(name, content)

    def fill_workspace(self, command):
        os.mkdir(f"{self.workspace.path}/ns")
        os.mkdir(f"{self.workspace.path}/tmp")
        self.write("fabric.json", self.text)
        self.write("request", json.dumps({"command": command, "options": self.options}))
        self.write("hostfile", "".join(f"{name} slots={self.options['slots']}\n"
                                       for name in self.hosts_of_ranks()))

    def hosts_of_ranks(self):
        """Those with the ports of host 0: others, as storage servers, are there to be talked to."""
        ports = {name: {end.port for end in self.fabric.ends_of(name)}
                 for name in self.fabric.hosts}
        return [name for name in ports if ports[name] == ports[self.fabric.hosts[0]]]

    def environment(self):
        """The laboratory's, but for the way to other hosts. Temporary files go with the rest."""
        path = self.workspace.path
        made = workspace.environment(self.workspace.share, self.workspace.results, "",
                                     MANAGEMENT, 0)
        for name in ("RAILGAUGE_LAB", "RAILGAUGE_AGENT_PORT"):
            del made[name]
        made.update({"SOFTFABRIC": path, "TMPDIR": f"{path}/tmp",
                     "RAILGAUGE_RSH": f"{HERE}/rsh", "OMPI_MCA_plm_rsh_agent": f"{HERE}/rsh",
                     "OMPI_MCA_orte_keep_fqdn_hostnames": "1",   # names may differ behind a dot
                     "PRTE_MCA_prte_keep_fqdn_hostnames": "1"})
        if self.any_order():
            made["SOFTROCE_ANY_ORDER"] = "1"
        return made

    def any_order(self):
        if self.options["any_order"] is not None:
            return self.options["any_order"]
        return bool(self.fabric.balances() & {"spray", "adaptive", "flowlet"})

    def wait(self):
        """The exit status that the first process inside has left: unshare's own says less."""
        self.process.wait()
        with contextlib.suppress(OSError):
            with open(f"{self.workspace.share}/ended", encoding="ascii") as file:
                return int(file.read())
        raise LabError("the process that holds the fabric was killed")

    def end_gently(self):
        """COMMAND may write its last words."""
        if self.process is None:
            return
        for seconds, byte in ((GRACE_SECONDS, b"t"), (SECOND_GRACE_SECONDS, b"t")):
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(seconds)
                return
            with contextlib.suppress(OSError):
                os.write(self.lifeline, byte)

    def take_down(self):
        if self.lifeline is not None:
            os.close(self.lifeline)
        if self.process is not None:
            self.process.kill()
            self.process.wait()
        if self.workspace is not None:
            with contextlib.suppress(OSError):
                self.workspace.remove()
            shutil.rmtree(self.workspace.path, ignore_errors=True)


def running():
    """Process id and folder of every fabric of this user."""
    found = {}
    for path in glob.glob(os.path.join(tempfile.gettempdir(), FOLDER_PREFIX + "*")):
        pid = os.path.basename(path).split(".")[1]
        if os.access(f"{path}/share", os.R_OK) and os.path.isdir(f"/proc/{pid}"):
            found[pid] = path
    return found


def choose(chosen):
    """The folder of the fabric that was chosen, that this process runs in, or of the only one."""
    if chosen is None and "SOFTFABRIC" in os.environ:
        return os.environ["SOFTFABRIC"]
    found = running()
    if chosen is not None:
        if chosen not in found:
            raise UsageError(f"no fabric {chosen} is running for this user")
        return found[chosen]
    if not found:
        raise LabError("no fabric is running for this user")
    if len(found) > 1:
        raise UsageError("several fabrics are running: choose one with --fabric: "
                         f"{', '.join(sorted(found))}")
    return next(iter(found.values()))


def description_in(folder):
    with open(f"{folder}/share/fabric.json", encoding="utf-8") as file:
        return Description(json.load(file))


def is_inside():
    return "SOFTFABRIC" in os.environ

