"""The guests' kernel: Debian's stock one, unpacked into a cache, never installed."""

import fcntl
import glob
import hashlib
import lzma
import os
import re
import shutil
import struct
import subprocess
import tempfile

from errors import LabError

# Debian's and Ubuntu's names for "the current stock kernel".
META_PACKAGES = ("linux-image-amd64", "linux-image-generic")
KERNEL_PACKAGE = re.compile(r"linux-(image|modules|modules-extra)-\d\S*$")


def cache_folder():
    base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    folder = os.path.join(base, "railgauge", "lab")
    os.makedirs(folder, exist_ok=True)
    return folder


def locked(folder):
    """Held while the cache is filled: several laboratories may start at the same time."""
    lock = open(os.path.join(folder, "lock"), "wb")
    fcntl.flock(lock, fcntl.LOCK_EX)
    return lock


def output_of(*command):
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    return done.stdout if done.returncode == 0 else ""


def packages_of(name):
    """The kernel packages that a package stands for, itself included."""
    found = {name} if KERNEL_PACKAGE.match(name) else set()
    for line in output_of("apt-cache", "depends", "--important", name).splitlines():
        match = re.match(r"\s+\|?Depends: (\S+)", line)
        if match and KERNEL_PACKAGE.match(match[1]) and match[1] not in found:
            found |= packages_of(match[1])
    return found


def candidate(package):
    match = re.search(r"Candidate: (\S+)", output_of("apt-cache", "policy", package))
    return f"{package}={match[1]}" if match else package


def current_packages():
    """name=version of what apt would install now; empty without apt's package lists."""
    for meta in META_PACKAGES:
        packages = packages_of(meta)
        if packages:
            return sorted(map(candidate, packages))
    return []


def download(packages, folder):
    # apt's own sandbox user cannot write here; as root it warns, which is of no interest.
    done = subprocess.run(["apt-get", "download", *packages], cwd=folder,
                          capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LabError(f"cannot download {packages[0]}: {done.stderr.strip().splitlines()[-1]}")
    for package in glob.glob(f"{folder}/*.deb"):
        subprocess.run(["dpkg", "-x", package, folder], check=True)
        os.remove(package)


def decompressed(image):
    """The ELF kernel inside a bzImage, or None if it is not XZ.

    QEMU starts an ELF kernel directly (PVH): decompressing it here once takes 1 s, in every
    emulated guest several.
    """
    setup_sectors = image[0x1F1]
    offset, length = struct.unpack_from("<II", image, 0x248)
    start = (setup_sectors + 1) * 512 + offset
    payload = image[start:start + length - 4]   # without the size that ends it
    return lzma.decompress(payload) if payload.startswith(b"\xfd7zXZ") else None


# Drivers of hardware that no guest has: 300 of 400 MB.
UNUSED = ("boot", "usr", "etc", *(f"lib/modules/*/kernel/{part}" for part in (
    "sound", "drivers/gpu", "drivers/media", "drivers/scsi", "drivers/usb", "drivers/staging",
    "drivers/iio", "drivers/hwmon", "drivers/hid", "drivers/net/ethernet", "drivers/net/wireless",
    "drivers/infiniband/hw")))


def remove_unused(folder):
    for pattern in UNUSED:
        for path in glob.glob(f"{folder}/{pattern}"):
            shutil.rmtree(path)


def prepare(folder):
    """From the packages' files to the two things a guest needs: vmlinux and lib/modules."""
    [packed] = glob.glob(f"{folder}/boot/vmlinuz-*")
    with open(packed, "rb") as file:
        image = file.read()
    with open(f"{folder}/vmlinux", "wb") as file:
        file.write(decompressed(image) or image)
    if os.path.isdir(f"{folder}/usr/lib/modules"):   # merged /usr: Ubuntu 24.04
        os.renames(f"{folder}/usr/lib/modules", f"{folder}/lib/modules")
    remove_unused(folder)
    release = os.path.basename(packed)[len("vmlinuz-"):]
    subprocess.run(["depmod", "-b", folder, release], check=True)


def unpack(packages, target):
    """Works in a folder next to the target: a half-filled cache must never be found."""
    folder = tempfile.mkdtemp(dir=os.path.dirname(target))
    try:
        download(packages, folder)
        prepare(folder)
        os.rename(folder, target)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def cached(cache):
    """Unpacked kernels, the newest last."""
    return sorted(glob.glob(f"{cache}/kernel-*"), key=os.path.getmtime)


def up_to_date(known):
    """Asking apt takes 1.5 s, so it is asked only after its package lists have changed."""
    lists = "/var/lib/apt/lists"
    return known and (not os.path.exists(lists)
                      or os.path.getmtime(known[-1]) > os.path.getmtime(lists))


def refresh(cache, known, progress):
    packages = current_packages()
    name = hashlib.sha256(" ".join(packages).encode()).hexdigest()[:12]
    target = f"{cache}/kernel-{name}"
    if packages and target not in known:
        progress(f"fetching {packages[0]} into {cache}")
        unpack(packages, target)
        for old in known:
            shutil.rmtree(old)
    if os.path.isdir(target):
        os.utime(target)


def find_kernel(progress):
    """The folder of the current kernel; fetches it if the cache does not hold it yet."""
    cache = cache_folder()
    with locked(cache):
        known = cached(cache)
        if not up_to_date(known):
            try:
                refresh(cache, known, progress)
            except LabError as error:
                if not known:
                    raise
                progress(f"{error}; using the cached kernel")
        return newest(cache)


def newest(cache):
    known = cached(cache)
    if not known:
        raise LabError("apt knows no kernel package: run apt-get update")
    return known[-1]
