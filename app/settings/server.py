"""What says where the server listens, by which names it is reached, and how it is watched."""

import socket
from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, field_validator
from pydantic_settings import NoDecode

from app.settings.hosts import HOST_HEADER, HOST_NAME, LOOPBACK_NAMES, Network, ip_address, networks

MOST_WORKERS: Final = 64
LOG_FORMATS: Final = ("text", "json")
LOG_LEVELS: Final = ("error", "warning", "info", "debug")
_SHORTEST_TOKEN: Final = 16


class ServerSettings(BaseModel):
    """The part of the settings that is about the network."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="127.0.0.1", description="The address to listen on: an IP address or a name.")
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    base_url: str = Field(
        default="",
        description="The address that readers type, such as https://ridgeway.example.com.",
    )
    allow_remote: bool = Field(
        default=False,
        description="1 allows a RIDGEWAY_HOST that other machines can reach.",
    )

    trusted_proxies: Annotated[tuple[Network, ...], NoDecode, BeforeValidator(networks)] = Field(
        default=(),
        description=(
            "Proxies whose X-Forwarded-For, -Proto and -Host are believed: addresses or networks such as "
            "10.0.0.0/8, separated by ','."
        ),
    )
    workers: int = Field(
        default=1, ge=1, le=MOST_WORKERS, description="How many processes serve; --workers does the same."
    )
    log_format: str = Field(
        default="text", description="How the log on stderr is written: text, or json with an object a line."
    )
    log_level: str = Field(
        default="warning",
        description="What is logged: error, warning, info (with a line for each request) or debug.",
    )
    metrics_token: str = Field(
        default="",
        repr=False,
        description="Who asks for /metrics must bear this token; without one only this machine may ask.",
    )

    @field_validator("host")
    @classmethod
    def _host(cls, value: str) -> str:
        host = value.strip().removeprefix("[").removesuffix("]")
        if ip_address(host) is None and not HOST_NAME.fullmatch(host):
            raise ValueError("an IP address or a host name, without a port")
        return host

    @field_validator("base_url")
    @classmethod
    def _base_url(cls, value: str) -> str:
        allowed = "an http or https address without a path, such as https://ridgeway.example.com"
        try:
            url = urlsplit(value)
            port = url.port
        except ValueError as error:
            raise ValueError(allowed) from error
        if not value:
            return value
        extras = url.path.strip("/") or url.query or url.fragment or url.username or url.password
        if url.scheme not in ("http", "https") or not url.hostname or extras:
            raise ValueError(allowed)
        host = f"[{url.hostname}]" if ":" in url.hostname else url.hostname
        return f"{url.scheme}://{host}" + (f":{port}" if port is not None else "")

    @field_validator("log_format")
    @classmethod
    def _log_format(cls, value: str) -> str:
        return _one_of(LOG_FORMATS, value)

    @field_validator("log_level")
    @classmethod
    def _log_level(cls, value: str) -> str:
        return _one_of(LOG_LEVELS, value)

    @field_validator("metrics_token")
    @classmethod
    def _metrics_token(cls, value: str) -> str:
        if value and (len(value) < _SHORTEST_TOKEN or not value.isascii() or not value.isprintable()):
            raise ValueError(f"{_SHORTEST_TOKEN} printable ASCII characters or more")
        return value

    @property
    def public_url(self) -> str:
        """The address to print and to link to, without a closing slash."""
        if self.base_url:
            return self.base_url
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 (compared, not bound)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def secure_cookies(self) -> bool:
        """Whether readers come over https, so that cookies may be limited to it."""
        return self.base_url.startswith("https://")

    @property
    def allowed_hosts(self) -> frozenset[str]:
        """The host names that are answered to, lower case and without a port.

        Those of this machine's loopback, the host listened on and the one of `RIDGEWAY_BASE_URL`. With
        `RIDGEWAY_ALLOW_REMOTE` and no base URL also this machine's own name, plain and with `.local`.
        """
        hosts = {*LOOPBACK_NAMES, self.host.lower().rstrip(".")}
        if self.base_url:
            hosts.add((urlsplit(self.base_url).hostname or "").rstrip("."))
        elif self.allow_remote:
            own = socket.gethostname().lower()
            hosts |= {own, f"{own.partition('.')[0]}.local"}
        return frozenset(hosts)

    def allows_host(self, header: str) -> bool:
        """Whether a request with this `Host` header is answered; the port is not looked at.

        The check is against DNS rebinding, where a foreign page points a *name* of its own at this server. So
        with `RIDGEWAY_ALLOW_REMOTE` and no base URL a bare IP address passes too: no page can rebind one.
        """
        match = HOST_HEADER.fullmatch(header)
        if match is None:
            return False
        host = (match["address"] or match["name"]).lower().rstrip(".")
        if host in self.allowed_hosts:
            return True
        return self.allow_remote and not self.base_url and ip_address(host) is not None


def _one_of(allowed: tuple[str, ...], value: str) -> str:
    if value.lower() not in allowed:
        raise ValueError(f"{', '.join(allowed[:-1])} or {allowed[-1]}")
    return value.lower()
