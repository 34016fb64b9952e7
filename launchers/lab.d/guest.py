"""One guest: a QEMU process, its monitor, its console."""

import ctypes
import json
import os
import re
import shlex
import signal
import socket
import subprocess

import network
from errors import LabError

QEMU = "qemu-system-x86_64"
MEMORY = "2048M"   # taken from the machine only as it is used
AGENT_PORT = 7000   # as in guest-init
RELAY = "10.0.2.100:7001"   # where a guest reaches the laboratory
CONSOLE_LINES = 40   # a panic with its stack
PR_SET_PDEATHSIG = 1
LIBC = ctypes.CDLL(None)

# reboot=t,panic=-1 with -no-reboot turns a guest's panic into the end of its QEMU process.
# A guest that gets no CPU for a while is normal here: no watchdogs, and no test of the timer at boot,
# which panics ("IO-APIC + timer doesn't work") when no tick comes in time.
KERNEL_COMMAND_LINE = ("console=ttyS0 quiet panic=-1 oops=panic reboot=t nokaslr mitigations=off "
                       "tsc=reliable clocksource=tsc no_timer_check nowatchdog "
                       "rcupdate.rcu_cpu_stall_suppress=1")

# Emulated, PCLMUL is slower than the table CRC of RoCE's ICRC: 25 % more bandwidth without it. Kernel
# and C library copy by "rep movsb" where ERMS says that it is fast, and QEMU does it byte by byte:
# ib_write_bw -b of 1 MiB 15.5 MB/s without it, 8.6 with.
ACCELERATORS = {
    "kvm": ["-accel", "kvm", "-cpu", "host"],
    "tcg": ["-accel", "tcg,thread=multi", "-cpu", "max,-pclmulqdq,-erms,-fsrm"],
}


def die_with_parent():
    """In the child before exec: a guest must not outlive a laboratory that was killed."""
    LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def cpus_per_guest(hosts):
    """This machine's CPUs, shared out. More only take turns: with 2 hosts of 2 ranks on 2 CPUs an
    all-reduce took 110 ms with one vCPU per guest, 150-200 ms with two, and booting 8 against 13 s.
    """
    return max(1, len(os.sched_getaffinity(0)) // hosts)


def machine_arguments(accelerator, cpus, kernel, initramfs, append):
    return [QEMU, "-nodefaults", "-no-user-config", "-display", "none", "-no-reboot",
            *ACCELERATORS[accelerator], "-smp", str(cpus), "-m", MEMORY,
            "-kernel", f"{kernel}/vmlinux", "-initrd", initramfs,
            "-append", f"{KERNEL_COMMAND_LINE} {append}"]


def escape(path):
    """QEMU splits its options at commas."""
    return path.replace(",", ",,")


def share_arguments(tag, path, mode):
    return ["-fsdev", f"local,id={tag},path={escape(path)},security_model=none,"
                      f"multidevs=remap{mode}",
            "-device", f"virtio-9p-pci,fsdev={tag},mount_tag={tag}"]


def control_arguments(host, relay):
    """The user-mode NIC: from here to the agent, and from the guest to this laboratory only.

    Port 0 lets the kernel choose, so that laboratories started together never collide.
    """
    return ["-netdev", f"user,id=control,restrict=on,ipv6=off,"
                       f"hostfwd=tcp:127.0.0.1:0-:{AGENT_PORT},"
                       f"guestfwd=tcp:{RELAY}-cmd:{escape(shlex.join(relay))}",
            *network.device("control", network.mac(host, network.CONTROL), 1500)]


class Guest:
    def __init__(self, number, folder):
        self.name = f"host{number}"
        self.number = number
        self.folder = folder
        self.process = None
        self.agent = None   # address of its agent, as seen from here

    def start(self, arguments):
        with open(f"{self.folder}/{self.name}.qemu", "wb") as errors:
            self.process = subprocess.Popen(
                [*arguments, "-serial", f"file:{self.name}.console",
                 "-qmp", f"unix:{self.name}.qmp,server=on,wait=off"],
                cwd=self.folder, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors,
                start_new_session=True, preexec_fn=die_with_parent)

    def ready(self):
        return all(os.path.exists(f"{self.folder}/share/{done}.{self.name}")
                   for done in ("configured", "listening"))

    def find_agent(self):
        listing = self.monitor("human-monitor-command", {"command-line": "info usernet"})
        port = re.search(r"HOST_FORWARD\]\s+\d+\s+127\.0\.0\.1\s+(\d+)", listing)
        self.agent = ("127.0.0.1", int(port[1]))

    def monitor(self, command, arguments):
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(f"{self.folder}/{self.name}.qmp")
            stream = connection.makefile("rw")
            stream.readline()   # greeting
            answers = [ask(stream, name, given) for name, given in
                       (("qmp_capabilities", {}), (command, arguments))]
        return answers[-1]

    def set_link(self, rail, up):
        self.monitor("set_link", {"name": f"nic-rail{rail}", "up": up})

    def kill(self):
        if self.process:
            self.process.kill()
            self.process.wait()

    def output(self):
        """What QEMU itself said, then the console."""
        text = ""
        for part in ("qemu", "console"):
            path = f"{self.folder}/{self.name}.{part}"
            if os.path.exists(path):
                with open(path, errors="replace") as file:
                    text += file.read()
        return [line for line in text.replace("\r", "").splitlines() if line.strip()]

    def last_words(self):
        return self.output()[-CONSOLE_LINES:]

    def cause_of_death(self):
        panics = [line for line in self.output() if "Kernel panic" in line]
        return panics[-1] if panics else f"QEMU exited with status {self.process.returncode}"


def ask(stream, command, arguments):
    stream.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
    stream.flush()
    while True:
        answer = json.loads(stream.readline())
        if "error" in answer:
            raise LabError(f"QEMU refused {command}: {answer['error']['desc']}")
        if "return" in answer:   # anything else is an event
            return answer["return"]
