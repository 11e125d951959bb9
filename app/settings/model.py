"""All settings of one process."""

import os
import re
from pathlib import Path
from typing import Annotated, Final

from pydantic import BeforeValidator, Field, field_validator, model_validator
from pydantic_settings import NoDecode

from app.accounts.access import NOTHING, PUBLIC_CHOICES
from app.settings.hosts import is_loopback
from app.settings.signing_in import SignInSettings

PREFIX: Final = "RIDGEWAY_"
SQLITE_NAME: Final = "ridgeway.sqlite3"
_REPORT_TO = re.compile(r"mailto:[^\s@?&]+@[^\s@?&]+|https://[^\s/?#]+[^\s#]*")
_FRAMING_ORIGIN = re.compile(r"https?://(?:\*\.)?[A-Za-z0-9_.-]+(?::[0-9]{1,5})?")


def _split_paths(value: object) -> object:
    if isinstance(value, str):
        return [part.strip() for part in re.split(f"[{re.escape(os.pathsep)},]", value) if part.strip()]
    return value


def _split_packs(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [
        tuple(part.split("=", 1)) for part in re.split(f"[{re.escape(os.pathsep)},]", value) if part.strip()
    ]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("TEAM=FOLDER, such as platform=/srv/packs/our-stack")
    return pairs


class Settings(SignInSettings):
    """The settings of one process. Constructed directly it reads nothing around it; `load_settings` does.

    A field that is kept out of the repr is a secret: it may be given by a file, and is never shown.
    """

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
        description="Who uses it: local, one user without a password, or team, people who sign in.",
    )
    public: str = Field(
        default=NOTHING,
        description="What visitors may read in team mode: nothing, calculators, or questions as well.",
    )
    packs: Annotated[tuple[tuple[str, Path], ...], NoDecode, BeforeValidator(_split_packs)] = Field(
        default=(),
        description=(
            "Question folders of teams in team mode: TEAM=FOLDER with the team's name in its address, "
            f"separated by {os.pathsep!r} or ','. They are read at the start."
        ),
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

    @field_validator("packs")
    @classmethod
    def _packs(cls, value: tuple[tuple[str, Path], ...]) -> tuple[tuple[str, Path], ...]:
        folders = tuple((team.strip(), path.expanduser()) for team, path in value)
        missing = [f"{team}={path}" for team, path in folders if not team or not path.is_dir()]
        if missing:
            raise ValueError(f"TEAM=FOLDER with folders that exist; no folder: {', '.join(missing)}")
        return folders

    @field_validator("mode")
    @classmethod
    def _mode(cls, value: str) -> str:
        if value not in ("local", "team"):
            raise ValueError("local or team")
        return value

    @field_validator("public")
    @classmethod
    def _public(cls, value: str) -> str:
        if value not in PUBLIC_CHOICES:
            raise ValueError(f"{', '.join(PUBLIC_CHOICES[:-1])} or {PUBLIC_CHOICES[-1]}")
        return value

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
    def _remote_only_on_purpose(self) -> "Settings":
        if is_loopback(self.host):
            return self
        if self.mode == "team" and not self.base_url:
            raise ValueError(
                f"{PREFIX}HOST is {self.host!r}, which other machines can reach: in team mode "
                f"{PREFIX}BASE_URL has to say by which address, such as https://ridgeway.example.com"
            )
        if self.mode == "local" and not self.allow_remote:
            raise ValueError(
                f"{PREFIX}HOST is {self.host!r}, which other machines can reach, and there is no password in "
                f"local mode: allowed is 127.0.0.1, ::1 or localhost, or set {PREFIX}ALLOW_REMOTE=1 as well"
            )
        return self

    @model_validator(mode="after")
    def _whole_sign_in(self) -> "Settings":
        for first, second in (("oidc_issuer", "oidc_client_id"), ("smtp_url", "mail_from")):
            if bool(getattr(self, first)) != bool(getattr(self, second)):
                raise ValueError(
                    f"{PREFIX}{first.upper()} and {PREFIX}{second.upper()} belong together: "
                    "allowed is both or neither"
                )
        return self

    @property
    def effective_database_url(self) -> str:
        """The database's address: the one given, else the SQLite file in the data folder."""
        return self.database_url or f"sqlite:///{(self.data_dir / SQLITE_NAME).absolute()}"

    @property
    def frame_ancestors(self) -> str:
        """Who may frame a calculator's embedding, as a content security policy says it."""
        if self.embed_origins in ("*", "none"):
            return self.embed_origins.replace("none", "'none'")
        return f"'self' {self.embed_origins}"


def secrets() -> tuple[str, ...]:
    """The names of the fields that hold a secret."""
    return tuple(name for name, field in Settings.model_fields.items() if not field.repr)
