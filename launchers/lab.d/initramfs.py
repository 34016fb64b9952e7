"""The guests' initial file system: busybox, initramfs-init and the modules that every guest needs.

About 3 MB, not compressed: unpacking costs an emulated CPU more than reading. All other modules
are loaded on demand from the unpacked kernel package.
"""

import glob
import hashlib
import lzma
import os
import subprocess
import tempfile

from errors import LabError

BUSYBOX = "/bin/busybox"   # of busybox-static: nothing else is there when it runs
APPLETS = ("sh", "basename", "cat", "hostname", "insmod", "ip", "ln", "mkdir", "mount", "printf",
           "reboot", "switch_root", "uname")
# rdma_rxe looks crc32 up by name when it starts and fails without crc32_generic.
MODULES = ("virtio_pci", "9pnet_virtio", "9p", "overlay", "virtio_net", "crc32_generic",
           "rdma_rxe", "rdma_ucm")
FOLDERS = ("bin", "modules", "dev", "proc", "sys", "lower", "upper", "new")


def module_files(kernel):
    """Paths of the modules in the order in which they must be loaded; built-in ones left out."""
    release = os.listdir(f"{kernel}/lib/modules")[0]
    done = subprocess.run(
        ["modprobe", "-d", kernel, "-S", release, "--show-depends", "-a", *MODULES],
        capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise LabError(f"the kernel package lacks a module: {done.stderr.strip()}")
    lines = [line.split() for line in done.stdout.splitlines()]
    return list(dict.fromkeys(words[1] for words in lines if words[0] == "insmod"))


def module_content(path):
    """Decompressed: busybox's insmod reads plain modules only."""
    with open(path, "rb") as file:
        content = file.read()
    if path.endswith(".xz"):
        return lzma.decompress(content)
    if path.endswith(".zst"):
        done = subprocess.run(["zstd", "-dcq"], input=content, capture_output=True, check=True)
        return done.stdout
    return content


def plain_name(path):
    return os.path.basename(path).split(".ko")[0] + ".ko"


def put(root, name, content):
    path = os.path.join(root, name)
    with open(path, "wb") as file:
        file.write(content)
    os.chmod(path, 0o755)


def read(path):
    with open(path, "rb") as file:
        return file.read()


def static_busybox():
    content = read(BUSYBOX)
    if b"/lib64/ld-linux" in content:
        raise LabError(f"{BUSYBOX} is not static: install the package busybox-static")
    return content


def fill(root, kernel, init):
    for folder in FOLDERS:
        os.mkdir(os.path.join(root, folder))
    put(root, "init", init)
    put(root, "bin/busybox", static_busybox())
    for applet in APPLETS:
        os.symlink("busybox", os.path.join(root, "bin", applet))
    files = module_files(kernel)
    for path in files:
        put(root, "modules/" + plain_name(path), module_content(path))
    put(root, "modules/order", "".join(plain_name(path) + "\n" for path in files).encode())


def archive(root, target):
    """cpio keeps the order of its list, so parents come before what they hold."""
    names = [os.path.relpath(path, root) for path in
             sorted(glob.glob(f"{root}/**", recursive=True)) if path != f"{root}/"]
    with open(target + ".new", "wb") as file:
        subprocess.run(["cpio", "--quiet", "-o", "-H", "newc", "-R", "0:0"], cwd=root, check=True,
                       input="\n".join(names).encode(), stdout=file)
    os.rename(target + ".new", target)


def find_initramfs(kernel):
    """Next to the kernel; its name changes with everything that goes into it."""
    init = read(os.path.join(os.path.dirname(__file__), "initramfs-init"))
    content = init + repr((MODULES, APPLETS, FOLDERS)).encode() + read(BUSYBOX)
    target = f"{kernel}/initramfs-{hashlib.sha256(content).hexdigest()[:12]}"
    if not os.path.exists(target):
        with tempfile.TemporaryDirectory() as root:
            fill(root, kernel, init)
            archive(root, target)
    return target
