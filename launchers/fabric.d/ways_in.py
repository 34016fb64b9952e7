"""How to get namespaces of one's own: as root, or as root of a user namespace."""

import contextlib
import ctypes
import os
import signal
import subprocess

from errors import LabError

PR_SET_PDEATHSIG = 1
# All of it ends with its first process, and that with unshare.
BASE = ["unshare", "--net", "--uts", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
AS_ROOT_OF_ITS_OWN = ["--user", "--map-root-user"]

# Settings that keep a user from namespaces: file, the value that does, and what to do.
OBSTACLES = (
    ("/proc/sys/kernel/unprivileged_userns_clone", "0",
     "sysctl kernel.unprivileged_userns_clone=1"),
    ("/proc/sys/user/max_user_namespaces", "0", "sysctl user.max_user_namespaces=10000"),
    ("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1",
     "sysctl kernel.apparmor_restrict_unprivileged_userns=0"),
)


def works(command):
    tried = subprocess.run([*command, "true"], capture_output=True, text=True, check=False)
    return None if tried.returncode == 0 else tried.stderr.strip() or "it failed without a message"


def find():
    """The command in front of what is to run in namespaces, and how it works."""
    reasons = []
    if os.geteuid() == 0:
        reason = works(BASE)
        if reason is None:
            return BASE
        reasons.append(f"as root: {reason}")
    reason = works([*BASE, *AS_ROOT_OF_ITS_OWN])
    if reason is None:
        return [*BASE, *AS_ROOT_OF_ITS_OWN]
    reasons.append(f"in a user namespace: {reason}")
    raise LabError(f"network namespaces are not allowed here ({'; '.join(reasons)}); {remedy()}")


def remedy():
    for path, value, command in OBSTACLES:
        with contextlib.suppress(OSError):
            with open(path, encoding="ascii") as file:
                if file.read().strip() == value:
                    return f"{path} is {value}: allow it ({command}), or run as root"
    if os.geteuid() == 0:
        return "in a container, start it with --privileged, or with --cap-add SYS_ADMIN,NET_ADMIN"
    return "run as root"


def die_with_parent():
    """For Popen's preexec_fn. Entering a user namespace undoes it: the lifeline does not care."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)


def first_process(unshare):
    """The child of unshare, which is process 1 inside."""
    with open(f"/proc/{unshare}/task/{unshare}/children", encoding="ascii") as file:
        children = file.read().split()
    if not children:
        raise LabError("the fabric is not there any more")
    return int(children[0])


def into(unshare):
    """The command in front of what is to run in the namespaces of a running fabric."""
    inside = first_process(unshare)
    own = os.stat("/proc/self/ns/user").st_ino == os.stat(f"/proc/{inside}/ns/user").st_ino
    user = [] if own else ["--user", "--preserve-credentials"]
    return ["nsenter", f"--target={inside}", *user, "--mount", "--pid", "--net"]
