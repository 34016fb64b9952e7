"""The command line: help, checks of what was given, and the way through one run."""

import argparse
import os
import re
import shlex
import shutil
import sys

import control
import faults
import interrupts
from errors import LAB_FAILED, USAGE, LabError, UsageError
from help import HELP, SYNOPSIS, version
from laboratory import Laboratory
from native import NativeLaboratory

NEEDED = {   # program: Debian package
    "qemu-system-x86_64": "qemu-system-x86", "busybox": "busybox-static", "modprobe": "kmod",
    "depmod": "kmod", "cpio": "cpio", "ip": "iproute2", "rdma": "iproute2"}
MOST = 8   # hosts, and rails: the digit in a rail's name, address and MAC


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message}; see launchers/lab --help")


def number(least, most, what):
    def parse(text):
        if not text.isdecimal() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(
                f"'{text}' is not a number of {what} from {least} to {most}")
        return int(text)
    return parse


def seconds(text):
    """600 of "600", "600s" or "10m"."""
    match = re.fullmatch(r"(\d+)(s|m|h|)", text)
    if match:
        found = int(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
        if 1 <= found <= 10**6:
            return found
    raise argparse.ArgumentTypeError(
        f"'{text}' is not a time from 1 to 1000000 seconds, such as 90, 90s, 10m or 1h")


def make_parser():
    parser = Parser(prog="lab", add_help=False, allow_abbrev=False)
    parser.add_argument("--hosts", type=number(1, MOST, "hosts"), default=2)
    parser.add_argument("--rails", type=number(0, MOST, "rails"), default=2)
    parser.add_argument("--slots", type=number(1, 1024, "slots"))
    parser.add_argument("--results")
    parser.add_argument("--timeout", type=seconds, default=600)
    parser.add_argument("--fault", dest="faults", action="append", type=shlex.split, default=[])
    parser.add_argument("--accel", choices=("kvm", "tcg"))
    parser.add_argument("--native", action="store_true")
    parser.add_argument("--verbose", action="store_true")
    return parser


def parse(arguments):
    """Options and COMMAND, both checked as far as that is possible without booting."""
    if "--" not in arguments:
        make_parser().parse_args(arguments)   # a wrong option is the better message
        raise UsageError("no COMMAND: put it after --; see launchers/lab --help")
    split = arguments.index("--")
    options = make_parser().parse_args(arguments[:split])
    command = arguments[split + 1:]
    if not command:
        raise UsageError("no COMMAND after --; see launchers/lab --help")
    options.slots = options.slots or max(1, options.rails)
    for words in options.faults:
        faults.parse(words, options.hosts, options.rails)
    return options, command


def check_tools():
    path = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    missing = sorted({package for tool, package in NEEDED.items()
                      if not shutil.which(tool, path=path)})
    if missing:
        raise LabError(f"packages are missing: {' '.join(missing)}; install them with ci/setup --lab")
    os.environ["PATH"] = path


def report(error, laboratory):
    """The sentence, and unless the user ended it, the hosts' consoles."""
    print(f"lab: {error}", file=sys.stderr)
    if isinstance(error, interrupts.Interrupted):
        return error.code
    for name, lines in laboratory.last_words().items():
        print(f"lab: end of the console of {name}:", file=sys.stderr)
        for line in lines:
            print(f"  {name}| {line}", file=sys.stderr)
    return error.code


def run(options, command):
    def progress(sentence):
        if options.verbose:
            print(f"lab: {sentence}", file=sys.stderr, flush=True)

    interrupts.arm(options.timeout)
    laboratory = (NativeLaboratory if options.native else Laboratory)(options, progress)
    try:
        laboratory.start()
        return laboratory.run(command)
    except LabError as error:
        interrupts.disarm()
        return report(error, laboratory)
    finally:
        interrupts.disarm()
        laboratory.take_down()


def fault(arguments):
    parser = Parser(prog="lab fault", add_help=False, allow_abbrev=False)
    parser.add_argument("--lab")
    parser.add_argument("words", nargs="*")
    options = parser.parse_args(arguments)
    print(control.fault(options.lab, options.words))
    return 0


def prepare():
    check_tools()
    options = make_parser().parse_args([])
    kernel_folder, _ = Laboratory(options, lambda sentence: print(f"lab: {sentence}")).prepare()
    print(f"lab: ready to boot {kernel_folder} with {options.accel}")
    return 0


def main(arguments):
    try:
        if not arguments:
            print(SYNOPSIS, end="", file=sys.stderr)
            return USAGE
        if arguments[0] in ("--help", "-h"):
            print(HELP, end="")
            return 0
        if arguments[0] == "--version":
            print(f"railgauge-lab {version()}")
            return 0
        if arguments[0] == "fault":
            return fault(arguments[1:])
        if arguments == ["prepare"]:
            return prepare()
        options, command = parse(arguments)
        if not options.native:
            check_tools()
        return run(options, command)
    except LabError as error:
        print(f"lab: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"lab: {error}", file=sys.stderr)
        return LAB_FAILED
