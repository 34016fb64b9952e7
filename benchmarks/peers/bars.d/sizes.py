"""Sizes as they are said and printed, and how often to repeat what."""

import re

from errors import Usage

SMALL, LARGE, WIRE = 4 << 10, 64 << 10, 1 << 20  # up to, from, and from there against the wire


def parse_size(word):
    match = re.fullmatch(r"(\d+)([KMG]?)", word.strip().upper())
    if not match or int(match[1]) == 0:
        raise Usage(f"--sizes: '{word}' is no size; 8, 64K and 1M are")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def format_size(size):
    for letter, shift in (("G", 30), ("M", 20), ("K", 10)):
        if size >= 1 << shift and size % (1 << shift) == 0:
            return f"{size >> shift} {letter}iB"
    return f"{size} B"


def iterations_for(size, quick):
    """About as long for every size: some tenths of a second, or when quick, hundredths."""
    many = max(20, min(2000, (256 << 20) // size // 2))
    return max(5, many // 20) if quick else many
