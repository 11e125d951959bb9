"""Host names and addresses, as settings and `Host` headers write them."""

import ipaddress
import re
from typing import Final

LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
HOST_NAME: Final = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?\.?")
HOST_HEADER: Final = re.compile(
    r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9_.-]+))(?::[0-9]{1,5})?"
)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on `host`."""
    address = ip_address(host)
    return address.is_loopback if address else host.lower().rstrip(".") == "localhost"


def ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    """The address that the text is, None for a name."""
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None
