"""How a command ends that cannot do what it was asked."""

from typing import NoReturn

import typer


def fail(*lines: str, code: int = 1) -> NoReturn:
    """Say why, a line each on stderr, and end: 1 where it failed, 2 where it was asked wrongly."""
    for line in lines:
        typer.echo(f"ridgeway: {line}", err=True)
    raise typer.Exit(code)
