"""The app and the floor as two processes, started alike."""

import json
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from app.paths import ROOT

ALIKE = {
    **{name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"},
    "OPENBLAS_NUM_THREADS": "1",
    "PYDANTIC_DISABLE_PLUGINS": "__all__",
}


class Servers(NamedTuple):
    """Their addresses, without a closing slash."""

    ours: str
    floor: str


@contextmanager
def servers(answers: Mapping[str, Any]) -> Iterator[Servers]:
    """Both, with a data folder that is thrown away. The floor gives these answers."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        said = folder / "answers.json"
        said.write_text(json.dumps(answers))
        ours = {"RIDGEWAY_DATA_DIR": str(folder / "data"), "RIDGEWAY_PORT": "0"}
        yield Servers(
            stack.enter_context(started("from app.cli import main; main()", "serve", **ours)),
            stack.enter_context(started("from benchmarks.floor import main; main()", str(said))),
        )


@contextmanager
def started(statement: str, *arguments: str, **environment: str) -> Iterator[str]:
    """A server as a process of its own; its address is the first that it prints."""
    process = subprocess.Popen(  # noqa: S603 (ours)
        [sys.executable, "-c", statement, *arguments],
        env={**ALIKE, **environment},
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        lines = (re.search(r"http://[\w.:]+", line) for line in process.stdout)
        found = next((match for match in lines if match), None)
        if found is None:
            raise SystemExit(f"no server came of: {statement}")
        yield found[0]
    finally:
        process.terminate()
        process.wait()
        if process.stdout:
            process.stdout.close()
