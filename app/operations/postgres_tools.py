"""pg_dump and pg_restore, where they are installed and not older than the server."""

import os
import shutil
import subprocess
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text
from sqlalchemy.engine import URL

_TOO_OLD: Final = "server version mismatch"


class ToolError(Exception):
    """A tool failed. `str()` is one line."""


def dump(url: URL, connection: Connection, path: Path) -> bool:
    """Writes what the connection's snapshot sees; False where no pg_dump is that can read this server."""
    if shutil.which("pg_dump") is None:
        return False
    snapshot = connection.scalar(text("SELECT pg_export_snapshot()"))
    options = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
    try:
        _run(url, "pg_dump", *options, f"--file={path}")
    except ToolError as error:
        if _TOO_OLD in str(error):
            return False
        raise
    return True


def restore(url: URL, path: Path) -> None:
    """Reads a dump into an empty database, all of it or nothing."""
    if shutil.which("pg_restore") is None:
        raise ToolError("this backup needs pg_restore, which is not installed (Debian: postgresql-client)")
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _run(url, "pg_restore", *options, str(path))


def _run(url: URL, *command: str) -> None:
    """The password goes by the environment, because everybody on the machine can read a command line."""
    address = url.set(drivername="postgresql", password=None).render_as_string(hide_password=False)
    environment = {**os.environ, **({"PGPASSWORD": url.password} if url.password else {})}
    ran = subprocess.run(  # noqa: S603 (a fixed program; the arguments are ours)
        [*command, f"--dbname={address}"], env=environment, capture_output=True, text=True, check=False
    )
    if ran.returncode:
        lines = ran.stderr.strip().splitlines() or [f"exit code {ran.returncode}"]
        raise ToolError(next((line for line in lines if "error:" in line), lines[0]))
