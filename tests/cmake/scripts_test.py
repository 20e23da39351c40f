"""The checks in cmake/ find what they are for: each is fed one violation, and a clean input that it must accept."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

CMAKE = pathlib.Path(__file__).resolve().parent.parent.parent / "cmake"

PTXAS = """\
ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_ZN6dermis4cuda8RunItemsINS0_5SmallEEEvT_ii' for 'sm_80'
ptxas info    : Function properties for _ZN6dermis4cuda8RunItemsINS0_5SmallEEEvT_ii
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 24 registers, used 0 barriers, 380 bytes cmem[0]
ptxas info    : Compiling entry function '_ZN6dermis4cuda8RunItemsINS0_5LargeEEEvT_ii' for 'sm_80'
ptxas info    : Function properties for _ZN6dermis4cuda8RunItemsINS0_5LargeEEEvT_ii
    %d bytes stack frame, 16 bytes spill stores, 16 bytes spill loads
ptxas info    : Used 255 registers, used 0 barriers, 380 bytes cmem[0]
ptxas info    : Function properties for _Z6helperv
    9000 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
"""

CUOBJDUMP = """\
Fatbin elf code:
================
arch = sm_90

Resource usage:
 Common:
  GLOBAL:0
 Function _ZN6dermis4cuda8RunItemsINS0_5LargeEEEvT_ii:
  REG:%d STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:540 TEXTURE:0 SURFACE:0 SAMPLER:0
"""


def run(script, *arguments, text=""):
    return subprocess.run([sys.executable, CMAKE / script, *map(str, arguments)], input=text, capture_output=True, text=True)


class KernelBudget(unittest.TestCase):
    def budget(self, text, exceptions=()):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "budget.json"
            path.write_text(json.dumps({"registers": 200, "stackBytes": 1024, "exceptions": list(exceptions)}))
            return run("kernel_budget.py", "-", "--budget", path, text=text)

    allow_registers = {"kernel": "Large", "registers": 255, "reason": "test"}

    def test_a_kernel_within_the_budget_passes(self):
        done = self.budget(PTXAS % 1024, [self.allow_registers])
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("RunItems<Large>", done.stdout)

    def test_a_stack_that_is_too_large_fails_and_names_the_kernel(self):
        done = self.budget(PTXAS % 1032, [self.allow_registers])
        self.assertEqual(done.returncode, 1)
        self.assertIn("RunItems<Large>: stackBytes 1032 is above 1024", done.stderr)

    def test_too_many_registers_fail_in_either_report(self):
        self.assertIn("registers 255 is above 200", self.budget(PTXAS % 0).stderr)
        self.assertIn("registers 201 is above 200", self.budget(CUOBJDUMP % 201).stderr)
        self.assertEqual(self.budget(CUOBJDUMP % 200).returncode, 0)

    def test_an_exception_that_nothing_needs_fails(self):
        self.assertIn("not needed", self.budget(CUOBJDUMP % 100, [self.allow_registers]).stderr)

    def test_a_report_without_kernels_fails(self):
        self.assertNotEqual(self.budget("ptxas info : 0 bytes gmem\n").returncode, 0)


class CheckLayers(unittest.TestCase):
    def layers(self, path, line):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "kernels").mkdir()
            file = root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(f"#pragma once\n{line}\n")
            return run("check_layers.py", root)

    def test_includes_to_the_right_pass(self):
        for path, line in [("engine/a.cpp", '#include "kernels/b.h"'), ("host/a.h", '#include "engine/b.h"'),
                           ("bindings/cli/a.cpp", '#include "host/b.h"'), ("tests/a.cpp", '#include "host/b.h"'),
                           ("bench/a.cu", '#include "engine/b.h"'), ("engine/a.h", "#include <vector>")]:
            done = self.layers(path, line)
            self.assertEqual((done.returncode, done.stdout), (0, ""), path)

    def test_an_include_to_the_left_fails_with_file_and_line(self):
        for path, line in [("kernels/a.h", '#include "engine/b.h"'), ("engine/x/a.cpp", '#  include "host/b.h"'),
                           ("host/a.cpp", "#include <bindings/b.h>"), ("engine/a.cpp", '#include "tests/catch.h"'),
                           ("engine/a.cu", '#include "../host/b.h"')]:
            done = self.layers(path, line)
            self.assertEqual(done.returncode, 1, path)
            self.assertIn(f"{path}:2: ", done.stdout)

    def test_a_folder_without_an_idea_fails(self):
        self.assertIn("engine/utils", self.layers("engine/utils/a.h", "").stdout)


if __name__ == "__main__":
    unittest.main()
