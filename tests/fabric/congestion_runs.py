"""Runs of a test on fabrics of launchers/fabric, for tests: congestion_planted_test, congestion_scenarios_test, groups_test, interference_test."""

import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.realpath(__file__))
sys.path.insert(0, HERE)
import measure  # noqa: E402

RATE = "20Mbit"
WORKLOAD = "railgauge/workload/1"
INSIDE = """mpirun -np "$0" "$@" -J "$RAILGAUGE_RESULTS/result.json" 2>&1; echo "$?" > "$RAILGAUGE_RESULTS/status" """
DESCRIBED = '--topology "$SOFTFABRIC/share/fabric.json" -J'
ALIKE = 'exec "$0" "$@"'
ODD = f'[ "$(hostname)" != host2 ] || export SOFTROCE_FAULTS="ODD"; {ALIKE}'
SOCKET, FILE = '"$SOFTFABRIC/switch.sock"', '"$RAILGAUGE_RESULTS/switches.json"'
COLLECTED = f"{HERE}/switch_collector {SOCKET} {FILE} & until [ -s {FILE} ]; do sleep 0.1; done; "
failed, void = [], []


def check(what, good, seen=""):
    print(f"{'ok' if good else 'FAILED'}: {what}" + ("" if good else f": {seen}"), flush=True)
    if not good:
        failed.append(what)


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


def fabric(programs, *arguments, **options):
    return subprocess.run([measure.FABRIC, "--programs", programs, *arguments], stdout=subprocess.PIPE, text=True,
                          check=False, **options)


def skip_where_it_cannot_run(programs):
    tried = fabric(programs, "--switch", "kernel", "--hosts", "1", "--rails", "1", "--spines", "1", "--rate", "200Mbit",
                   "--", "true",
                   stderr=subprocess.PIPE)
    if tried.returncode != 0:
        skip(tried.stderr.strip())


def nothing(_):
    pass


def run(programs, hosts, spines, options, change=nothing, of_fabric=(), program="congestion_perf", rails=1, described=False,
        odd="", beside=":", counters=SOCKET):
    """(exit status, document, output) on a fabric whose description was changed. `odd`: SOFTROCE_FAULTS of host2; `beside`:
    a command that goes on on host0 meanwhile; `counters`: of switches, or nothing."""
    inside = INSIDE
    if program == "congestion_perf" and counters:
        inside = (COLLECTED if counters == FILE else "") + inside.replace("-J", f"--switch-counters {counters} -J")
    if described:
        inside = inside.replace("-J", DESCRIBED)
    made = fabric(programs, "--print", "json", "--hosts", str(hosts), "--rails", str(rails), "--spines", str(spines),
                  "--rate", RATE)
    description = json.loads(made.stdout)
    change(description)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file, tempfile.TemporaryDirectory() as out:
        json.dump(description, file)
        file.flush()
        done = fabric(programs, "--topology", file.name, "--results", out, *of_fabric, "--timeout", "200", "--",
                      "bash", "-c", f"{beside} & {inside}", str(hosts), "bash", "-c", ODD.replace("ODD", odd) if odd else ALIKE,
                      f"{programs}/{program}", "--device", f"soft:{rails}", *options)
        with open(f"{out}/status", encoding="ascii") as status, open(f"{out}/result.json", encoding="utf-8") as result:
            return int(status.read()), json.load(result), done.stdout


def run_mix(programs, parts, change, rails=1):
    """(exit status, document, output) of job_perf with these workloads at the same time, on four hosts."""
    mix = {"schema": WORKLOAD, "name": "mix", "steps": 8, "parts": parts}
    with tempfile.NamedTemporaryFile("w", suffix=".workload") as file:
        json.dump(mix, file)
        file.flush()
        return run(programs, 4, 1, [file.name, "-T", "60"], change, program="job_perf", rails=rails)


def errors(document):
    return [one for one in document["findings"] if one["severity"] == "error"]
