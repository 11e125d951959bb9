"""Reading the settings from the environment, from `.env` and from files of secrets."""

import difflib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from annotated_types import Ge, Le
from dotenv import dotenv_values
from pydantic import ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from app.settings.model import PREFIX, Settings, secrets

ENV_FILE: Final = ".env"
FILE_SUFFIX: Final = "_FILE"
MAX_SECRET_BYTES: Final = 64 * 1024


class SettingsError(Exception):
    """A setting that stops the start. `str()` is one line, fit to be shown as it is."""


class _EnvironmentSettings(BaseSettings, Settings):
    model_config = SettingsConfigDict(env_prefix=PREFIX, env_ignore_empty=True, extra="ignore", frozen=True)


def load_settings(env_file: Path | None = Path(ENV_FILE)) -> Settings:
    """The settings from the environment (it wins) and the file; `SettingsError` names the first bad one."""
    in_file = _read_env_file(env_file) if env_file else {}
    given = {
        name.upper(): value
        for name, value in [*in_file.items(), *os.environ.items()]
        if name.upper().startswith(PREFIX)
    }
    _refuse_unknown(given)
    from_files = _read_secrets(given)
    try:
        return _EnvironmentSettings(_env_file=env_file, **from_files)
    except ValidationError as error:
        raise SettingsError(_one_line(error)) from error


def _read_env_file(path: Path) -> Mapping[str, str | None]:
    try:
        return dotenv_values(path)
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"{path} cannot be read as a file of settings: {error}") from error


def _read_secrets(given: Mapping[str, str | None]) -> dict[str, Any]:
    """The secrets that files hold, by field; a line's end after the secret is not part of it."""
    found = {}
    for name in secrets():
        variable = PREFIX + name.upper()
        file = given.get(variable + FILE_SUFFIX)
        if not file:
            continue
        if given.get(variable):
            raise SettingsError(
                f"{variable} and {variable}{FILE_SUFFIX} are both set: allowed is one of them"
            )
        found[name] = _read_secret(variable + FILE_SUFFIX, Path(file))
    return found


def _read_secret(variable: str, path: Path) -> str:
    try:
        with path.open("rb") as file:
            content = file.read(MAX_SECRET_BYTES + 1)
        if len(content) > MAX_SECRET_BYTES:
            raise SettingsError(
                f"{variable} is '{path}': allowed is a file of up to {MAX_SECRET_BYTES // 1024} KiB"
            )
        return content.decode().rstrip("\r\n")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise SettingsError(
            f"{variable} is '{path}': allowed is a file that can be read ({reason})"
        ) from error


def _refuse_unknown(given: Iterable[str]) -> None:
    known = [name.upper() for name in Settings.model_fields]
    known += [name.upper() + FILE_SUFFIX for name in secrets()]
    for variable in given:
        name = variable.removeprefix(PREFIX)
        if name not in known:
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
    return f"{PREFIX}{name.upper()} is {_shown(name, first['input'])}: allowed is {_allowed(name, first)}"


def _shown(name: str, value: Any) -> str:
    if name == "database_url":
        return "not an address that can be used"
    if name in secrets():
        return "not one that can be used"
    text = str(value)
    return repr(text if len(text) <= 80 else text[:79] + "…")


def _allowed(name: str, detail: Mapping[str, Any]) -> str:
    kind = detail["type"]
    if kind == "value_error":
        return str(detail["msg"]).removeprefix("Value error, ")
    if kind == "bool_parsing":
        return "1 or 0 (also true, false, yes, no, on, off)"
    limits = Settings.model_fields[name].metadata
    least = next((limit.ge for limit in limits if isinstance(limit, Ge)), None)
    most = next((limit.le for limit in limits if isinstance(limit, Le)), None)
    if least is not None and most is not None:
        return f"a whole number from {least} to {most}"
    return str(detail["msg"])
