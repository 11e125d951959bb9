"""The OpenID provider: where people are sent to sign in there, and what its word is when they come back.

The authorization code flow with PKCE. A provider that is slow or away holds up those who sign in by it, and
nobody else: few ask it at a time, each for a few seconds.
"""

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Final

from app.accounts.gate import Busy, Gate

if TYPE_CHECKING:
    from authlib.integrations.httpx_client import OAuth2Client
    from joserfc.jwk import KeySet

    from app.settings import Settings

CALLBACK: Final = "/sign-in/provider/back"
# Signed with a key of the provider's, never with a secret that we know, or not at all.
ALGORITHMS: Final = ("RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA")
LEEWAY: Final = 60  # s that the two clocks may differ
KEPT: Final = timedelta(hours=1)  # how long what the provider publishes is believed without asking again
ASKED_AGAIN: Final = timedelta(minutes=1)  # at most so often, where a token names a key that is not known
_MOST_OF_A_TOKEN: Final = 64 * 1024


class ProviderAway(Exception):  # noqa: N818 (reads as what it is)
    """It does not answer, or not as a provider does; `str()` is for the log."""


class ProviderRefused(Exception):  # noqa: N818 (reads as what it is)
    """Its word is not good; `str()` is for the log."""


@dataclass(frozen=True, slots=True)
class Claims:
    """What the provider says of a person."""

    issuer: str
    subject: str
    email: str  # empty where it is not verified
    name: str
    all: Mapping[str, Any]

    def listed(self, claim: str) -> frozenset[str]:
        """The values of a claim that lists some, such as groups."""
        value = self.all.get(claim)
        values: Sequence[object] = value if isinstance(value, list) else [value]
        return frozenset(each for each in values if isinstance(each, str))


@dataclass(frozen=True, slots=True)
class Published:
    """The provider's description of itself."""

    issuer: str
    authorization_endpoint: str
    token_endpoint: str
    jwks_uri: str
    userinfo_endpoint: str
    token_endpoint_auth_method: str


class Provider:
    def __init__(self, settings: "Settings", clock: Callable[[], datetime]) -> None:
        self._settings = settings
        self._clock = clock
        self._gate = Gate(at_once=6, waiting=6, patience=2)
        self._lock = threading.Lock()
        self._published: tuple[datetime, Published] | None = None
        self._keys: tuple[datetime, KeySet] | None = None

    @property
    def name(self) -> str:
        return self._settings.oidc_name or "single sign-on"

    def address(self, redirect_uri: str, *, state: str, nonce: str, verifier: str) -> str:
        """Where to send the browser. Raises `ProviderAway`."""
        with self._asking():
            published = self._description()
        client = self._client(published, redirect_uri)
        url, _ = client.create_authorization_url(
            published.authorization_endpoint, state=state, nonce=nonce, code_verifier=verifier
        )
        return str(url)

    def claims(self, code: str, redirect_uri: str, *, nonce: str, verifier: str) -> Claims:
        """Who came back with the code. Raises `ProviderAway` and `ProviderRefused`."""
        from authlib.integrations.base_client import OAuthError
        from joserfc.errors import JoseError

        with self._asking():
            published = self._description()
            client = self._client(published, redirect_uri)
            try:
                token = client.fetch_token(published.token_endpoint, code=code, code_verifier=verifier)
                said = self._checked(token, nonce, published.issuer)
                if "email" not in said and published.userinfo_endpoint:
                    said = self._with_userinfo(client, published, said)
            except (OAuthError, JoseError) as error:
                raise ProviderRefused(str(error)[:200]) from error
        email = said.get("email") if said.get("email_verified") in (True, "true") else ""
        return Claims(
            issuer=said["iss"],
            subject=said["sub"],
            email=email if isinstance(email, str) else "",
            name=str(said.get("name") or said.get("preferred_username") or email or ""),
            all=said,
        )

    def _checked(self, token: Mapping[str, Any], nonce: str, issuer: str) -> dict[str, Any]:
        """The claims of the ID token: signed by the provider, for us, now, and for this visit."""
        from authlib.oidc.core import CodeIDToken
        from joserfc import jwt
        from joserfc.errors import InvalidKeyIdError

        raw = token.get("id_token")
        if not isinstance(raw, str) or len(raw) > _MOST_OF_A_TOKEN:
            raise ProviderRefused("no ID token")
        keys = self._key_set(KEPT)
        try:
            decoded = jwt.decode(raw, keys, algorithms=ALGORITHMS)
        except InvalidKeyIdError:  # the provider has changed its keys
            decoded = jwt.decode(raw, self._key_set(ASKED_AGAIN), algorithms=ALGORITHMS)
        settings = self._settings
        options = {
            "iss": {"essential": True, "value": issuer},
            "aud": {"essential": True, "value": settings.oidc_client_id},
            "sub": {"essential": True},
        }
        params = {
            "nonce": nonce,
            "client_id": settings.oidc_client_id,
            "access_token": token.get("access_token"),
        }
        CodeIDToken(decoded.claims, decoded.header, options, params).validate(
            now=int(self._clock().timestamp()), leeway=LEEWAY
        )
        subject = decoded.claims["sub"]
        if not isinstance(subject, str) or not 1 <= len(subject) <= 255 or "\0" in subject:
            raise ProviderRefused("a subject that is none")
        return dict(decoded.claims)

    def _with_userinfo(
        self, client: "OAuth2Client", published: Published, said: dict[str, Any]
    ) -> dict[str, Any]:
        """With what the provider tells only where it is asked; it has to speak of the same person."""
        answer = client.get(published.userinfo_endpoint)
        more = _json(answer) if answer.status_code == 200 else {}
        return {**more, **said} if more.get("sub") == said["sub"] else said

    def _client(self, published: Published, redirect_uri: str) -> "OAuth2Client":
        from authlib.integrations.httpx_client import OAuth2Client

        from app.accounts.provider_http import TIMEOUT, transport

        settings = self._settings
        return OAuth2Client(
            client_id=settings.oidc_client_id,
            client_secret=settings.oidc_client_secret or None,
            token_endpoint_auth_method=published.token_endpoint_auth_method
            if settings.oidc_client_secret
            else "none",
            scope=" ".join(settings.oidc_scopes),
            redirect_uri=redirect_uri,
            code_challenge_method="S256",
            transport=transport(),
            timeout=TIMEOUT,
        )

    def _description(self) -> Published:
        now = self._clock()
        with self._lock:
            known = self._published
        if known is not None and now - known[0] < KEPT:
            return known[1]
        issuer = self._settings.oidc_issuer
        told = self._get(f"{issuer.rstrip('/')}/.well-known/openid-configuration")
        named = told.get("issuer")
        # Some close it by a slash, which the address of the description does not tell.
        if not isinstance(named, str) or named.rstrip("/") != issuer.rstrip("/"):
            raise ProviderAway(f"the provider calls itself {str(named)[:200]!r}, not {issuer!r}")
        methods = told.get("token_endpoint_auth_methods_supported") or ["client_secret_basic"]
        try:
            published = Published(
                issuer=named,
                authorization_endpoint=_address(told, "authorization_endpoint", issuer),
                token_endpoint=_address(told, "token_endpoint", issuer),
                jwks_uri=_address(told, "jwks_uri", issuer),
                userinfo_endpoint=_address(told, "userinfo_endpoint", issuer)
                if "userinfo_endpoint" in told
                else "",
                token_endpoint_auth_method="client_secret_basic"
                if "client_secret_basic" in methods
                else "client_secret_post",
            )
        except (KeyError, ValueError) as error:
            raise ProviderAway(f"its description lacks {error}") from error
        with self._lock:
            self._published = (now, published)
        return published

    def _key_set(self, kept: timedelta) -> "KeySet":
        from joserfc.errors import JoseError
        from joserfc.jwk import KeySet

        now = self._clock()
        with self._lock:
            known = self._keys
        if known is not None and now - known[0] < kept:
            return known[1]
        told = self._get(self._description().jwks_uri)
        try:
            keys = KeySet.import_key_set(told)  # type: ignore[arg-type]  # from outside: checked by the import
        except (JoseError, ValueError, KeyError, TypeError, AttributeError) as error:
            raise ProviderAway("its keys cannot be read") from error
        with self._lock:
            self._keys = (now, keys)
        return keys

    def _get(self, address: str) -> dict[str, Any]:
        import httpx2

        from app.accounts.provider_http import TIMEOUT, transport

        answer = httpx2.Client(transport=transport(), timeout=TIMEOUT).get(address)
        if answer.status_code != 200:
            raise ProviderAway(f"{address} answers {answer.status_code}")
        return _json(answer)

    @contextmanager
    def _asking(self) -> Iterator[None]:
        import httpx2

        started = time.monotonic()
        try:
            with self._gate.through():
                yield
        except Busy as error:
            raise ProviderAway("too many ask it at once") from error
        except httpx2.HTTPError as error:
            took = time.monotonic() - started
            raise ProviderAway(f"{type(error).__name__} after {took:.1f} s") from error


def _json(answer: Any) -> dict[str, Any]:
    try:
        told = answer.json()
    except ValueError as error:
        raise ProviderAway("it answers with what is no JSON") from error
    if not isinstance(told, dict):
        raise ProviderAway("it answers with what is no JSON object")
    return told


def _address(told: Mapping[str, Any], name: str, issuer: str) -> str:
    value = told[name]
    secure = issuer.startswith("https://")
    if not isinstance(value, str) or not value.startswith("https://" if secure else ("https://", "http://")):
        raise ValueError(name)
    return value
