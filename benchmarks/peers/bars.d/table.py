"""A collective's rows, printed."""

import sys

from figures import OF_WIRE
from sizes import format_size


HEAD = ["size", "ours", "gloo", "Open MPI", "wire", "ratio", "of wire", "bar"]


def print_table(rows):
    lines = [HEAD, *(row.columns() for row in rows)]
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    for line in lines:
        print("  ".join(word.ljust(width) for word, width in zip(line, widths)).rstrip())
    for row in rows:
        cell = row.against_wire()
        if cell:
            part = row.of_wire(cell)
            print(f"  against the wire: {cell.algorithm or row.collective} of "
                  f"{format_size(row.size)}: {part:.2f}: {'met' if part >= OF_WIRE else 'MISSED'}")
    sys.stdout.flush()
