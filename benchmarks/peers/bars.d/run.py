"""The experiment: all contenders in turns, a table for each collective, one document."""

import json
import os
import sys

from errors import Failed, Interrupted
from figures import Cell, Row
from sizes import LARGE
from table import print_head, print_row

# What Gloo has, and how it can wait: asleep, or polling, which is quicker where there are CPUs.
GLOO = {"all_reduce": ("ring", "ring_chunked", "halving_doubling"), "all_gather": ("ring",),
        "alltoall": ("pairwise",)}
ALL_BUT_SENDRECV = ("all_reduce", "all_gather", "alltoall")


class Run:
    def __init__(self, options, bench):
        self.options, self.bench = options, bench
        self.tables, self.failures, self.ended_by = {}, [], None

    def report(self, failure):
        self.failures.append(failure)
        print(f"bars: {failure}", file=sys.stderr, flush=True)

    def contenders(self, collective, size):
        bench, cells = self.bench, []
        if bench.binary(f"{collective}_perf"):
            for algorithm in self.our_algorithms(collective):
                cells.append(Cell("ours", algorithm, lambda a=algorithm: bench.ours(
                    collective, a, size)))
        if bench.binary("gloo_peer") and bench.device.wire:
            for algorithm in GLOO.get(collective, ()):
                for polls in (False, True):
                    cells.append(Cell("gloo", algorithm + (" polling" if polls else ""),
                                      lambda a=algorithm, p=polls: bench.gloo(
                                          collective, a, p, size)))
        if collective in ALL_BUT_SENDRECV:
            cells.append(Cell("open_mpi", "", lambda: bench.open_mpi(collective, size)))
        if collective in ALL_BUT_SENDRECV and not bench.nccl_left_out:
            cells.append(Cell("nccl", "", lambda: bench.nccl(collective, size)))
        return cells

    def our_algorithms(self, collective):
        try:
            algorithms = self.bench.our_algorithms(collective)
        except Failed as error:
            self.report(str(error))
            return []
        names = self.options.algo.split(",") if self.options.algo else algorithms
        return [name for name in algorithms if name is None or name in names]

    def fill(self, row):
        for _ in range(self.options.repetitions):
            for cell in row.cells:
                cell.repeat(self.report)
            if row.size >= LARGE and self.bench.device.wire:
                self.measure_wire(row)
        row.complete = True

    def measure_wire(self, row):
        try:
            for _ in range(1 if self.options.quick else self.options.device.wire_runs):
                row.wires.append(self.bench.wire.measure(row.size, both=True))
            row.one_way.append(self.bench.wire.measure(row.size, both=False))
        except Failed as error:
            self.report(str(error))

    def measure_row(self, collective, size):
        """Prints and writes it even if it is cut short: with what is known by then."""
        row = Row(collective, size, self.contenders(collective, size))
        self.tables[collective].append(row)
        try:
            self.fill(row)
        finally:
            print_row(row)
            self.write()

    def measure(self, collective):
        print(f"# {collective}, {self.options.ranks} ranks on {self.options.device.title}, "
              f"medians of {self.options.repetitions}{', unbound' if self.options.unbound else ''}")
        if not self.bench.binary(f"{collective}_perf"):
            print(f"# {collective}_perf: no binary yet")
        if not self.bench.binary("gloo_peer") and collective in GLOO and self.bench.device.wire:
            print("# gloo_peer: not built (Debian: libgloo-dev)")
        if self.bench.device.network and not self.bench.device.wire:
            print("# Gloo and ib_write_bw are left out: they drive one rail")
        if self.bench.nccl_left_out and collective in ALL_BUT_SENDRECV and self.bench.device.network:
            print(f"# NCCL is left out: {self.bench.nccl_left_out}")
        print_head()
        self.tables[collective] = []
        try:
            for size in self.options.sizes:
                self.measure_row(collective, size)
        except Interrupted as error:
            self.ended_by = str(error)
            self.write()
            raise

    def write(self):
        """After every row, by renaming: it is whole at any moment."""
        if not self.options.json:
            return
        document = {
            "ranks": self.options.ranks, "repetitions": self.options.repetitions,
            "device": self.options.device.title, "quick": self.options.quick,
            "unbound": self.options.unbound, "nccl_left_out": self.bench.nccl_left_out, "ended_by": self.ended_by,
            "cpus": os.cpu_count(), "load": os.getloadavg(),
            "collectives": {name: [row.record() for row in rows]
                            for name, rows in self.tables.items()},
            "failures": self.failures}
        with open(self.options.json + ".part", "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
        os.replace(self.options.json + ".part", self.options.json)
