"""Where everything is wired: settings, database, bank, middleware, routes, static files."""

import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from functools import partial

from fastapi import Depends, FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.middleware.gzip import GZipMiddleware

from app import errors
from app.accounts.cookie import SessionCookie
from app.api import calculators as api_calculators
from app.api import description, health, me, quantities
from app.bank.current_index import CurrentIndex
from app.bank.load import Bank
from app.bank.openings import Openings
from app.database import Database
from app.dependencies import get_caller, utc_now
from app.exchange import archive
from app.head import HeadAsGet
from app.measuring import machines
from app.migrate import migrate
from app.operations.observing import Observed
from app.operations.proxies import TrustedProxies
from app.pages import (
    account,
    calculators,
    drafts,
    drill,
    embed,
    exchange,
    home,
    interviews,
    interviews_report,
    interviews_run,
    plots,
    practice,
    progress,
    question,
    question_plot,
    question_tools,
    questions,
    topics,
    write_ups,
)
from app.paths import QUESTIONS
from app.security import CrossSiteGuard, HostGuard, SecurityHeaders, SizeLimits
from app.settings import Settings, load_settings
from app.static import StaticFiles
from calculators.spec import InvalidInputs

OPEN = (health,)  # answered to everybody in every mode
API = (api_calculators, quantities, me, description)
PAGES = (
    calculators,  # first: routes are tried in turn, and an input's figures are waited for
    plots,
    embed,
    home,
    questions,
    topics,
    question,
    question_plot,
    practice,
    progress,
    drafts,
    drill,
    interviews,
    interviews_report,
    interviews_run,
    question_tools,
    account,
    exchange,
    write_ups,
)


@asynccontextmanager
async def lifespan(app: FastAPI) -> AsyncIterator[None]:
    database: Database = app.state.database
    await run_in_threadpool(migrate, database)
    if hasattr(app.state, "begin_hosting"):
        await run_in_threadpool(app.state.begin_hosting)
    yield
    database.close()


def create_app(
    settings: Settings | None = None,
    *,
    clock: Callable[[], datetime] = utc_now,
    bank: Bank | None = None,
) -> FastAPI:
    """The whole application. Without a bank it reads the built-in questions and the settings' folders."""
    settings = settings or load_settings()
    app = FastAPI(title="Ridgeway", docs_url=None, redoc_url=None, lifespan=lifespan)
    app.openapi = partial(description.describe, app)  # type: ignore[method-assign]  # FastAPI's own way to extend it
    app.state.settings = settings
    app.state.database = Database.from_settings(settings)
    machines.offer(settings.data_dir, logging.getLogger(__name__).warning)
    cache = settings.data_dir / "bank-cache.json"
    app.state.bank = bank or Bank.load([QUESTIONS, *settings.bank_paths], cache)
    app.state.index = CurrentIndex(app.state.bank)
    app.state.openings = Openings(QUESTIONS)
    app.state.clock = clock

    errors.install(app)
    app.add_exception_handler(InvalidInputs, api_calculators.invalid_inputs)
    for part in OPEN:
        app.include_router(part.router)
    # In team mode nothing else is answered to a stranger but what app/accounts/access.py names.
    guards = [Depends(get_caller)] if settings.mode == "team" else []
    for part in API:
        app.include_router(part.router, dependencies=guards)
    for page in PAGES:
        app.include_router(page.router, include_in_schema=False, dependencies=guards)
    larger_bodies = {exchange.IMPORT_PATH: archive.MAX_BYTES}
    if settings.mode == "team":
        from app import hosting  # not at the top: one user alone starts without it

        hosting.add_to(app, settings, guards)
        larger_bodies |= hosting.LARGER_BODIES
    app.mount("/static", StaticFiles())

    # The last added is the outermost.
    app.add_middleware(SessionCookie, secure=settings.secure_cookies)
    app.add_middleware(SizeLimits, larger_bodies=larger_bodies)
    app.add_middleware(CrossSiteGuard, base_url=settings.base_url)
    app.add_middleware(
        HostGuard, allows_host=settings.allows_host, any_host=health.answered_by_any_name(settings)
    )
    app.add_middleware(errors.LastResort)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(HeadAsGet)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    app.add_middleware(Observed)
    app.add_middleware(TrustedProxies, trusted=settings.trusted_proxies)
    return app
