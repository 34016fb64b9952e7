"""What the measuring scripts share: their options, programs of a build, and runs of ranks."""

import argparse
import json
import os
import subprocess
import sys
import tempfile

TREE = os.path.dirname(os.path.dirname(os.path.realpath(__file__)))
MPIRUN = os.path.join(TREE, "launchers", "mpirun")
FABRIC = os.path.join(TREE, "launchers", "fabric")


class Failed(Exception):
    """A program ended with an error, or its figures cannot be right."""


class Parser(argparse.ArgumentParser):
    """Has --build, and says what is wrong in one line."""

    def __init__(self, text):
        super().__init__(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
        self.add_argument("--build", default=os.path.join(TREE, "build", "release"), metavar="DIR",
                          help="build directory (default: build/release)")

    def error(self, message):
        self.exit(2, f"{self.prog}: {message}\n")

    def numbers(self, option, words):
        try:
            return [int(word) for word in words.split(",")]
        except ValueError:
            self.error(f"{option}: expected whole numbers separated by commas, not {words}")


def program(options, name):
    path = os.path.join(options.build, "bin", name)
    if os.access(path, os.X_OK):
        return path
    raise Failed(f"{path} is missing: build it first, or name the build directory with --build")


def run(*command, limit=None, accepted=(0,), **environment):
    """What it prints on stdout. `limit`: seconds."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=limit,
                              env={**os.environ, **environment})
    except subprocess.TimeoutExpired as expired:
        raise Failed(f"{' '.join(command)} did not end within {limit} s") from expired
    if done.returncode not in accepted:
        said = "; ".join((done.stderr + done.stdout).strip().splitlines())[:2000]
        raise Failed(f"{' '.join(command)} ended with {done.returncode}: {said or 'it printed nothing'}")
    return done.stdout


def document_of(options, ranks, name, *arguments, before=(), mpirun=(), **how):
    """The document of ranks of a program, and nothing of what they print."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "run.json")
        run(*before, MPIRUN, "--oversubscribe", *mpirun, "-np", str(ranks), program(options, name), *arguments, "-J", path,
            **how)
        with open(path, encoding="utf-8") as file:
            return json.load(file)


def exit_status(measure, options):
    try:
        measure(options)
    except (Failed, OSError, subprocess.TimeoutExpired) as failure:
        print(f"{os.path.basename(sys.argv[0])}: {failure}", file=sys.stderr)
        return 1
    return 0
