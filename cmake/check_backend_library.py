#!/usr/bin/env python3
"""Checks that a backend's library shows one symbol and runs no code of its own when it is loaded.

A library compiled for a newer instruction set is loaded on every machine and used only where the processor has it: a
static initialiser in it would crash the others at start, and a visible inline function would be taken by the linker
for everybody's. Usage: check_backend_library.py LIBRARY. Needs readelf.
"""
import re
import subprocess
import sys


def readelf(*arguments):
    return subprocess.run(["readelf", "-W", *arguments], check=True, capture_output=True, text=True).stdout


def main():
    library = sys.argv[1]
    problems = []

    # Every toolchain puts one initialiser there, frame_dummy, which does nothing.
    size = re.search(r"\(INIT_ARRAYSZ\)\s+(\d+)", readelf("-d", library))
    initialisers = int(size.group(1)) // 8 if size else 0
    if initialisers > 1:
        problems.append(f"{initialisers - 1} static initialiser(s): make these objects constexpr or function-local")

    for line in readelf("--dyn-syms", library).splitlines():
        fields = line.split()
        if len(fields) >= 8 and fields[0].rstrip(":").isdigit() and fields[6] != "UND" and fields[4] != "LOCAL":
            if not fields[7].startswith("dermis_backend_"):
                problems.append(f"visible symbol {fields[7]}")

    for problem in problems:
        print(f"{library}: {problem}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
