"""Starting the server: settings, database, port, in this order, each failure in one line.

One process serves by itself. Several are supervised: the first opens the port and starts the others, which
take requests from it in turn; one that dies is replaced, and all end with the first.
"""

import errno
import gc
import os
import signal
import socket
import tempfile
import threading
from collections.abc import Callable
from functools import partial
from multiprocessing import connection, parent_process
from pathlib import Path
from typing import TYPE_CHECKING

import uvicorn

from app.database import Database, DatabaseError
from app.migrate import migrate
from app.operations import logs
from app.settings import Settings, SettingsError, load_settings

if TYPE_CHECKING:
    from fastapi import FastAPI

GRACE = 8  # seconds that a stop waits for requests under way
HANGS = 30  # seconds without a sign of life after which a process is replaced


class StartError(Exception):
    """The server cannot start; the message is one line that says why."""


def run(announce: Callable[[str], None], workers: int | None = None) -> None:
    """Serve until a signal says stop. announce gets the lines for the person who started it."""
    try:
        settings = load_settings()
        logs.set_up(settings.log_format, settings.log_level)
        copied = _migrate(settings)
        listening = _listen(settings)
    except (SettingsError, DatabaseError) as error:
        raise StartError(str(error)) from error
    if copied is not None:
        announce(f"The database was upgraded; the one from before is kept as {copied}.")
    settings = settings.model_copy(update={"port": listening.getsockname()[1]})
    workers = workers or settings.workers
    if settings.mode == "team" and (link := first_owner_link(settings)):
        announce(f"Nobody runs this server yet. To be its first owner, open within 3 days: {link}")
    started = f"Ridgeway is at {settings.public_url} (Ctrl-C stops it)"
    try:
        if workers == 1:
            config = _configured(_app(settings))
            announce(started)
            uvicorn.Server(config).run(sockets=[listening])
        else:
            announce(started)
            _supervise(settings, listening, workers)
    except KeyboardInterrupt:
        announce("Stopped.")


def _app(settings: Settings) -> "FastAPI":
    # Not at the top: the first of several processes only watches the others.
    from app.main import create_app

    app = create_app(settings)
    gc.freeze()
    gc.enable()
    return app


def _configured(app: Callable[..., object], *, factory: bool = False, workers: int = 1) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        factory=factory,
        workers=workers,
        log_config=None,
        log_level=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,  # app/operations/proxies.py, which believes nobody unasked
        timeout_graceful_shutdown=GRACE,
        timeout_worker_healthcheck=HANGS,
    )


def _supervise(settings: Settings, listening: socket.socket, workers: int) -> None:
    # Not at the top: one process needs none of it.
    from uvicorn.supervisors import Multiprocess

    from app.operations.observing import SHARED_FOLDER

    with tempfile.TemporaryDirectory(prefix="ridgeway-metrics-") as folder:
        os.environ[SHARED_FOLDER] = folder
        config = _configured(partial(_worker, settings), factory=True, workers=workers)
        Multiprocess(config, sockets=[listening]).run()


def _worker(settings: Settings) -> "FastAPI":
    logs.set_up(settings.log_format, settings.log_level)
    threading.Thread(target=_end_with_the_first, daemon=True).start()
    return _app(settings)


def _end_with_the_first() -> None:
    """A first process that was killed stops nobody, and its port would stay taken."""
    first = parent_process()
    assert first is not None
    connection.wait([first.sentinel])
    os.kill(os.getpid(), signal.SIGTERM)


def _migrate(settings: Settings) -> Path | None:
    database = Database.from_settings(settings)
    try:
        return migrate(database)
    finally:
        database.close()


def first_owner_link(settings: Settings) -> str | None:
    """Made by the first of several processes, because each link that is made voids the one before."""
    # Not at the top: one user alone starts without it.
    from app.accounts import first_owner
    from app.dependencies import utc_now

    database = Database.from_settings(settings)
    try:
        with database.session() as session:
            return first_owner.make_link(session, settings.public_url, utc_now())
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
