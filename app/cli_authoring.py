"""`ridgeway new`, `ridgeway preview` and `ridgeway schema`: for whoever writes questions."""

import socket
from pathlib import Path
from typing import Annotated

import typer

from app.cli_exit import fail
from app.paths import QUESTIONS


def new(
    slug: Annotated[str, typer.Argument(help="The file's name: lower-case words joined by -.")],
    topic: Annotated[str, typer.Option(help="The topic, which is the folder.")],
    kind: Annotated[str, typer.Option(help="numeric, choice, multi or open")] = "numeric",
    pack: Annotated[Path, typer.Option(help="The folder of the pack; else the bank.")] = QUESTIONS,
) -> None:
    """Write a question that works, to be changed line by line."""
    from app.authoring.new_question import NewQuestionError, write
    from app.bank.lint import lint, report

    try:
        path = write(slug, kind, topic, pack)
    except NewQuestionError as error:
        fail(str(error), code=2)
    typer.echo(f"{path} is written.")
    for problem in lint([path]):
        typer.echo(report(problem, Path.cwd()))
    typer.echo(f"Change it line by line, and look at it: ridgeway preview {path}")


def preview(
    file: Annotated[Path, typer.Argument(help="The question file.")],
    port: Annotated[int, typer.Option(help="The port; 0 takes a free one.", min=0, max=65535)] = 0,
) -> None:
    """Show one question in the browser, renewed when the file is saved, with the lint beside it."""
    if file.suffix != ".md" or not file.is_file():
        fail(f"{file} is not a question file, whose name ends in .md", code=2)
    import uvicorn

    from app.authoring.preview import HOST, create_preview

    try:
        listening = socket.create_server((HOST, port))
    except OSError as error:
        fail(f"cannot listen on {HOST} port {port}: {error.strerror}. --port chooses another.")
    app = create_preview(file)
    typer.echo(f"{file.name} is at http://{HOST}:{listening.getsockname()[1]}/ (Ctrl-C stops it)")
    config = uvicorn.Config(app, log_level="warning", access_log=False, server_header=False)
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        typer.echo("Stopped.")


def schema() -> None:
    """Print the JSON Schema of a question's front matter, for editors."""
    from app.authoring.json_schema import text

    typer.echo(text(), nl=False)
