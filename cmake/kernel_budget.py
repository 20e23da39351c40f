#!/usr/bin/env python3
"""A table of what each CUDA kernel takes: registers, stack, spills. Fails when one exceeds the budget.

Machines without a GPU cannot time a kernel, but they see one that has fallen into local memory: its stack grows.

    kernel_budget.py build/lib/libdermis_cuda.so   ask cuobjdump; where there is none, compile the library's sources
                                                   again with ptxas' report (needs compile_commands.json)
    kernel_budget.py FILE                          read what `cuobjdump --dump-resource-usage` or `nvcc
                                                   --resource-usage` printed; - is the standard input

The budget is in kernel_budget.json: registers, stackBytes and exceptions, a list of {"kernel": part of the readable
name, "registers" or "stackBytes": the higher limit, "reason": why}. An exception that no kernel needs is an error too.
"""
import argparse
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor


class Kernel:
    def __init__(self, name, architecture):
        self.name, self.architecture = name, architecture
        self.registers = self.stack = self.spills = 0


def parse(text):
    """Kernels of either tool's report; device functions that are not kernels are left out."""
    kernels, kernel, architecture = [], None, ""
    for line in text.splitlines():
        # ptxas
        if match := re.search(r"Compiling entry function '(\S+)' for '(\S+)'", line):
            kernel = Kernel(*match.groups())
            kernels.append(kernel)
        elif match := re.search(r"Function properties for (\S+)", line):
            if kernel and match.group(1) != kernel.name:
                kernel = None
        elif kernel and (match := re.search(r"(\d+) bytes stack frame, (\d+) bytes spill stores", line)):
            kernel.stack = max(kernel.stack, int(match.group(1)))
            kernel.spills = int(match.group(2))
        elif kernel and (match := re.search(r"Used (\d+) registers", line)):
            kernel.registers = int(match.group(1))
            if match := re.search(r"(\d+) bytes cumulative stack size", line):
                kernel.stack = max(kernel.stack, int(match.group(1)))
        # cuobjdump
        elif match := re.match(r"\s*arch = (sm_\w+)", line):
            architecture = match.group(1)
        elif match := re.match(r"\s*Function (\S+):\s*$", line):
            kernel = Kernel(match.group(1), architecture)
            kernels.append(kernel)
        elif kernel and (match := re.search(r"\bREG:(\d+) STACK:(\d+)", line)):
            kernel.registers, kernel.stack = map(int, match.groups())
    return kernels


def recompile(library):
    """ptxas' report of all CUDA sources of the library, for the first architecture of each command."""
    build = next((p for p in library.resolve().parents if (p / "compile_commands.json").exists()), None)
    if build is None:
        sys.exit(f"kernel_budget: no cuobjdump on the PATH and no compile_commands.json above {library}")
    target = library.name.removeprefix("lib").split(".")[0]
    commands = [c for c in json.loads((build / "compile_commands.json").read_text())
                if f"/{target}.dir/" in c["command"] and "nvcc" in c["command"]]
    with tempfile.TemporaryDirectory() as folder:

        def run(item):
            number, entry = item
            arguments = shlex.split(entry["command"])
            arguments[arguments.index("-o") + 1] = f"{folder}/{number}.o"
            done = subprocess.run([*arguments, "-Xptxas=-v"], cwd=entry["directory"], capture_output=True, text=True)
            if done.returncode != 0:
                sys.stderr.write(done.stderr)
                raise SystemExit(f"kernel_budget: {entry['file']} does not compile")
            return done.stdout + done.stderr

        with ThreadPoolExecutor(2) as pool:
            return "\n".join(pool.map(run, enumerate(commands)))


def report_of(argument):
    if argument == "-":
        return sys.stdin.read()
    path = pathlib.Path(argument)
    if path.suffix != ".so":
        return path.read_text()
    if tool := shutil.which("cuobjdump"):
        return subprocess.run([tool, "--dump-resource-usage", path], check=True, capture_output=True, text=True).stdout
    return recompile(path)


def readable(names):
    filt = shutil.which("c++filt")
    if not filt or not names:
        return names
    text = subprocess.run([filt], input="\n".join(names), check=True, capture_output=True, text=True).stdout.splitlines()
    # Without the namespaces, the parameters and the compiler's name for a file.
    text = [re.sub(r"\(anonymous namespace\)::|_GLOBAL__N__\w+::|dermis::|cuda::|^void ", "", name) for name in text]
    return [re.sub(r"\(.*\)$", "", name) for name in text]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("report", help="a library, a report, or -")
    parser.add_argument("--budget", type=pathlib.Path, default=pathlib.Path(__file__).with_suffix(".json"))
    arguments = parser.parse_args()

    budget = json.loads(arguments.budget.read_text())
    kernels = parse(report_of(arguments.report))
    if not kernels:
        sys.exit("kernel_budget: no kernel in the report: the library is empty or the format is unknown")

    problems, used = [], set()
    print(f"{'registers':>9} {'stack':>6} {'spills':>6}  kernel")
    names = readable([k.name for k in kernels])
    for kernel, name in sorted(zip(kernels, names), key=lambda pair: (-pair[0].stack, -pair[0].registers, pair[1])):
        print(f"{kernel.registers:9d} {kernel.stack:6d} {kernel.spills:6d}  {kernel.architecture} {name[:110]}")
        for quantity, value in (("registers", kernel.registers), ("stackBytes", kernel.stack)):
            limit = budget[quantity]
            for number, exception in enumerate(budget["exceptions"]):
                if exception["kernel"] in name and quantity in exception:
                    if value > limit:
                        used.add(number)
                    limit = max(limit, exception[quantity])
            if value > limit:
                problems.append(f"{name}: {quantity} {value} is above {limit}")
    for number, exception in enumerate(budget["exceptions"]):
        if number not in used:
            problems.append(f"the exception for {exception['kernel']} is not needed: remove it")

    for problem in problems:
        print(f"kernel_budget: {problem}", file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
