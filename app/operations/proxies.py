"""Who asks, where proxies stand between: pure ASGI, outside of everything that asks for the client."""

import re
from collections.abc import Collection, Iterator
from ipaddress import IPv6Address
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Receive, Scope, Send

from app.settings.hosts import HOST_HEADER, Address, Network, ip_address

_MOST_HOPS: Final = 20
_WITH_PORT = re.compile(r"\[(?P<six>[0-9A-Fa-f:.]+)\](?::[0-9]+)?|(?P<four>[0-9.]+):[0-9]+")


class TrustedProxies:
    """Believes what `X-Forwarded-For`, `-Proto` and `-Host` say where a trusted proxy sent the request.

    Each proxy appends what it saw, so the client is the right-most address that is not a trusted proxy's:
    whatever stands left of it, the client may have made up. Of `-Proto` and `-Host` the right-most value
    is the nearest proxy's own. From anybody else the headers change nothing.
    """

    def __init__(self, app: ASGIApp, trusted: Collection[Network]) -> None:
        self.app = app
        self.trusted = tuple(trusted)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if self.trusted and scope["type"] == "http" and scope.get("client"):
            peer = _address(scope["client"][0])
            if peer is not None and self._trusts(peer):
                self._believe(scope, peer)
        await self.app(scope, receive, send)

    def _believe(self, scope: Scope, peer: Address) -> None:
        headers = Headers(scope=scope)
        scope["client"] = (str(self._client(peer, headers)), 0)
        protocol = _last(headers, "x-forwarded-proto").lower()
        if protocol in ("http", "https"):
            scope["scheme"] = protocol
        host = _last(headers, "x-forwarded-host")
        if HOST_HEADER.fullmatch(host):
            MutableHeaders(scope=scope)["host"] = host

    def _client(self, peer: Address, headers: Headers) -> Address:
        nearest = peer
        for hop in _from_the_right(headers, "x-forwarded-for"):
            address = _address(hop)
            if address is None:  # no address: the last one that is known is as far as trust goes
                break
            nearest = address
            if not self._trusts(address):
                break
        return nearest

    def _trusts(self, address: Address) -> bool:
        return any(address in network for network in self.trusted)


def _from_the_right(headers: Headers, name: str) -> Iterator[str]:
    """The values of a header that may be there several times, each a list."""
    values = [value for line in headers.getlist(name) for value in line.rsplit(",", _MOST_HOPS)]
    for value in reversed(values[-_MOST_HOPS:]):
        yield value.strip()


def _last(headers: Headers, name: str) -> str:
    return next(_from_the_right(headers, name), "")


def _address(text: str) -> Address | None:
    """With or without a port; an IPv4 address that IPv6 carries is that IPv4 address."""
    match = _WITH_PORT.fullmatch(text)
    address = ip_address((match["six"] or match["four"]) if match else text)
    if isinstance(address, IPv6Address) and address.ipv4_mapped:
        return address.ipv4_mapped
    return address
