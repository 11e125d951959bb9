"""Who may open what. In team mode every route asks for somebody signed in unless it is named here.

Routes are named by their templates, so that what nobody thought of stays closed.
"""

from typing import Final

from starlette.types import Scope

NOTHING: Final = "nothing"
CALCULATORS: Final = "calculators"
QUESTIONS: Final = "questions"
PUBLIC_CHOICES: Final = (NOTHING, CALCULATORS, QUESTIONS)

_BY_A_SECRET_ADDRESS: Final = frozenset({"/interviews/shared/{token}", "/join/{token}"})

# Acts of somebody who is not signed in yet.
_BY_STRANGERS: Final = frozenset({"/join/{token}/register"})

_PUBLIC_CALCULATORS: Final = frozenset(
    {
        "/calculators",
        "/calculators/{slug}",
        "/calculators/{slug}/rest",
        "/calculators/{slug}/solve",
        "/calculators/{slug}/flips",
        "/calculators/{slug}/plot",
        "/calculators/{slug}/embed",
        "/api/docs",
        "/api/v1/calculators",
        "/api/v1/calculators/{slug}",
        "/api/v1/calculators/{slug}/sweep",
        "/api/v1/calculators/{slug}/solve",
        "/api/v1/calculators/{slug}/flips",
        "/api/v1/quantities",
    }
)

_PUBLIC_QUESTIONS: Final = _PUBLIC_CALCULATORS | {
    *("/", "/questions", "/questions/{slug}", "/topics/{slug}", "/numbers")
}

_OPENED: Final = {
    NOTHING: _BY_A_SECRET_ADDRESS,
    CALCULATORS: _BY_A_SECRET_ADDRESS | _PUBLIC_CALCULATORS,
    QUESTIONS: _BY_A_SECRET_ADDRESS | _PUBLIC_QUESTIONS,
}


class SignInNeeded(Exception):  # noqa: N818 (reads as what it is)
    """Somebody who is not signed in asked for what only people of this server may see or do."""


class TokenRefused(Exception):  # noqa: N818 (reads as what it is)
    """A program's token opens nothing, or not this: `needed` is the scope that it lacks."""

    def __init__(self, needed: str = "") -> None:
        super().__init__(needed)
        self.needed = needed


def is_api(scope: Scope) -> bool:
    """Whether the request is one of those that programs send with a token."""
    return str(scope["path"]).startswith("/api/v1/")


def scope_needed(scope: Scope) -> str:
    """What a token has to be good for, so that the request's route lets its bearer in.

    A change outside of teams has no scope yet: no token is good for one until somebody decides here.
    """
    if route_template(scope).startswith("/api/v1/team"):
        return "team"
    return "read" if scope["method"] in ("GET", "HEAD") else "change"


def visitor_may(public: str, scope: Scope) -> bool:
    """Whether a visitor may read what the request's route shows, by `RIDGEWAY_PUBLIC`, or do what it does."""
    template = route_template(scope)
    return template in _BY_STRANGERS or (scope["method"] in ("GET", "HEAD") and template in _OPENED[public])


def route_template(scope: Scope) -> str:
    """The path of the request's route with the names of its parameters, such as /questions/{slug}."""
    return str(getattr(scope.get("route"), "path", ""))
