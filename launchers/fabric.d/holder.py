#!/usr/bin/python3 -IB
"""holder.py WORKSPACE LIFELINE: the first process in the fabric's namespaces, which end with it.

Builds the fabric, starts softswitch and COMMAND, and ends with COMMAND's exit status. LIFELINE is
the number of a descriptor: a byte asks COMMAND to end, its closing ends everything at once.
"""

import contextlib
import json
import os
import signal
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "lab.d")]

import batches  # noqa: E402
import control  # noqa: E402
import hosts  # noqa: E402
import kernel_switches  # noqa: E402
import namespaces  # noqa: E402
import soft_switch  # noqa: E402
import switch_control  # noqa: E402
from description import Description  # noqa: E402
from errors import LAB_FAILED, LabError  # noqa: E402
from fabric_faults import parse  # noqa: E402

KILLED = 128 + signal.SIGKILL


class Holder:
    def __init__(self, workspace, lifeline):
        self.workspace, self.lifeline = workspace, lifeline
        self.folder = f"{workspace}/ns"
        with open(f"{workspace}/share/request", encoding="utf-8") as file:
            self.request = json.load(file)
        self.options = self.request["options"]
        with open(f"{workspace}/share/fabric.json", encoding="utf-8") as file:
            self.fabric = Description(json.load(file))
        self.soft = self.options["switch"] == "soft"
        self.switch, self.command, self.kernel_faults = None, None, None
        self.one_at_a_time = threading.Lock()

    def progress(self, what, began):
        if self.options["verbose"]:
            print(f"fabric: {what} after {time.monotonic() - began:.2f} s", file=sys.stderr)

    def build(self):
        began = time.monotonic()
        namespaces.mount("none", self.folder, "tmpfs")
        with contextlib.suppress(OSError):   # what killed programs leave there goes with it
            namespaces.mount("none", "/dev/shm", "tmpfs")
        batches.plain_network()
        hosts.make(self.fabric, self.folder)
        if not self.soft:
            kernel_switches.make(self.fabric, self.folder)
        self.progress("namespaces", began)
        cables = soft_switch if self.soft else kernel_switches
        batches.batch("ip", ["link set lo up", *hosts.management_lines(self.fabric, self.folder),
                             *cables.link_lines(self.fabric, self.folder)])
        self.progress("links", began)
        if self.soft:
            soft_switch.set_up(self.fabric)
        else:
            kernel_switches.set_up(self.fabric, self.folder)
        hosts.set_up(self.fabric, self.folder, offloads=not self.soft)
        self.name_hosts()
        if self.soft:
            self.switch = soft_switch.start(self.options, self.workspace)
        self.progress("fabric is up", began)

    def name_hosts(self):
        """For programs that look names up."""
        with open("/etc/hosts", encoding="utf-8", errors="replace") as file:
            known = file.read()
        path = f"{self.folder}/:hosts"   # no host's name
        with open(path, "w", encoding="utf-8") as file:
            file.write(known + "\n" + "".join(f"{hosts.management_address(number)} {name}\n"
                                              for number, name in enumerate(self.fabric.hosts)))
        os.chmod(path, 0o644)
        namespaces.bind(path, "/etc/hosts")

    def apply(self, request):
        """Faults of kernel switches: softswitch is asked itself."""
        with self.one_at_a_time:
            return self.kernel_faults.apply(parse(request["fault"], self.fabric))

    def make_faults(self):
        if not self.soft:
            self.kernel_faults = kernel_switches.Faults(self.fabric, self.folder)
            control.Server(f"{self.workspace}/fabric.sock", self.apply)
        for words in self.options["faults"]:
            if self.soft:
                switch_control.ask_all(f"{self.workspace}/switch.sock",
                                       parse(words, self.fabric).lines())
            else:
                self.apply({"fault": words})

    def run(self):
        """COMMAND's exit status."""
        with open(f"{self.workspace}/share/ready", "w", encoding="ascii"):
            pass   # before COMMAND, which may ask for a shell at once
        self.command = subprocess.Popen([f"{HERE}/enter", self.fabric.hosts[0],
                                         *self.request["command"]])
        while True:
            os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)   # orphans too: this is process 1
            with self.one_at_a_time:   # a fault waits for its own ip or tc
                process, status = os.waitpid(-1, os.WNOHANG)
            if process == self.command.pid:
                code = os.waitstatus_to_exitcode(status)
                return code if code >= 0 else 128 - code
            if self.switch and process == self.switch.pid:
                raise LabError(f"softswitch ended: {ending(status)}")

    def ask_to_end(self, *_):
        if self.command:
            with contextlib.suppress(ProcessLookupError):
                self.command.send_signal(signal.SIGTERM)

    def watch_lifeline(self):
        while os.read(self.lifeline, 1):
            self.ask_to_end()
        os._exit(KILLED)   # and with process 1, all others


def ending(status):
    code = os.waitstatus_to_exitcode(status)
    return f"exit status {code}" if code >= 0 else f"killed by signal {-code}"


def main():
    holder = Holder(sys.argv[1], int(sys.argv[2]))
    threading.Thread(target=holder.watch_lifeline, daemon=True).start()
    signal.signal(signal.SIGINT, lambda *_: None)   # COMMAND has its own, of the same terminal
    signal.signal(signal.SIGTERM, holder.ask_to_end)
    try:
        holder.build()
        holder.make_faults()
        return holder.run()
    except LabError as error:
        print(f"fabric: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"fabric: {error}", file=sys.stderr)
        return LAB_FAILED


if __name__ == "__main__":
    code = main()
    with open(f"{sys.argv[1]}/share/ended", "w", encoding="ascii") as file:
        file.write(str(code))
    sys.stderr.flush()
    os._exit(code)   # threads do not matter any more
