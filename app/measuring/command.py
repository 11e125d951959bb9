"""`ridgeway measure`: from the asking to what is printed."""

import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime

import typer

from app.measuring.blas import Blas, loaded_blas
from app.measuring.machine import Machine, this_machine
from app.measuring.machines import save, slug_of
from app.measuring.measure import measure
from app.measuring.planning import Plan, TooLittleMemory, plan
from app.measuring.printing import report
from app.measuring.record import MAX_NAME, MeasuredMachine
from app.settings import SettingsError, load_settings


class MeasureError(Exception):
    """The machine cannot be measured or kept; the message is one line that says why."""


def run(*, quick: bool, name: str | None, as_json: bool) -> None:
    """Measure this machine, keep it in the data folder, and print what it reached."""
    if name is not None and not (name.isprintable() and 1 <= len(name.strip()) <= MAX_NAME):
        raise MeasureError(f"--name is {name[:MAX_NAME]!r}: allowed is a line of 1 to {MAX_NAME} characters")
    blas = loaded_blas()
    machine = this_machine(blas)
    try:
        data_dir = load_settings().data_dir
        planned = plan(machine, quick=quick, remarks=list(_busy(machine)))
    except (SettingsError, TooLittleMemory) as error:
        raise MeasureError(str(error)) from error
    measured = _measured(machine, blas, planned, name)
    try:
        path = save(data_dir, measured)
    except OSError as error:
        raise MeasureError(f"{data_dir} cannot be written: {error.strerror}") from error
    if as_json:
        typer.echo(measured.model_dump_json(indent=2))
        return
    typer.echo("\n".join(report(measured)))
    typer.echo(f"\nSaved as {path}, for every calculator; a server offers it from its next start.")
    typer.echo(f"  ridgeway calc decode hardware={measured.slug} dtype=fp32 model=gpt2-small context=960")


def _measured(machine: Machine, blas: Blas, planned: Plan, name: str | None) -> MeasuredMachine:
    with typer.progressbar(
        length=planned.steps + 1,  # the first is there as soon as it begins
        label="Measuring",
        show_eta=False,
        item_show_func=lambda step: step or "",
        file=sys.stderr,
        width=20,
    ) as bar:

        def begin(step: str) -> None:
            bar.current_item = step
            bar.update(1)

        measured = measure(
            machine,
            blas,
            planned,
            slug=slug_of(name or machine.cpu),
            name=name or f"This machine: {machine.cpu}",
            now=datetime.now(UTC),
            clock=time.perf_counter,
            begin=begin,
        )
        begin("done")
    return measured


def _busy(machine: Machine) -> Iterator[str]:
    """A remark where others use the processors: the figures will be too low."""
    load = os.getloadavg()[0] if hasattr(os, "getloadavg") else 0.0
    if load > machine.threads / 2:
        yield f"The machine was busy (load {load:.1f} on {machine.threads} threads): it can do better."
