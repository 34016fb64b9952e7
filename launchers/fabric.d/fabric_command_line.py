"""The command line: what is for fabric_description, what is for the launcher, and the way on."""

import argparse
import os
import re
import shlex
import sys

import calibration
import control
import description
import fabric_faults
import interrupts
import kernel_switches
import running_fabric
import switch_control
import ways_in
from errors import LAB_FAILED, USAGE, LabError, UsageError
from fabric_help import HELP, SYNOPSIS
from help import version

HERE = os.path.dirname(os.path.realpath(__file__))
# They are fabric_description's, which says what is wrong with their values.
OF_THE_FABRIC = ("--preset", "--hosts", "--rails", "--leaves", "--spines", "--rate", "--delay",
                 "--mtu", "--topology", "--addressing", "--balance", "--seed")


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise UsageError(f"{message}; see launchers/fabric --help")


def seconds(text):
    match = re.fullmatch(r"(\d+)(s|m|h|)", text)
    if match and 1 <= int(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]] <= 10**6:
        return int(match[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[match[2]]
    raise argparse.ArgumentTypeError(
        f"'{text}' is not a time from 1 to 1000000 seconds, such as 90, 90s, 10m or 1h")


def slots(text):
    if text.isdecimal() and 1 <= int(text) <= 1024:
        return int(text)
    raise argparse.ArgumentTypeError(f"'{text}' is not a number from 1 to 1024")


def make_parser():
    parser = Parser(prog="fabric", add_help=False, allow_abbrev=False)
    for option in OF_THE_FABRIC:
        parser.add_argument(option)
    parser.add_argument("--print", choices=("table", "svg", "json"))
    parser.add_argument("--switch", choices=("soft", "kernel"), default="soft")
    parser.add_argument("--slots", type=slots, default=1)
    parser.add_argument("--any-order", dest="any_order", action="store_true", default=None)
    parser.add_argument("--in-order", dest="any_order", action="store_false")
    parser.add_argument("--fault", dest="faults", action="append", type=shlex.split, default=[])
    parser.add_argument("--metrics", type=os.path.abspath)
    parser.add_argument("--results")
    parser.add_argument("--timeout", type=seconds)
    parser.add_argument("--programs", type=os.path.abspath)
    parser.add_argument("--verbose", action="store_true")
    return parser


def parse(arguments):
    """Options, those for fabric_description, and COMMAND."""
    split = arguments.index("--") if "--" in arguments else len(arguments)
    options = vars(make_parser().parse_args(arguments[:split]))
    command = arguments[split + 1:]
    if not command and not options["print"]:
        raise UsageError("no COMMAND: put it after --; see launchers/fabric --help")
    if command and options["print"]:
        raise UsageError("--print starts no COMMAND")
    about_fabric = []
    for option in OF_THE_FABRIC:
        value = options.pop(option[2:])
        if value is not None:
            about_fabric += [option, value]
    return options, about_fabric, command


def check(options, about_fabric, text):
    """What can be wrong, before anything is built."""
    fabric = description.Description.of_text(text)
    faults = [fabric_faults.parse(words, fabric) for words in options["faults"]]
    if options["switch"] == "soft":
        lines = [line for fault in faults for line in fault.lines()]
        requests = [word for line in lines for word in ("--request", line)]
        if requests:
            description.describe([*about_fabric, *requests], options["programs"])
        return
    kernel_switches.check(fabric)
    for fault in faults:
        kernel_switches.changes(fault)
    if options["metrics"]:
        raise UsageError("--metrics needs softswitch: use --switch soft")


def at_a_rate(options, about_fabric, text):
    """The description, with the rate that this machine can carry unless the user chose one."""
    load = calibration.load_of(description.Description.of_text(text))
    carried = calibration.carried_now(load, options["switch"])
    if "--rate" in about_fabric or "--topology" in about_fabric:
        return said(calibration.warning(load, carried), text)
    rate, sentence = calibration.choose(load, carried)
    rated = [*about_fabric, "--rate", f"{rate}Mbit"]
    return said(sentence, description.describe(rated, options["programs"]))


def said(sentence, value):
    if sentence:
        print(f"fabric: {sentence}", file=sys.stderr)
    return value


def run(options, about_fabric, command):
    description.check_tools()
    text = description.describe(about_fabric, options["programs"])
    check(options, about_fabric, text)
    if options["switch"] == "soft":
        description.program("softswitch", options["programs"])
    way = ways_in.find()
    interrupts.arm(options["timeout"])
    text = at_a_rate(options, about_fabric, text)
    fabric = running_fabric.RunningFabric(options, text, way)
    try:
        fabric.start(command)
        return fabric.wait()
    except LabError as error:
        interrupts.disarm()
        print(f"fabric: {error}", file=sys.stderr)
        fabric.end_gently()
        return error.code
    finally:
        interrupts.disarm()
        fabric.take_down()


def show(options, about_fabric):
    text = description.describe(about_fabric, options["programs"])
    check(options, about_fabric, text)
    sys.stdout.write(description.describe([*about_fabric, "--print", options["print"]],
                                          options["programs"]))
    return 0


def of_running(name, arguments, least, usage):
    """The folder of the fabric that --fabric chooses, and the other words."""
    chosen, words = None, arguments
    if words[:1] == ["--fabric"]:
        if len(words) < 2:
            raise UsageError(f"{name}: --fabric needs a process id")
        chosen, words = words[1], words[2:]
    if len(words) < least:
        raise UsageError(f"usage: launchers/fabric {name} [--fabric PID] {usage}")
    return running_fabric.choose(chosen), words


def fault(arguments):
    folder, words = of_running("fault", arguments, 2, "PLACE KIND...")
    wanted = fabric_faults.parse(words, running_fabric.description_in(folder))
    soft, kernel = f"{folder}/switch.sock", f"{folder}/fabric.sock"
    if os.path.exists(kernel):
        print(control.ask(control.connect_unix(kernel), {"fault": words}))
    else:
        switch_control.ask_all(soft, wanted.lines())
        print(f"{wanted.place}: {' '.join(wanted.kinds)}")
    return 0


def ask(arguments):
    folder, words = of_running("ask", arguments, 1, "WORDS...")
    print(switch_control.ask(f"{folder}/switch.sock", " ".join(words)))
    return 0


def shell(arguments):
    folder, words = of_running("shell", arguments, 1, "HOST [COMMAND...]")
    if words[0] not in running_fabric.description_in(folder).hosts:
        raise UsageError(f"there is no host '{words[0]}'")
    if not os.path.exists(f"{folder}/share/ready"):
        raise LabError("the fabric is not up yet")
    command = [f"{HERE}/enter", words[0], *(words[1:] or [os.environ.get("SHELL", "/bin/sh")])]
    environment = {**os.environ, "SOFTFABRIC": folder}
    if not running_fabric.is_inside():
        with open(f"{folder}/share/unshare", encoding="ascii") as file:
            command = [*ways_in.into(int(file.read())), *command]
    os.execvpe(command[0], command, environment)


def dispatch(arguments):
    if not arguments:
        print(SYNOPSIS, end="", file=sys.stderr)
        return USAGE
    if arguments[0] in ("--help", "-h"):
        print(HELP, end="")
        return 0
    if arguments[0] == "--version":
        print(f"railgauge-fabric {version()}")
        return 0
    commands = {"fault": fault, "ask": ask, "shell": shell}
    if arguments[0] in commands:
        return commands[arguments[0]](arguments[1:])
    options, about_fabric, command = parse(arguments)
    if options["print"]:
        return show(options, about_fabric)
    return run(options, about_fabric, command)


def main(arguments):
    try:
        return dispatch(arguments)
    except LabError as error:
        if str(error):
            print(f"fabric: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(f"fabric: {error}", file=sys.stderr)
        return LAB_FAILED
