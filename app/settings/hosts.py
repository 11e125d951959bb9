"""Host names, addresses and networks, as settings and `Host` headers write them."""

import ipaddress
import re
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
HOST_NAME: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?\.?")
HOST_HEADER: Final = re.compile(
    r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9_.-]+))(?::[0-9]{1,5})?"
)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on `host`."""
    address = ip_address(host)
    return address.is_loopback if address else host.lower().rstrip(".") == "localhost"


def ip_address(host: str) -> Address | None:
    """The address that the text is, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def networks(value: object) -> object:
    """The networks that a text lists; a single address is a network of one."""
    if not isinstance(value, str):
        return value
    try:
        return tuple(ipaddress.ip_network(part) for part in re.split(r"[\s,]+", value) if part)
    except ValueError as error:
        raise ValueError(
            "addresses such as 127.0.0.1 and networks such as 10.0.0.0/8 (no bits set beyond the prefix)"
        ) from error
