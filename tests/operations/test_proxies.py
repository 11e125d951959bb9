"""Whose word about the client counts: only that of proxies which are named."""

from ipaddress import ip_network
from typing import Any

import pytest
from fastapi import Request
from fastapi.testclient import TestClient
from starlette.types import Receive, Scope, Send

from app.bank.load import Bank
from app.main import create_app
from app.operations.proxies import TrustedProxies
from app.settings import Settings

TRUSTED = ("10.0.0.0/8", "::1/128")


async def believed(peer: str, *headers: tuple[str, str]) -> Scope:
    """The scope as the app behind gets it."""
    seen: list[Scope] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(scope)

    async def nothing(*_: Any) -> Any:
        raise AssertionError("nothing is received or sent")

    scope = {
        "type": "http",
        "scheme": "http",
        "client": (peer, 4711),
        "headers": [
            (b"host", b"inside:8000"),
            *((name.encode(), value.encode("latin-1")) for name, value in headers),
        ],
    }
    await TrustedProxies(app, list(map(ip_network, TRUSTED)))(scope, nothing, nothing)
    return seen[0]


async def client_of(peer: str, *forwarded_for: str) -> str:
    scope = await believed(peer, *(("x-forwarded-for", value) for value in forwarded_for))
    return str(scope["client"][0])


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("peer", "forwarded_for", "client"),
    [
        ("10.0.0.1", ["203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["198.51.100.1, 203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9, 10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["203.0.113.9", "10.0.0.2"], "203.0.113.9"),
        ("10.0.0.1", ["10.0.0.3, 10.0.0.2"], "10.0.0.3"),
        ("10.0.0.1", ["203.0.113.9:5123"], "203.0.113.9"),
        ("10.0.0.1", ["[2001:db8::9]:443"], "2001:db8::9"),
        ("::1", ["2001:db8::9"], "2001:db8::9"),
        ("::ffff:10.0.0.1", ["::ffff:203.0.113.9"], "203.0.113.9"),
        ("10.0.0.1", ["1.1.1.1, unknown"], "10.0.0.1"),
        ("10.0.0.1", ["1.1.1.1, unknown, 10.0.0.2"], "10.0.0.2"),
        ("10.0.0.1", [], "10.0.0.1"),
        ("10.0.0.1", ["1.1.1.1," * 5000 + "203.0.113.9"], "203.0.113.9"),
        ("192.0.2.7", ["203.0.113.9"], "192.0.2.7"),
        ("testclient", ["203.0.113.9"], "testclient"),
    ],
)
async def test_the_client_is_the_right_most_address_that_is_not_trusted(
    peer: str, forwarded_for: list[str], client: str
) -> None:
    assert await client_of(peer, *forwarded_for) == client


@pytest.mark.anyio
async def test_scheme_and_host_are_those_of_the_nearest_proxy() -> None:
    headers = [("x-forwarded-proto", "http, https"), ("x-forwarded-host", "evil, ridgeway.example:8443")]
    scope = await believed("10.0.0.1", *headers)
    assert scope["scheme"] == "https"
    assert dict(scope["headers"])[b"host"] == b"ridgeway.example:8443"


@pytest.mark.anyio
@pytest.mark.parametrize(
    ("peer", "proto", "host"),
    [("192.0.2.7", "https", "ridgeway.example"), ("10.0.0.1", "gopher", "a b"), ("10.0.0.1", "", "")],
)
async def test_a_stranger_or_nonsense_changes_neither(peer: str, proto: str, host: str) -> None:
    scope = await believed(peer, ("x-forwarded-proto", proto), ("x-forwarded-host", host))
    assert scope["scheme"] == "http"
    assert dict(scope["headers"])[b"host"] == b"inside:8000"


def test_behind_a_proxy_that_ends_tls_the_whole_app_knows_the_readers_address(
    app_settings: Settings, bank: Bank
) -> None:
    """Without a base URL, the Origin of an old browser is enough to post."""
    known = {"trusted_proxies": (ip_network("127.0.0.0/8"),), "allow_remote": True}
    app = create_app(app_settings.model_copy(update=known), bank=bank)

    @app.post("/changes")
    def change(request: Request) -> list[str]:
        return [request.client.host if request.client else "", str(request.url)]

    client = TestClient(app, base_url="http://10.0.0.5:8000", client=("127.0.0.1", 4711))
    forwarded = {
        "X-Forwarded-For": "203.0.113.9",
        "X-Forwarded-Proto": "https",
        "X-Forwarded-Host": "203.0.113.80",
        "Origin": "https://203.0.113.80",
    }
    answer = client.post("/changes", headers=forwarded)
    assert answer.json() == ["203.0.113.9", "https://203.0.113.80/changes"]
    assert client.post("/changes", headers={**forwarded, "X-Forwarded-Host": ""}).status_code == 403
