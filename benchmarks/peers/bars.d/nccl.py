"""NCCL: whether it can be a contender here, and the service by which ranks share a GPU."""

import contextlib
import os
import shutil
import subprocess

from errors import Failed

CONTROL = "nvidia-cuda-mps-control"  # of CUDA's Multi-Process Service
PATIENCE_S = 20


@contextlib.contextmanager
def made_ready(peer, device, programs, scratch):
    """Yields None if NCCL can run meanwhile, or a sentence that says why it cannot."""
    reason = why_not(peer, device, programs)
    if reason or answers():
        yield reason
        return
    # Processes that share a GPU without the service wait for each other's time slices.
    try:
        start(os.path.join(scratch, "mps"))
        yield None if answers() else f"{CONTROL} -d did not start"
    finally:
        control([], "quit\n")


def why_not(peer, device, programs):
    if device.nccl_environment is None:
        return f"it does not run on {device.title}"
    if peer is None:
        return "nccl_peer is not built"
    try:
        programs.run([peer, "--available"], "nccl_peer --available")
    except Failed as error:
        return str(error).rpartition("nccl_peer: ")[2]
    return None if shutil.which(CONTROL) else f"there is no {CONTROL}, which lets ranks share a GPU"


def start(folder):
    os.mkdir(folder)
    os.environ |= {"CUDA_MPS_PIPE_DIRECTORY": folder, "CUDA_MPS_LOG_DIRECTORY": folder}
    control(["-d"], "")


def answers():
    return control([], "get_server_list\n") == 0


def control(arguments, words):
    """Its exit status. No pipes to read: a daemon would keep them open."""
    with contextlib.suppress(OSError, subprocess.TimeoutExpired):
        return subprocess.run([CONTROL, *arguments], input=words.encode(), stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False, timeout=PATIENCE_S).returncode
    return None
