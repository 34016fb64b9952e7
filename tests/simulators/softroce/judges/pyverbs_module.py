#!/usr/bin/python3
"""Runs one module of rdma-core's tests. A skip that the table does not know is a failure.
usage: pyverbs_module.py TABLE MODULE, in the folder above rdma-core's tests
"""
import fnmatch
import pathlib
import sys
import unittest


def read_table(path):
    """Lines of three columns, apart by ' | ': tests, what they say when they skip, why that is right."""
    rows = [line.split(" | ") for line in pathlib.Path(path).read_text().splitlines()
            if line and not line.startswith("#")]
    return [(tests.strip(), says.strip()) for tests, says, _ in rows]


def is_known(table, test, reason):
    return any(fnmatch.fnmatch(test, tests) and fnmatch.fnmatch(reason, says)
               for tests, says in table)


def give_addresses():
    """rdma-core's tests look for a NIC's address in its PCI device, which a soft device has not."""
    from tests.base import RDMATestCase
    RDMATestCase._get_ip_mac = lambda self, device, port, index: self.args.append(
        [device, port, index, "127.0.0.1", None])


def load(module):
    sys.path[:0] = [".", "tests"]
    from args_parser import parser  # rdma-core's: tests ask it for the device
    sys.argv[1:] = ["--dev", "soft0"]
    parser.parse_args()
    if module == "test_rdmacm":
        give_addresses()
    return unittest.defaultTestLoader.loadTestsFromName("tests." + module)


def main():
    table, module = read_table(sys.argv[1]), sys.argv[2]
    result = unittest.TextTestRunner(verbosity=2).run(load(module))
    unlisted = [(test, reason) for test, reason in result.skipped
                if not is_known(table, test.id().removeprefix("tests."), reason)]
    for test, reason in unlisted:
        print(f"this skip is not in the table: {test.id().removeprefix('tests.')} | {reason}")
    print(f"{result.testsRun} tests, {len(result.skipped)} skipped")
    return 0 if result.wasSuccessful() and result.testsRun and not unlisted else 1


if __name__ == "__main__":
    sys.exit(main())
