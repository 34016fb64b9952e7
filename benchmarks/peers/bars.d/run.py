"""The experiment: all contenders in turns, a table for each collective, one document."""

import json
import os
import sys

from errors import Failed
from figures import Cell, Row
from sizes import LARGE
from table import print_table

# What Gloo has, and how it can wait: asleep, or polling, which is quicker where there are CPUs.
GLOO = {"all_reduce": ("ring", "ring_chunked", "halving_doubling"), "all_gather": ("ring",),
        "alltoall": ("pairwise",)}
OPEN_MPI = ("all_reduce", "all_gather", "alltoall")


class Run:
    def __init__(self, options, bench):
        self.options, self.bench = options, bench
        self.tables, self.failures = {}, []

    def report(self, failure):
        self.failures.append(failure)
        print(f"bars: {failure}", file=sys.stderr, flush=True)

    def contenders(self, collective, size):
        bench, cells = self.bench, []
        if bench.binary(f"{collective}_perf"):
            for algorithm in self.our_algorithms(collective):
                cells.append(Cell("ours", algorithm, lambda a=algorithm: bench.ours(
                    collective, a, size)))
        if bench.binary("gloo_peer"):
            for algorithm in GLOO.get(collective, ()):
                for polls in (False, True):
                    cells.append(Cell("gloo", algorithm + (" polling" if polls else ""),
                                      lambda a=algorithm, p=polls: bench.gloo(
                                          collective, a, p, size)))
        if collective in OPEN_MPI:
            cells.append(Cell("open_mpi", "", lambda: bench.open_mpi(collective, size)))
        return cells

    def our_algorithms(self, collective):
        try:
            algorithms = self.bench.our_algorithms(collective)
        except Failed as error:
            self.report(str(error))
            return []
        names = self.options.algo.split(",") if self.options.algo else algorithms
        return [name for name in algorithms if name is None or name in names]

    def measure_size(self, collective, size):
        cells, wires, one_way = self.contenders(collective, size), [], []
        for _ in range(self.options.repetitions):
            for cell in cells:
                cell.repeat(self.report)
            if size >= LARGE:
                self.measure_wire(size, wires, one_way)
        return Row(collective, size, cells, wires, one_way)

    def measure_wire(self, size, wires, one_way):
        try:
            for _ in range(1 if self.options.quick else self.options.device.wire_runs):
                wires.append(self.bench.wire.measure(size, both=True))
            one_way.append(self.bench.wire.measure(size, both=False))
        except Failed as error:
            self.report(str(error))

    def measure(self, collective):
        print(f"# {collective}, {self.options.ranks} ranks on {self.options.device.title}, "
              f"medians of {self.options.repetitions}")
        if not self.bench.binary(f"{collective}_perf"):
            print(f"# {collective}_perf: no binary yet")
        if not self.bench.binary("gloo_peer") and collective in GLOO:
            print("# gloo_peer: not built (Debian: libgloo-dev)")
        sys.stdout.flush()
        rows = self.tables[collective] = []
        for size in self.options.sizes:
            rows.append(self.measure_size(collective, size))
            self.write()
        print_table(rows)

    def write(self):
        """After every row, by renaming: it is whole at any moment."""
        if not self.options.json:
            return
        document = {
            "ranks": self.options.ranks, "repetitions": self.options.repetitions,
            "device": self.options.device.title, "quick": self.options.quick,
            "cpus": os.cpu_count(), "load": os.getloadavg(),
            "collectives": {name: [row.record() for row in rows]
                            for name, rows in self.tables.items()},
            "failures": self.failures}
        with open(self.options.json + ".part", "w", encoding="utf-8") as file:
            json.dump(document, file, indent=1)
        os.replace(self.options.json + ".part", self.options.json)
