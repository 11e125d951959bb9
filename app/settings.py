"""Everything that can be configured, read from the environment and from `.env` in the working directory.

A variable is `RIDGEWAY_` and the field's name in capitals. A bad value, or a variable that looks like a
setting and is none, raises `SettingsError` with one line: the variable, what was given, what is allowed.
"""

import difflib
import ipaddress
import os
import re
import socket
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from dotenv import dotenv_values
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    field_validator,
    model_validator,
)
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

PREFIX: Final = "RIDGEWAY_"
ENV_FILE: Final = ".env"
SQLITE_NAME: Final = "ridgeway.sqlite3"
LOOPBACK_NAMES: Final = ("localhost", "127.0.0.1", "::1")
_REPORT_TO = re.compile(r"mailto:[^\s@?&]+@[^\s@?&]+|https://[^\s/?#]+[^\s#]*")
_HOST_NAME = re.compile(r"[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252}[A-Za-z0-9_])?\.?")
_FRAMING_ORIGIN = re.compile(r"https?://(?:\*\.)?[A-Za-z0-9_.-]+(?::[0-9]{1,5})?")
_HOST_HEADER = re.compile(r"(?:\[(?P<address>[0-9A-Fa-f:.]+)\]|(?P<name>[A-Za-z0-9_.-]+))(?::[0-9]{1,5})?")


class SettingsError(Exception):
    """A setting that stops the start. `str()` is one line, fit to be shown as it is."""


def _split_paths(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in re.split(f"[{re.escape(os.pathsep)},]", value) if part.strip()]
    return value


class Settings(BaseModel):
    """The settings of one process. Constructed directly it reads nothing around it; `load_settings` does."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    host: str = Field(default="127.0.0.1", description="The address to listen on: an IP address or a name.")
    port: int = Field(default=8000, ge=0, le=65535, description="The port to listen on; 0 takes a free one.")
    data_dir: Path = Field(
        default=Path("data"), description="The folder that holds the SQLite file; made at the first start."
    )
    database_url: str = Field(
        default="",
        repr=False,
        description="The database: sqlite:///PATH or postgresql://USER:PASSWORD@HOST/NAME.",
    )
    bank_paths: Annotated[tuple[Path, ...], NoDecode, BeforeValidator(_split_paths)] = Field(
        default=(),
        description=f"More question folders beside the built-in bank, separated by {os.pathsep!r} or ','.",
    )
    mode: str = Field(
        default="local",
        description="Who uses it: local, one user without a password, is all there is so far.",
    )
    base_url: str = Field(
        default="",
        description="The address that readers type, such as https://ridgeway.example.com.",
    )
    allow_remote: bool = Field(
        default=False,
        description="1 allows a RIDGEWAY_HOST that other machines can reach.",
    )
    embed_origins: str = Field(
        default="*",
        description=(
            "Whose pages may show a calculator in a frame: *, none, or addresses such as "
            "https://wiki.example.com, separated by spaces or ','."
        ),
    )

    report_to: str = Field(
        default="",
        description="Where mistakes in questions are reported: mailto:ADDRESS, or a tracker's https address.",
    )

    @field_validator("host")
    @classmethod
    def _host(cls, value: str) -> str:
        host = value.strip().removeprefix("[").removesuffix("]")
        if _ip_address(host) is None and not _HOST_NAME.fullmatch(host):
            raise ValueError("an IP address or a host name, without a port")
        return host

    @field_validator("data_dir")
    @classmethod
    def _data_dir(cls, value: Path) -> Path:
        folder = value.expanduser()
        if folder.exists() and not folder.is_dir():
            raise ValueError("a folder; there is a file of this name")
        return folder

    @field_validator("database_url")
    @classmethod
    def _database_url(cls, value: str) -> str:
        if value:
            # Not at the top: a command that needs no database should not pay for importing SQLAlchemy.
            from app.database import parse_url

            parse_url(value)
        return value

    @field_validator("bank_paths")
    @classmethod
    def _bank_paths(cls, value: tuple[Path, ...]) -> tuple[Path, ...]:
        folders = tuple(path.expanduser() for path in value)
        missing = [str(path) for path in folders if not path.is_dir()]
        if missing:
            raise ValueError(f"folders that exist; no folder: {', '.join(missing)}")
        return folders

    @field_validator("mode")
    @classmethod
    def _mode(cls, value: str) -> str:
        if value == "team":
            raise ValueError("local; team comes with team hosting and is not in this version")
        if value != "local":
            raise ValueError("local")
        return value

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

    @field_validator("embed_origins")
    @classmethod
    def _embed_origins(cls, value: str) -> str:
        origins = [part.rstrip("/") for part in value.replace(",", " ").split()]
        if origins not in (["*"], ["none"]) and not all(map(_FRAMING_ORIGIN.fullmatch, origins)):
            raise ValueError("*, none, or addresses without a path, such as https://wiki.example.com")
        return " ".join(origins) or "none"

    @field_validator("report_to")
    @classmethod
    def _report_to(cls, value: str) -> str:
        if value and not _REPORT_TO.fullmatch(value):
            raise ValueError(
                "mailto:ADDRESS such as mailto:bank@example.com, or the https address of a form for a new "
                "entry, such as https://example.com/issues/new"
            )
        return value

    @model_validator(mode="after")
    def _remote_only_when_allowed(self) -> "Settings":
        if not self.allow_remote and not is_loopback(self.host):
            raise ValueError(
                f"{PREFIX}HOST is {self.host!r}, which other machines can reach, and there is no password in "
                f"local mode: allowed is 127.0.0.1, ::1 or localhost, or set {PREFIX}ALLOW_REMOTE=1 as well"
            )
        return self

    @property
    def effective_database_url(self) -> str:
        """The database's address: the one given, else the SQLite file in the data folder."""
        return self.database_url or f"sqlite:///{(self.data_dir / SQLITE_NAME).absolute()}"

    @property
    def public_url(self) -> str:
        """The address to print and to link to, without a closing slash."""
        if self.base_url:
            return self.base_url
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 (compared, not bound)
        return f"http://[{host}]:{self.port}" if ":" in host else f"http://{host}:{self.port}"

    @property
    def frame_ancestors(self) -> str:
        """Who may frame a calculator's embedding, as a content security policy says it."""
        if self.embed_origins in ("*", "none"):
            return self.embed_origins.replace("none", "'none'")
        return f"'self' {self.embed_origins}"

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
        match = _HOST_HEADER.fullmatch(header)
        if match is None:
            return False
        host = (match["address"] or match["name"]).lower().rstrip(".")
        if host in self.allowed_hosts:
            return True
        return self.allow_remote and not self.base_url and _ip_address(host) is not None


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `ridgeway settings` lists it."""

    name: str
    meaning: str
    default: str
    value: str


_DEFAULT_IN_WORDS: Final = {
    "database_url": f"sqlite:///{{{PREFIX}DATA_DIR}}/{SQLITE_NAME}",
    "bank_paths": "none",
    "base_url": f"http://{{{PREFIX}HOST}}:{{{PREFIX}PORT}}",
    "allow_remote": "0",
    "report_to": "none",
}


def describe(settings: Settings) -> tuple[SettingLine, ...]:
    """Every setting with its meaning, its default and its value now; a password in an address is masked."""
    values = {
        "database_url": re.sub(r"(?<=:)[^:/@]*(?=@)", "***", settings.effective_database_url),
        "bank_paths": os.pathsep.join(map(str, settings.bank_paths)) or "none",
        "base_url": settings.public_url,
        "allow_remote": str(int(settings.allow_remote)),
        "report_to": settings.report_to or "none",
    }
    return tuple(
        SettingLine(
            name=PREFIX + name.upper(),
            meaning=field.description or "",
            default=_DEFAULT_IN_WORDS.get(name, str(field.default)),
            value=values.get(name, str(getattr(settings, name))),
        )
        for name, field in Settings.model_fields.items()
    )


class _EnvironmentSettings(BaseSettings, Settings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)


def load_settings(env_file: Path | None = Path(ENV_FILE)) -> Settings:
    """The settings from the environment (it wins) and the file; `SettingsError` names the first bad one."""
    in_file = _read_env_file(env_file) if env_file else {}
    _refuse_unknown([*os.environ, *in_file])
    try:
        return _EnvironmentSettings(_env_file=env_file)
    except ValidationError as error:
        raise SettingsError(_one_line(error)) from error


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach what listens on `host`."""
    address = _ip_address(host)
    return address.is_loopback if address else host.lower().rstrip(".") == "localhost"


def _ip_address(host: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(host)
    except ValueError:
        return None


def _read_env_file(path: Path) -> Mapping[str, str | None]:
    try:
        return dotenv_values(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read as a file of settings: {error}") from error


def _refuse_unknown(given: Iterable[str]) -> None:
    known = [name.upper() for name in Settings.model_fields]
    for variable in given:
        name = variable.upper().removeprefix(PREFIX)
        if variable.upper().startswith(PREFIX) and name not in known:
            close = difflib.get_close_matches(name, known, n=1)
            hint = f"did you mean {PREFIX}{close[0]}?" if close else f"known are {_list(known)}"
            raise SettingsError(f"{variable} is not a setting: {hint}")


def _list(names: Iterable[str]) -> str:
    return ", ".join(PREFIX + name for name in names)


def _one_line(error: ValidationError) -> str:
    first = error.errors(include_url=False)[0]
    if not first["loc"]:  # a rule over several settings, which names them itself
        return str(first["msg"]).removeprefix("Value error, ")
    name = str(first["loc"][0])
    return f"{PREFIX}{name.upper()} is {_shown(name, first['input'])}: allowed is {_allowed(first)}"


def _shown(name: str, value: Any) -> str:
    if name == "database_url":  # may hold a password
        return "not an address that can be used"
    text = str(value)
    return repr(text if len(text) <= 80 else text[:79] + "…")


_ALLOWED_TYPES: Final = {
    "bool_parsing": "1 or 0 (also true, false, yes, no, on, off)",
    "int_parsing": "a whole number from 0 to 65535",
    "int_from_float": "a whole number from 0 to 65535",
    "greater_than_equal": "a whole number from 0 to 65535",
    "less_than_equal": "a whole number from 0 to 65535",
}


def _allowed(detail: Mapping[str, Any]) -> str:
    if detail["type"] == "value_error":
        return str(detail["msg"]).removeprefix("Value error, ")
    return _ALLOWED_TYPES.get(detail["type"], str(detail["msg"]))
