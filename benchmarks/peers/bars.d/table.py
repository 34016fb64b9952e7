"""A collective's rows, printed one by one as they become known."""

from figures import OF_WIRE
from sizes import format_size


HEAD = ["size", "ours", "gloo", "Open MPI", "NCCL", "wire", "ratio", "of wire", "bar"]
WIDTHS = [7, 32, 36, 15, 15, 10, 5, 7, 0]  # what is longer moves the rest of its line


def print_line(words):
    print("  ".join(word.ljust(width) for word, width in zip(words, WIDTHS)).rstrip(), flush=True)


def print_head():
    print_line(HEAD)


def print_row(row):
    print_line(row.columns())
    cell = row.against_wire()
    if cell:
        part = row.of_wire(cell)
        print(f"  against the wire: {cell.algorithm or row.collective} of "
              f"{format_size(row.size)}: {part:.2f}: {'met' if part >= OF_WIRE else 'MISSED'}",
              flush=True)
