"""Runs the benchmarks that are named, or all, and prints a table of each; exit code 1 for a missed goal."""

import sys
from importlib import import_module

from benchmarks.comparing import Compared, table

PARTS = ("starting", "importing", "evaluating", "sweeping", "lint", "answering", "updating")


def main() -> None:
    asked = sys.argv[1:] or PARTS
    unknown = [part for part in asked if part not in PARTS]
    if unknown:
        raise SystemExit(f"no such benchmark: {', '.join(unknown)}; there are {', '.join(PARTS)}")
    missed = False
    for part in asked:
        module = import_module(f"benchmarks.{part}")
        compared: list[Compared] = list(module.run())
        print(f"\n{module.__doc__}\n")
        print("\n".join(table(compared)), flush=True)
        missed |= not all(each.met for each in compared)
    raise SystemExit(missed)


main()
