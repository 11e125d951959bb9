"""The `ridgeway` command. An error is a line on stderr; exit code 1 says that it failed, 2 how it was asked.

Imports that take time stand inside the commands that need them, so that `calc` stays quick.
"""

import gc
import json
import os
import shlex
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from app import cli_authoring, cli_operations, cli_users
from app.cli_exchange import exporting, importing
from app.cli_exit import fail
from app.cli_packs import packs

if TYPE_CHECKING:
    from pydantic import BaseModel

cli = typer.Typer(
    name="ridgeway",
    help="Practise ML-systems performance interviews where every number is computed.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


cli.add_typer(exporting, name="export")
cli.add_typer(importing, name="import")
cli.add_typer(cli_users.users, name="users")
cli.add_typer(packs, name="packs")
cli.command(short_help="Write a question to start from.")(cli_authoring.new)
cli.command(short_help="Show one question file as it is written.")(cli_authoring.preview)
cli.command(short_help="Print the JSON Schema of a front matter.")(cli_authoring.schema)
cli.command(short_help="Back up the database to a file.")(cli_operations.backup)
cli.command(short_help="Put a backup in the database's place.")(cli_operations.restore)
cli.command("copy-database", short_help="Copy everything into an empty database.")(cli_operations.copying)


def main() -> None:
    """The entry point of the `ridgeway` script."""
    try:
        cli()
    except BrokenPipeError:  # the reader, such as head, has had enough
        sys.stderr.close()
        raise SystemExit(1) from None


def _print_version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(version("ridgeway"))
        raise typer.Exit


@cli.callback()
def common(
    version: Annotated[
        bool, typer.Option("--version", help="Print the version.", is_eager=True, callback=_print_version)
    ] = False,
) -> None:
    pass


@cli.command(short_help="Start the server.")
def serve(
    workers: Annotated[
        int | None, typer.Option(min=1, max=64, help="How many processes serve; else RIDGEWAY_WORKERS.")
    ] = None,
) -> None:
    """Migrate the database, load the question bank and serve the pages."""
    # What a start makes stays; looking through it for garbage takes a quarter of the time. `run` ends this.
    gc.disable()
    # Nor does a server need threads for matrices, or a search of every package for plug-ins of pydantic.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    import pydantic

    # A model is built when it is first used, not when it is declared: FastAPI's forty only describe the API.
    pydantic.BaseModel.model_config["defer_build"] = True
    # FastAPI would import the models of pydantic's first version only to refuse them.
    sys.modules["pydantic.v1"] = None  # type: ignore[assignment]  # so an import is refused
    from app.serving import StartError, run

    try:
        run(announce=typer.echo, workers=workers)
    except StartError as error:
        fail(str(error))


@cli.command(short_help="List the settings.")
def settings() -> None:
    """List every setting with its meaning, its default and its value now."""
    from app.settings import SettingsError, describe, load_settings

    try:
        lines = describe(load_settings())
    except SettingsError as error:
        fail(str(error))
    for line in lines:
        typer.echo(f"{line.name}={line.value}\n    {line.meaning}\n    Default: {line.default}")


@cli.command(short_help="Evaluate, sweep or solve a calculator.")
def calc(
    slug: Annotated[str | None, typer.Argument(help="The calculator; all are listed without one.")] = None,
    inputs: Annotated[list[str] | None, typer.Argument(metavar="NAME=VALUE", help="Inputs.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what the API answers.")] = False,
    sweep: Annotated[str | None, typer.Option(help="Vary this input.", metavar="NAME")] = None,
    start: Annotated[str | None, typer.Option("--from", help="The sweep's first value.")] = None,
    stop: Annotated[str | None, typer.Option("--to", help="The sweep's last value.")] = None,
    points: Annotated[str, typer.Option(help="How many values to sweep.")] = "10",
    scale: Annotated[str, typer.Option(help="linear or log")] = "linear",
    solve_for: Annotated[str | None, typer.Option(help="Find this input.", metavar="NAME")] = None,
    output: Annotated[str | None, typer.Option(help="The output that has a target.", metavar="NAME")] = None,
    equals: Annotated[str | None, typer.Option(help="The target, such as 80GB.")] = None,
    flips: Annotated[
        bool, typer.Option("--flips", help="Say which single change flips the verdict.")
    ] = False,
    compare: Annotated[
        list[str] | None,
        typer.Option(help="A state to set beside this one: what differs.", metavar="'NAME=VALUE ...'"),
    ] = None,
) -> None:
    """Evaluate a calculator, compare states of it, sweep or solve it, or see what flips its verdict."""
    import calculators
    from app import calculating, printing
    from calculators.spec import InvalidInputs

    if (slug is None and as_json) or any("measured-" in text for text in (*(inputs or []), *(compare or []))):
        _offer_measured_machines()
    if slug is None:
        everything = calculating.Catalogue(
            calculators=[calculating.declaration(each) for each in calculators.all()]
        )
        _print(everything, printing.catalogue(everything), as_json)
        return
    try:
        calculator = calculators.get(slug)
    except calculators.UnknownCalculator as error:
        fail(str(error), code=2)
    if sweep is not None and solve_for is not None:
        fail("--sweep and --solve-for are two questions: ask one at a time.", code=2)
    if flips and (sweep, solve_for) != (None, None):
        fail("--flips is a question of its own: ask it without --sweep and --solve-for.", code=2)
    if compare and (flips or (sweep, solve_for) != (None, None)):
        fail("--compare sets evaluations side by side: without --sweep, --solve-for and --flips.", code=2)
    if sweep is None and (start, stop) != (None, None):
        fail("--from and --to belong to --sweep NAME.", code=2)
    if solve_for is None and (output, equals) != (None, None):
        fail("--output and --equals belong to --solve-for NAME.", code=2)
    try:
        pairs = _pairs(inputs or [])
        if sweep is not None:
            if start is None or stop is None:
                fail("--sweep NAME also needs --from and --to.", code=2)
            asked = {"over": sweep, "from": start, "to": stop, "points": points, "scale": scale}
            swept = calculating.sweep(calculator, pairs, asked)
            _print(swept, printing.sweep(calculator, swept), as_json)
        elif solve_for is not None:
            if output is None or equals is None:
                fail("--solve-for NAME also needs --output and --equals.", code=2)
            asked = {"for": solve_for, "output": output, "equals": equals}
            solved = calculating.solve(calculator, pairs, asked)
            _print(solved, printing.solve(calculator, solved), as_json)
        elif flips:
            from app import flipping

            found = flipping.flips(calculator, pairs)
            _print(found, printing.flips(calculator, found), as_json)
        elif compare:
            from app import comparison

            others = ({**dict(pairs), **dict(_pairs(_words(text)))}.items() for text in compare)
            results = [calculator.evaluate(calculator.parse_query(state)) for state in (pairs, *others)]
            compared = comparison.compare(calculator, results)
            lines = printing.comparison(compared, ["as given", *compare])
            _print(comparison.as_json(results), lines, as_json)
        else:
            result = calculator.evaluate(calculator.parse_query(pairs))
            news = calculator.news(pairs)
            _print(calculating.evaluation(result, news), printing.evaluation(result, news), as_json)
    except InvalidInputs as invalid:
        fail(*(error.message for error in invalid.errors), code=2)


def _offer_measured_machines() -> None:
    from app.measuring.machines import offer
    from app.settings import SettingsError, load_settings

    try:
        offer(load_settings().data_dir, lambda line: typer.echo(f"ridgeway: {line}", err=True))
    except SettingsError as error:
        fail(str(error))


def _pairs(texts: list[str]) -> list[tuple[str, str]]:
    pairs = []
    for text in texts:
        name, separator, value = text.partition("=")
        if not separator:
            fail(f"“{text}” is not NAME=VALUE.", code=2)
        pairs.append((name, value))
    return pairs


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        fail(f"“{text}” cannot be taken apart: {error}.", code=2)


def _print(answer: "BaseModel", lines: list[str], as_json: bool) -> None:
    if as_json:
        typer.echo(json.dumps(answer.model_dump(mode="json", by_alias=True), indent=2, ensure_ascii=False))
    else:
        typer.echo("\n".join(lines))


@cli.command(short_help="Measure this machine.")
def measure(
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer runs: rougher, in a third of the time.")
    ] = False,
    name: Annotated[str | None, typer.Option(help="What to call it, instead of its processor.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print what is saved.")] = False,
) -> None:
    """Measure memory bandwidth, matrix products and a transformer's passes, and keep them as hardware."""
    from app.measuring.command import MeasureError, run

    try:
        run(quick=quick, name=name, as_json=as_json)
    except MeasureError as error:
        fail(str(error))


@cli.command(short_help="Check question files.")
def lint(
    paths: Annotated[list[Path] | None, typer.Argument(help="Files or folders; else the bank.")] = None,
    record: Annotated[bool, typer.Option("--record", help="Write each pack's versions.json.")] = False,
) -> None:
    """Check question files; exit code 1 when one has an error."""
    from app.bank.lint import lint as check
    from app.bank.lint import report
    from app.paths import QUESTIONS

    gc.disable()  # looking for garbage takes an eighth of the time, and next to none is made
    try:
        problems = check(paths or [QUESTIONS], record=record)
    finally:
        gc.enable()
    for problem in problems:
        typer.echo(report(problem, Path.cwd()))
    if any(problem.severity == "error" for problem in problems):
        raise typer.Exit(1)
    if not problems:
        typer.echo("No problems found.")


@cli.command("rebuild-schedule", short_help="Work out again what is due when.")
def rebuild_schedule() -> None:
    """Work out again from the ratings when each question is due."""
    from app.accounts.users import local_user
    from app.database import Database, DatabaseError
    from app.dependencies import utc_now
    from app.migrate import migrate
    from app.practice.ratings import rebuild_cards
    from app.settings import SettingsError, load_settings

    try:
        database = Database.from_settings(load_settings())
        migrate(database)
    except (SettingsError, DatabaseError) as error:
        fail(str(error))
    with database.session() as session:
        cards = rebuild_cards(session, local_user(session, utc_now()))
    database.close()
    typer.echo(f"{cards} {'card' if cards == 1 else 'cards'} rebuilt from the ratings.")
