"""Starting the server: settings, database, port, in this order, each failure in one line."""

import errno
import gc
import logging
import socket
from collections.abc import Callable
from pathlib import Path

import uvicorn

from app.database import Database, DatabaseError
from app.main import create_app
from app.migrate import migrate
from app.settings import Settings, SettingsError, load_settings

GRACE = 8  # seconds that a stop waits for requests under way


class StartError(Exception):
    """The server cannot start; the message is one line that says why."""


def run(announce: Callable[[str], None]) -> None:
    """Serve until a signal says stop. announce gets the lines for the person who started it."""
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    try:
        settings = load_settings()
        copied = _migrate(settings)
        listening = _listen(settings)
    except (SettingsError, DatabaseError) as error:
        raise StartError(str(error)) from error
    if copied is not None:
        announce(f"The database was upgraded; the one from before is kept as {copied}.")
    settings = settings.model_copy(update={"port": listening.getsockname()[1]})
    app = create_app(settings)
    gc.freeze()
    gc.enable()
    config = uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=GRACE,
    )
    announce(f"Ridgeway is at {settings.public_url} (Ctrl-C stops it)")
    try:
        uvicorn.Server(config).run(sockets=[listening])
    except KeyboardInterrupt:
        announce("Stopped.")


def _migrate(settings: Settings) -> Path | None:
    database = Database.from_settings(settings)
    try:
        return migrate(database)
    finally:
        database.close()


def _listen(settings: Settings) -> socket.socket:
    where = f"{settings.host} port {settings.port}"
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            settings.host, settings.port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        listening = socket.socket(family, kind, protocol)
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
    except OSError as error:
        reason = error.strerror or str(error)
        if isinstance(error, socket.gaierror) or error.errno == errno.EADDRNOTAVAIL:
            advice = "RIDGEWAY_HOST chooses another address."
        else:
            advice = "RIDGEWAY_PORT chooses another port."
        raise StartError(f"cannot listen on {where}: {reason}. {advice}") from error
    return listening
