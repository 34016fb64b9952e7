"""A laboratory of guests: boots them, runs one command on host 0, takes everything down."""

import glob
import os
import shlex
import sys
import time

import accelerator
import control
import faults
import guest
import initramfs
import interrupts
import kernel
import network
import protocol
from errors import LAB_FAILED, LabError
from workspace import HERE, Workspace, environment

BOOT_SECONDS = 180   # a loaded CI machine without KVM; an idle one with 2 CPUs: 5 s
GUEST_SHARE = "/run/railgauge/share"
GUEST_RESULTS = "/run/railgauge/results"


class Laboratory:
    def __init__(self, options, progress):
        self.options = options
        self.progress = progress
        self.workspace = None
        self.switches = []
        self.hosts = []
        self.faults = {}   # (host, rail): RailFaults

    def prepare(self):
        """What all laboratories on this machine share: kernel, initramfs, accelerator."""
        kernel_folder = kernel.find_kernel(self.progress)
        initial = initramfs.find_initramfs(kernel_folder)
        self.options.accel = self.options.accel or accelerator.find(
            kernel_folder, initial, kernel.cache_folder(), self.progress)
        self.progress(f"kernel {kernel_folder}, accelerator {self.options.accel}")
        return kernel_folder, initial

    def start(self):
        kernel_folder, initial = self.prepare()
        self.workspace = Workspace(self.options.results)
        self.describe(kernel_folder)
        self.start_switches()
        interrupts.watch_children(self.check_hosts)
        for number in range(self.options.hosts):
            self.start_guest(number, kernel_folder, initial)
        self.wait_until_ready()
        for machine in self.hosts:
            machine.find_agent()

    def describe(self, kernel_folder):
        """Tells the guests what to become."""
        [modules] = glob.glob(f"{kernel_folder}/lib/modules/*")
        self.workspace.write_hosts([network.management_address(number)
                                    for number in range(self.options.hosts)],
                                   self.options.slots)
        self.workspace.write("settings", f"guest_init={shlex.quote(HERE + '/guest-init')}\n"
                                         f"modules={shlex.quote(modules)}\n"
                                         f"rails={self.options.rails}\n")

    def start_switches(self):
        for segment in network.segments(self.options.rails):
            path = f"{self.workspace.path}/{segment}"
            self.switches.append(network.start_switch(path, guest.die_with_parent))

    def start_guest(self, number, kernel_folder, initial):
        relay = [sys.executable, "-IB", f"{HERE}/relay.py", f"{self.workspace.path}/lab.sock"]
        machine = guest.Guest(number, self.workspace.path)
        self.hosts.append(machine)
        machine.start([
            *guest.machine_arguments(self.options.accel, guest.cpus_per_guest(self.options.hosts),
                                     kernel_folder, initial, f"railgauge_host={number}"),
            *guest.share_arguments("root", "/", ",readonly=on"),
            *guest.share_arguments("share", self.workspace.share, ""),
            *guest.share_arguments("results", self.workspace.results, ""),
            *guest.control_arguments(number, relay),
            *network.arguments(number, self.options.rails)])

    def check_hosts(self):
        for machine in self.hosts:
            if machine.process and machine.process.poll() is not None:
                raise LabError(f"{machine.name} died: {machine.cause_of_death()}")

    def wait_until_ready(self):
        began = time.monotonic()
        while not all(machine.ready() for machine in self.hosts):
            if time.monotonic() - began > BOOT_SECONDS:
                late = [machine.name for machine in self.hosts if not machine.ready()]
                raise LabError(f"{', '.join(late)} did not boot within {BOOT_SECONDS} s")
            time.sleep(0.05)
        self.progress(f"{len(self.hosts)} hosts ready after {time.monotonic() - began:.1f} s")

    def environment(self):
        return environment(GUEST_SHARE, GUEST_RESULTS, guest.RELAY, "mgmt", guest.AGENT_PORT)

    def request(self, command, cwd="/"):
        return {"token": self.workspace.token, "command": command, "cwd": cwd,
                "env": self.environment()}

    def new_rail_faults(self, host, rail):
        return faults.RailFaults(host, rail, self.options.hosts, f"rail{rail}", lambda _: ":")

    def serve_request(self, request):
        """Called by the control socket's threads, and for the faults given at the start."""
        host, rail, kinds = faults.parse(request["fault"], self.options.hosts, self.options.rails)
        state = self.faults.setdefault((host, rail), self.new_rail_faults(host, rail))
        state.change(kinds)
        command = ["/bin/sh", "-c", state.command()]
        status, output = protocol.collect(self.hosts[host].agent, self.request(command))
        if status != 0:
            raise LabError(f"host{host} rail{rail}: {output}")
        self.hosts[host].set_link(rail, state.link_is_up())
        return f"host{host} rail{rail}: {state}"

    def run(self, command):
        """COMMAND's exit status; its output is passed on as it comes."""
        control.Server(f"{self.workspace.path}/lab.sock", self.serve_request)
        for words in self.options.faults:
            self.serve_request({"fault": words})
        try:
            with protocol.start(self.hosts[0].agent, self.request(command, os.getcwd())) as agent:
                return protocol.pass_on(agent, protocol.TO_OWN_OUTPUT)
        except ConnectionError as error:
            time.sleep(2)   # the signal that its guest died follows, and says more
            raise LabError(f"lost contact with host0: {error}", LAB_FAILED) from error

    def last_words(self):
        return {machine.name: machine.last_words() for machine in self.hosts}

    def take_down(self):
        for machine in self.hosts:
            machine.kill()
        for switch in self.switches:
            switch.kill()
            switch.wait()
        if self.workspace:
            self.workspace.remove()
