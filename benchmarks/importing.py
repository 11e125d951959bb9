"""Importing the calculators, in fresh processes, beside importing numpy alone."""

import os
import subprocess
import sys
from collections.abc import Iterator
from functools import partial

from benchmarks.comparing import Compared, in_turns

GOAL = 0.080  # s beyond numpy
ROUNDS = 15
_ENVIRONMENT = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "OPENBLAS_NUM_THREADS": "1",
}


def run() -> Iterator[Compared]:
    """Processor time, which on an idle machine is the time by the clock; modules are compiled already."""
    for statement, goal in (("import calculators", GOAL), ("import calculators; calculators.all()", None)):
        times = in_turns(
            partial(_taken, "import numpy"), partial(_taken, f"import numpy; {statement}"), ROUNDS
        )
        yield Compared(statement, *times, "beyond", goal)


def _taken(statement: str) -> float:
    process = subprocess.Popen([sys.executable, "-c", statement], env=_ENVIRONMENT)  # noqa: S603 (ours)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{statement} failed")
    return usage.ru_utime + usage.ru_stime
