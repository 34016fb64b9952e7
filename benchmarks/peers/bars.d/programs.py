"""Programs: each in a session of its own, with a deadline; none stays behind."""

import contextlib
import os
import signal
import subprocess

from errors import Failed


class Programs:
    """Starts programs, each in a session of its own, with a deadline; leaves none behind."""

    def __init__(self, deadline):
        self.deadline = deadline
        self.running = []

    def start(self, command, environment=None):
        process = subprocess.Popen(
            command, env=os.environ | (environment or {}), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True,
            preexec_fn=keep_priority)
        self.running.append(process)
        return process

    def finish(self, process, what):
        """Its stdout and stderr; Failed when its exit status is not 0, or it has none in time."""
        try:
            out, err = process.communicate(timeout=self.deadline)
        except subprocess.TimeoutExpired as error:
            raise Failed(f"{what}: timed out after {self.deadline} s") from error
        finally:
            self.end(process)
        if process.returncode:
            raise Failed(f"{what}: exit status {process.returncode}: {last_words(err or out)}")
        return out, err

    def run(self, command, what, environment=None):
        return self.finish(self.start(command, environment), what)

    def end(self, process):
        """Ends it and all that it started: mpirun gives every rank a process group, but no session."""
        if process.poll() is None:
            process.terminate()
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(3)
        for member in session_members(process.pid):
            with contextlib.suppress(OSError):
                os.kill(member, signal.SIGKILL)
        process.wait()
        if process in self.running:
            self.running.remove(process)

    def end_all(self):
        for process in list(self.running):
            self.end(process)


def keep_priority():
    """To Linux' scheduler a session is a group (sched(7), autogroup): nice counts only within it."""
    with contextlib.suppress(OSError):
        with open("/proc/self/autogroup", "w", encoding="ascii") as file:
            file.write(str(os.nice(0)))


def session_members(session):
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError):
            with open(f"/proc/{name}/stat", encoding="ascii", errors="replace") as file:
                fields = file.read().rpartition(")")[2].split()
            if int(fields[3]) == session and fields[0] != "Z":
                yield int(name)


def last_words(text):
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and not line.startswith(("---", "softroce: soft"))]
    return " / ".join(lines[:3])[:400] or "no output"
