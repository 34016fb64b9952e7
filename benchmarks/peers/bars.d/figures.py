"""What was measured of a size of a collective, and which bar it meets."""

import statistics

from errors import Failed
from sizes import HUGE, LARGE, SMALL, WIRE, format_rate, format_size, format_time

BETTER, OF_WIRE = 1.3, 0.95


class Cell:
    """One contender at one size: a figure a repetition."""

    def __init__(self, who, algorithm, measure):
        self.who, self.algorithm, self.measure = who, algorithm, measure
        self.times, self.busbws, self.failures = [], [], []

    def repeat(self, report):
        if len(self.failures) > 1:
            return  # twice is enough
        try:
            figure = self.measure()
        except Failed as error:
            self.failures.append(str(error))
            report(str(error))
            return
        if figure is not None:
            self.times.append(figure[0])
            self.busbws.append(figure[1])

    @property
    def time(self):
        return statistics.median(self.times)

    @property
    def busbw(self):
        return statistics.median(self.busbws)

    @property
    def spread(self):
        """How far repetitions lie apart, as a part of their median: without the best and the worst."""
        inner = sorted(self.times)[1:-1] if len(self.times) > 3 else sorted(self.times)
        return (inner[-1] - inner[0]) / self.time


def best(cells):
    measured = [cell for cell in cells if cell.times]
    return min(measured, key=lambda cell: cell.time) if measured else None


class Row:
    """One size of one collective: as much as has been measured."""

    def __init__(self, collective, size, cells):
        self.collective, self.size, self.cells = collective, size, cells
        self.wires, self.one_way = [], []
        self.complete = False  # all contenders have had all their turns: before that none is judged

    def best_of(self, who):
        return best([cell for cell in self.cells if cell.who == who])

    @property
    def theirs(self):
        return best([cell for cell in self.cells if cell.who != "ours"])

    @property
    def wire(self):
        return statistics.median(self.wires) if self.wires else None

    @property
    def ratio(self):
        """How many times as quick ours is as the best peer: the same number for time and bandwidth."""
        ours, theirs = self.best_of("ours"), self.theirs
        return theirs.time / ours.time if self.complete and ours and theirs else None

    def of_wire(self, cell):
        return cell.busbw / self.wire if cell and self.wire and self.size >= LARGE else None

    @property
    def verdict(self):
        """By how it is met; None where there is no bar, or one side has no figure."""
        if self.collective == "sendrecv" or self.ratio is None or SMALL < self.size < LARGE:
            return None
        if self.ratio >= (BETTER if LARGE <= self.size < HUGE else 1):
            return "met"
        # As ib_write_bw has it. What it moves in both directions at once, others can exceed.
        if (self.of_wire(self.best_of("ours")) or 0) >= OF_WIRE:
            return "met: wire"
        return "MISSED"

    def against_wire(self):
        """The cell that has to reach the wire here, if any."""
        if self.size < WIRE or self.wire is None or not self.complete:
            return None
        if self.collective == "sendrecv":
            return self.best_of("ours")
        rings = [cell for cell in self.cells if cell.who == "ours" and cell.algorithm == "ring"]
        return best(rings) if self.collective == "all_gather" else None

    def describe(self, cell):
        if cell is None:
            return "-"
        small = self.size < LARGE
        figure = format_time(cell.time) if small else format_rate(cell.busbw)
        spread = f" ±{50 * cell.spread:.0f}%" if len(cell.times) > 1 else ""
        return f"{figure} {cell.algorithm or ''}".rstrip() + spread

    def columns(self):
        of_wire, ratio = self.of_wire(self.best_of("ours")), self.ratio
        return [format_size(self.size), *(self.describe(self.best_of(who))
                                          for who in ("ours", "gloo", "open_mpi", "nccl")),
                format_rate(self.wire) if self.wire and self.size >= LARGE else "-",
                f"{ratio:.2f}" if ratio else "-", f"{of_wire:.2f}" if of_wire else "-",
                (self.verdict or "-") if self.complete else "cut short"]

    def record(self):
        return {"bytes": self.size, "complete": self.complete, "bar": self.verdict, "ratio": self.ratio,
                "of_wire": self.of_wire(self.best_of("ours")), "wire_GBps": self.wire,
                "wire_one_way_GBps": statistics.median(self.one_way) if self.one_way else None,
                "contenders": [{"who": cell.who, "algorithm": cell.algorithm,
                                "median_us": cell.time if cell.times else None,
                                "busbw_GBps": cell.busbw if cell.times else None,
                                "repetitions_us": cell.times, "failures": cell.failures}
                               for cell in self.cells]}
