"""Presets are plain data: importing them costs no more than numpy and the standard library."""

import subprocess
import sys

PROGRAM = """
import sys
before = set(sys.modules)
import calculators.presets, calculators.cost.parameters
roots = {name.partition(".")[0] for name in set(sys.modules) - before}
print(*sorted(roots - sys.stdlib_module_names))
"""


def test_nothing_but_numpy_is_imported() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) <= {"calculators", "numpy"}
