"""Sizes as they are said and printed, and how often to repeat what."""

import re

from errors import Usage

SMALL, LARGE, WIRE = 4 << 10, 64 << 10, 1 << 20  # up to, from, and from there against the wire
HUGE = 16 << 20  # from here on all are bound by memory


def parse_size(word):
    match = re.fullmatch(r"(\d+)([KMG]?)", word.strip().upper())
    if not match or int(match[1]) == 0:
        raise Usage(f"--sizes: '{word}' is not a size such as 8, 64K or 1M")
    return int(match[1]) << {"": 0, "K": 10, "M": 20, "G": 30}[match[2]]


def format_size(size):
    for letter, shift in (("G", 30), ("M", 20), ("K", 10)):
        if size >= 1 << shift and size % (1 << shift) == 0:
            return f"{size >> shift} {letter}iB"
    return f"{size} B"


def format_time(microseconds):
    return f"{microseconds:.{2 if microseconds < 10 else 1}f} us"


def format_rate(gigabytes_per_second):
    if gigabytes_per_second < 0.1:
        return f"{gigabytes_per_second * 1e3:.1f} MB/s"
    return f"{gigabytes_per_second:.2f} GB/s"


class Pace:
    """How often to repeat on a device that moves `size` bytes in a tenth of a second or some."""

    def __init__(self, least, most, size):
        self.least, self.most, self.size = least, most, size

    def iterations(self, size, quick):
        """Timed, and before them: about as long for every size, or when quick, a twentieth of it."""
        many = max(self.least, min(self.most, self.size // size))
        many = max(5, many // 20) if quick else many
        return many, max(self.least // 4, many // 10)

    def writes(self, size, quick):
        return max(16, min(5000, self.size // (4 if quick else 1) // size))
