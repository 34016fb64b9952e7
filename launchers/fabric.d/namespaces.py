"""Linux namespaces from Python: the calls, and files that keep namespaces."""

import contextlib
import ctypes
import os

NEWNS, NEWUTS, NEWNET = 0x00020000, 0x04000000, 0x40000000
MS_BIND, MS_REC, MS_PRIVATE = 0x1000, 0x4000, 1 << 18
MNT_DETACH = 2

libc = ctypes.CDLL(None, use_errno=True)


def checked(result, what):
    if result != 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{what}: {os.strerror(error)}")


def unshare(flags):
    checked(libc.unshare(flags), "unshare")


def mount(source, target, kind, flags=0, options=""):
    checked(libc.mount(source.encode(), target.encode(), kind.encode(), ctypes.c_ulong(flags),
                       options.encode()), f"mounting {kind or source} on {target}")


def bind(source, target):
    mount(source, target, "", MS_BIND)


def join(path, flags):
    """Enters the namespace that a file keeps."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    try:
        checked(libc.setns(descriptor, flags), f"entering {path}")
    finally:
        os.close(descriptor)


def set_hostname(name):
    checked(libc.sethostname(name.encode(), len(name)), "sethostname")


def keep(kind, path):
    """The current namespace of a kind lives as long as this file is mounted."""
    os.close(os.open(path, os.O_CREAT | os.O_RDONLY, 0o600))
    bind(f"/proc/thread-self/ns/{kind}", path)


@contextlib.contextmanager
def own_again(kind, flags):
    """Back in the namespace that this process had, whatever happens within."""
    own = os.open(f"/proc/thread-self/ns/{kind}", os.O_RDONLY | os.O_CLOEXEC)
    try:
        yield
    finally:
        checked(libc.setns(own, flags), f"leaving a {kind} namespace")
        os.close(own)


@contextlib.contextmanager
def inside(path):
    """What is done and started within is in the network namespace that a file keeps."""
    with own_again("net", NEWNET):
        join(path, NEWNET)
        yield


def make_network(path, prepare):
    """A network namespace that a file keeps; prepare() is called in it."""
    with own_again("net", NEWNET):
        unshare(NEWNET)
        keep("net", path)
        prepare()


def make_hostname(path, name):
    with own_again("uts", NEWUTS):
        unshare(NEWUTS)
        set_hostname(name)
        keep("uts", path)


def own_sys():
    """A /sys that shows this network namespace; where it may not be mounted, the old one stays."""
    unshare(NEWNS)
    mount("none", "/", "", MS_REC | MS_PRIVATE)
    with contextlib.suppress(OSError):
        mount("sysfs", "/sys", "sysfs")
