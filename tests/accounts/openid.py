"""A small OpenID provider in a thread, which checks what it is asked and can be told to misbehave."""

import base64
import contextlib
import hashlib
import hmac
import json
import secrets
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, parse_qsl, urlsplit

from joserfc import jwt
from joserfc.jwk import RSAKey

CLIENT: Final = "ridgeway"
SECRET: Final = "secret-of-the-client"


@dataclass
class OpenId:
    """`claims` go into the ID token over the usual ones; None leaves one out. `sign` makes another token."""

    clock: Callable[[], float]
    issuer: str = ""
    claims: dict[str, Any] = field(default_factory=dict)
    userinfo: dict[str, Any] = field(default_factory=dict)
    sign: Callable[[dict[str, Any]], str] | None = None
    delay: float = 0
    broken: bool = False
    key: RSAKey = field(default_factory=lambda: RSAKey.generate_key(2048, {"kid": "first"}))
    asked: list[str] = field(default_factory=list)
    codes: dict[str, dict[str, str]] = field(default_factory=dict)

    def authorize(self, address: str) -> str:
        """What the provider's page does once its person has said yes: the query to come back with."""
        query = dict(parse_qsl(urlsplit(address).query))
        assert query["response_type"] == "code"
        assert query["client_id"] == CLIENT
        assert query["code_challenge_method"] == "S256"
        assert "openid" in query["scope"].split()
        code = secrets.token_urlsafe(8)
        self.codes[code] = query
        return f"?state={query['state']}&code={code}"

    def answer(self, path: str, form: dict[str, list[str]], authorization: str) -> tuple[int, Any]:
        self.asked.append(path)
        time.sleep(self.delay)
        if self.broken:
            return 500, "no JSON"
        if path == "/.well-known/openid-configuration":
            return 200, {
                "issuer": self.issuer,
                "authorization_endpoint": f"{self.issuer}/authorize",
                "token_endpoint": f"{self.issuer}/token",
                "jwks_uri": f"{self.issuer}/keys",
                "userinfo_endpoint": f"{self.issuer}/userinfo",
            }
        if path == "/keys":
            return 200, {"keys": [self.key.as_dict(private=False)]}
        if path == "/userinfo":
            return 200, self.userinfo
        return self._token(form, authorization)

    def _token(self, form: dict[str, list[str]], authorization: str) -> tuple[int, Any]:
        basic = base64.b64decode(authorization.removeprefix("Basic ")).decode()
        query = self.codes.pop(form["code"][0], None)
        challenge = _base64(hashlib.sha256(form["code_verifier"][0].encode()).digest())
        if (
            query is None
            or basic != f"{CLIENT}:{SECRET}"
            or query["code_challenge"] != challenge
            or query["redirect_uri"] != form["redirect_uri"][0]
        ):
            return 400, {"error": "invalid_grant"}
        now = int(self.clock())
        claims = {
            "iss": self.issuer,
            "aud": CLIENT,
            "sub": "1",
            "iat": now,
            "exp": now + 300,
            "nonce": query["nonce"],
            "email": "ada@example.org",
            "email_verified": True,
            "name": "Ada",
            **self.claims,
        }
        claims = {name: value for name, value in claims.items() if value is not None}
        token = self.sign(claims) if self.sign else self.signed(claims, self.key)
        return 200, {"access_token": "opaque", "token_type": "Bearer", "id_token": token}

    def signed(self, claims: dict[str, Any], key: RSAKey) -> str:
        return jwt.encode({"alg": "RS256", "kid": key.kid}, claims, key)

    def unsigned(self, claims: dict[str, Any]) -> str:
        parts = (json.dumps(part).encode() for part in ({"alg": "none"}, claims))
        return ".".join(_base64(part) for part in parts) + "."

    def signed_by_the_secret(self, claims: dict[str, Any]) -> str:
        """With the public key taken for a shared secret, as verifiers that trust the header's alg allow."""
        parts = (json.dumps(part).encode() for part in ({"alg": "HS256", "kid": "first"}, claims))
        signed = ".".join(_base64(part) for part in parts)
        public = self.key.as_pem(private=False)
        return f"{signed}.{_base64(hmac.digest(public, signed.encode(), 'sha256'))}"


def _base64(content: bytes) -> str:
    return base64.urlsafe_b64encode(content).decode().rstrip("=")


class _Handler(BaseHTTPRequestHandler):
    provider: OpenId

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        length = int(self.headers["Content-Length"])
        self._answer(parse_qs(self.rfile.read(length).decode()))

    def _answer(self, form: dict[str, list[str]]) -> None:
        status, told = self.provider.answer(self.path, form, self.headers.get("Authorization", ""))
        content = json.dumps(told).encode()
        with contextlib.suppress(BrokenPipeError, ConnectionResetError):  # who asked has given up
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""


@contextlib.contextmanager
def running(clock: Callable[[], float]) -> Iterator[OpenId]:
    provider = OpenId(clock)
    handler = type("Handler", (_Handler,), {"provider": provider})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    provider.issuer = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    try:
        yield provider
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
