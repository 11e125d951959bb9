"""What says how people sign in: by which OpenID provider, and which mail server takes links for passwords."""

from typing import Annotated, Final
from urllib.parse import urlsplit

from pydantic import BeforeValidator, Field, field_validator
from pydantic_settings import NoDecode

from app.settings.hosts import is_loopback
from app.settings.server import ServerSettings

TEAM_ROLES: Final = ("owner", "editor", "member")
_SMTP: Final = "smtp://USER:PASSWORD@HOST:587 (STARTTLS) or smtps://USER:PASSWORD@HOST:465"


def _words(value: object) -> object:
    if isinstance(value, str):
        return tuple(part for part in value.replace(",", " ").split() if part)
    return value


def _lines(value: object) -> object:
    """Names that may hold spaces, separated by commas."""
    if isinstance(value, str):
        return tuple(part.strip() for part in value.split(",") if part.strip())
    return value


def _mapping(value: object) -> object:
    if not isinstance(value, str):
        return value
    pairs = [part.rpartition("=") for part in value.split(",") if part.strip()]
    if not all(equals and name.strip() for name, equals, _ in pairs):
        raise ValueError("pairs such as ml-leads=owner, separated by ','")
    return {name.strip(): role.strip() for name, _, role in pairs}


Words = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_words)]
Lines = Annotated[tuple[str, ...], NoDecode, BeforeValidator(_lines)]
Mapping = Annotated[dict[str, str], NoDecode, BeforeValidator(_mapping)]


class SignInSettings(ServerSettings):
    """The part of the settings that is about signing in, in team mode."""

    oidc_issuer: str = Field(
        default="",
        description="The OpenID provider's issuer, such as https://id.example.com: people sign in by it.",
    )
    oidc_client_id: str = Field(
        default="", description="The name under which the provider knows this server."
    )
    oidc_client_secret: str = Field(
        default="", repr=False, description="The secret that the provider gave with that name."
    )
    oidc_name: str = Field(default="", description="What the sign-in button calls the provider.")
    oidc_scopes: Words = Field(
        default=("openid", "email", "profile"),
        description="What the provider is asked for; openid is needed.",
    )
    oidc_allowed_domains: Words = Field(
        default=(),
        description="Whose e-mail addresses may make an account by the provider, such as example.com.",
    )
    oidc_allowed_groups: Lines = Field(
        default=(), description="The provider's groups whose people may sign in, separated by ','."
    )
    oidc_groups_claim: str = Field(default="groups", description="The claim that lists a person's groups.")
    oidc_roles_claim: str = Field(
        default="", description="The claim that lists what gives a role in a team, such as groups."
    )
    oidc_roles: Mapping = Field(
        default={},
        description="Roles by the values of that claim: VALUE=ROLE or VALUE=TEAM/ROLE, separated by ','.",
    )
    smtp_url: str = Field(
        default="", repr=False, description=f"The mail server that sends links for a new password: {_SMTP}."
    )
    mail_from: str = Field(default="", description="The address that mails come from.")

    @field_validator("oidc_issuer")
    @classmethod
    def _oidc_issuer(cls, value: str) -> str:
        address = value.strip().removesuffix("/.well-known/openid-configuration")
        if not address:
            return ""
        url = urlsplit(address)
        if not url.hostname or url.query or url.fragment or url.username:
            raise ValueError("an https address without a query, such as https://id.example.com/realms/ml")
        if url.scheme != "https" and not (url.scheme == "http" and is_loopback(url.hostname)):
            raise ValueError("an https address; http only on this machine")
        return address

    @field_validator("oidc_scopes")
    @classmethod
    def _oidc_scopes(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        if "openid" not in value:
            raise ValueError("scopes with openid among them, such as openid email profile")
        return value

    @field_validator("oidc_allowed_domains")
    @classmethod
    def _oidc_allowed_domains(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        domains = tuple(domain.casefold().removeprefix("@") for domain in value)
        if any(not domain or "@" in domain or "/" in domain for domain in domains):
            raise ValueError("domains such as example.com, separated by ','")
        return domains

    @field_validator("oidc_roles")
    @classmethod
    def _oidc_roles(cls, value: dict[str, str]) -> dict[str, str]:
        if any(role.rpartition("/")[2] not in TEAM_ROLES for role in value.values()):
            raise ValueError(
                f"pairs such as ml-leads=owner or ml-leads=ml/owner; a role is {_or(TEAM_ROLES)}"
            )
        return value

    @field_validator("smtp_url")
    @classmethod
    def _smtp_url(cls, value: str) -> str:
        if not value:
            return value
        try:
            url = urlsplit(value)
            url.port  # noqa: B018 (raises where it is none)
        except ValueError as error:
            raise ValueError(_SMTP) from error
        if url.scheme not in ("smtp", "smtps") or not url.hostname or url.path.strip("/") or url.query:
            raise ValueError(_SMTP)
        return value

    @field_validator("mail_from")
    @classmethod
    def _mail_from(cls, value: str) -> str:
        local, at, host = value.strip().rpartition("@")
        if value and not (at and local and host and value.isprintable() and " " not in value.strip()):
            raise ValueError("an e-mail address, such as ridgeway@example.com")
        return value.strip()


def _or(names: tuple[str, ...]) -> str:
    return f"{', '.join(names[:-1])} or {names[-1]}"
