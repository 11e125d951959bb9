"""What a route can ask for in its signature. Each is found on `app.state`, put there by `create_app`.

`settings`, `database`, `bank`, `index` and `clock` are the names on the state.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

from fastapi import Depends, Request
from sqlmodel import Session

from app.accounts import access, api_tokens, browser_sessions, teams, users
from app.accounts.access import SignInNeeded, TokenRefused
from app.accounts.browser_sessions import BrowserSession
from app.accounts.cookie import NEW_TOKEN
from app.accounts.teams import Membership, Team
from app.accounts.users import User
from app.bank.current_index import CurrentIndex
from app.bank.load import Bank
from app.bank.search import SearchIndex
from app.database import Database
from app.settings import Settings

if TYPE_CHECKING:
    from app.packs.shelf import Shelf


def utc_now() -> datetime:
    """The clock that is used unless a test brings another."""
    return datetime.now(UTC)


def get_settings(request: Request) -> Settings:
    settings: Settings = request.app.state.settings
    return settings


def get_database(request: Request) -> Database:
    database: Database = request.app.state.database
    return database


def get_server_bank(request: Request) -> Bank:
    """The questions as they are on disk: a changed file is read again (looked at once a second at most)."""
    bank: Bank = request.app.state.bank
    bank.reload_if_changed()
    return bank


def get_bank(request: Request) -> Bank:
    """The questions that the caller sees: those of the server, with what their team adds and hides."""
    server_bank, team = get_server_bank(request), _team_with_packs(request)
    if team is None:
        return server_bank
    return shelf_of(request).bank(request.state.session, server_bank, team)


def get_index(request: Request) -> SearchIndex:
    """What is searched: after a look at the bank, so that a changed question is found by its new words."""
    server_bank, team = get_server_bank(request), _team_with_packs(request)
    if team is None:
        index: CurrentIndex = request.app.state.index
        return index.get()
    return shelf_of(request).index(request.state.session, server_bank, team)


def shelf_of(request: Request) -> "Shelf":
    """The banks of teams, in team mode."""
    shelf: Shelf = request.app.state.shelf
    return shelf


def _team_with_packs(request: Request) -> Team | None:
    """The caller's team where its bank differs from the server's. Who calls was asked before, by the guard
    of every route in team mode (`create_app`); in local mode there is nothing to ask.
    """
    caller: Caller | None = getattr(request.state, "caller", None)
    team = caller.team.team if caller is not None and caller.team is not None else None
    return team if team is not None and team.bank else None


def get_now(request: Request) -> datetime:
    """One moment for the whole request."""
    if not hasattr(request.state, "now"):
        clock: Callable[[], datetime] = request.app.state.clock
        request.state.now = clock()
    now: datetime = request.state.now
    return now


SettingsDep = Annotated[Settings, Depends(get_settings)]
DatabaseDep = Annotated[Database, Depends(get_database)]
ServerBankDep = Annotated[Bank, Depends(get_server_bank)]
BankDep = Annotated[Bank, Depends(get_bank)]
IndexDep = Annotated[SearchIndex, Depends(get_index)]
Now = Annotated[datetime, Depends(get_now)]

# Below, what costs nothing to find is asked of the request and not of Depends: FastAPI walks the whole tree
# of each route at the start.


def get_session(request: Request) -> Iterator[Session]:
    with get_database(request).session() as session:
        yield session


SessionDep = Annotated[Session, Depends(get_session)]


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks, in which browser, where that is known, and in which teams; the current one is the first.

    `by_token` says that it is a program with a token, which has no browser and gets none.
    """

    user: User
    browser: BrowserSession | None
    teams: tuple[Membership, ...] = ()
    by_token: bool = False

    @property
    def team(self) -> Membership | None:
        """The person's place in the team whose questions they see."""
        return self.teams[0] if self.teams else None


def get_caller(request: Request, session: SessionDep) -> Caller:
    """The local user; in team mode whoever is signed in, or a visitor where the route lets one in.

    Raises `SignInNeeded` and `TokenRefused`.
    """
    known: Caller | None = getattr(request.state, "caller", None)
    if known is None:
        find = _local_caller if get_settings(request).mode == "local" else _team_caller
        known = request.state.caller = find(request, session)
        # What the page's frame follows: the user's settings, and the teams to change between.
        request.state.user, request.state.teams = known.user, known.teams
        request.state.person = known.user if known.user.login and find is _team_caller else None
        request.state.session = session  # for `get_bank`, which most routes ask without a session
    return known


def _local_caller(request: Request, session: Session) -> Caller:
    user = users.local_user(session, get_now(request))
    token = request.cookies.get(browser_sessions.COOKIE)
    return Caller(user, browser_sessions.resume(session, user, token, get_now(request)) if token else None)


def _team_caller(request: Request, session: Session) -> Caller:
    # A program says by its header who it is; cookies, which a browser sends unasked, are not looked at then.
    if access.is_api(request.scope) and "authorization" in request.headers:
        return _program(request, session)
    token = request.cookies.get(browser_sessions.COOKIE)
    found = browser_sessions.signed_in(session, token, get_now(request)) if token else None
    if found:
        return Caller(*found, teams.of(session, found[0]))
    if access.visitor_may(get_settings(request).public, request.scope):
        return Caller(users.visitor(), None)
    raise SignInNeeded


def _program(request: Request, session: Session) -> Caller:
    kind, _, token = request.headers["authorization"].partition(" ")
    found = api_tokens.bearer(session, token.strip(), get_now(request)) if kind.lower() == "bearer" else None
    if found is None:
        raise TokenRefused
    user, borne = found
    if (needed := access.scope_needed(request.scope)) not in borne.scopes:
        raise TokenRefused(needed)
    return Caller(user, None, teams.of(session, user), by_token=True)


CallerDep = Annotated[Caller, Depends(get_caller)]


def get_current_user(caller: CallerDep) -> User:
    return caller.user


CurrentUser = Annotated[User, Depends(get_current_user)]


def find_browser_session(caller: CallerDep) -> BrowserSession | None:
    return caller.browser


KnownBrowser = Annotated[BrowserSession | None, Depends(find_browser_session)]
"""The browser's session where it has one: for pages that only read."""


def open_browser_session(request: Request, session: SessionDep, caller: CallerDep) -> BrowserSession:
    if caller.browser:
        return caller.browser
    if caller.user.is_visitor or caller.by_token:
        raise SignInNeeded
    token, opened = browser_sessions.open_session(session, caller.user, get_now(request))
    # Sent by SessionCookie: a cookie set here would be lost where the route returns a response of its own.
    setattr(request.state, NEW_TOKEN, token)
    return opened


OpenBrowser = Annotated[BrowserSession, Depends(open_browser_session)]
"""The browser's session, opened if it has none: for requests that begin or change a sitting."""
