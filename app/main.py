"""Where everything is wired: settings, database, bank, middleware, routes, static files."""

from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules

from fastapi import APIRouter, FastAPI
from starlette.middleware.gzip import GZipMiddleware

from app import errors, pages
from app.security import MAX_BODY_BYTES, CrossSiteGuard, HostGuard, QueryLimit, SecurityHeaders
from app.settings import Settings, load_settings
from app.static import StaticFiles


def utc_now() -> datetime:
    return datetime.now(UTC)


def create_app(settings: Settings | None = None, *, clock: Callable[[], datetime] = utc_now) -> FastAPI:
    settings = settings or load_settings()
    app = FastAPI(
        title="Ridgeway",
        openapi_url="/openapi.json",
        docs_url=None,
        redoc_url=None,
        max_body_size=MAX_BODY_BYTES,
    )
    app.state.settings = settings
    app.state.clock = clock

    errors.install(app)
    for module in iter_modules(pages.__path__):
        router = getattr(import_module(f"app.pages.{module.name}"), "router", None)
        if isinstance(router, APIRouter):
            app.include_router(router, include_in_schema=False)
    app.mount("/static", StaticFiles())

    # The last added is the outermost.
    app.add_middleware(QueryLimit)
    app.add_middleware(CrossSiteGuard, base_url=settings.base_url)
    app.add_middleware(HostGuard, allows_host=settings.allows_host)
    app.add_middleware(errors.LastResort)
    app.add_middleware(SecurityHeaders)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=5)
    return app
