"""The settings as `ridgeway settings` lists them."""

import os
import re
from dataclasses import dataclass
from typing import Final

from app.settings.model import PREFIX, SQLITE_NAME, Settings, secrets

MASK: Final = "***"


@dataclass(frozen=True, slots=True)
class SettingLine:
    """One setting as `ridgeway settings` lists it."""

    name: str
    meaning: str
    default: str
    value: str


_DEFAULT_IN_WORDS: Final = {
    "database_url": f"sqlite:///{{{PREFIX}DATA_DIR}}/{SQLITE_NAME}",
    "base_url": f"http://{{{PREFIX}HOST}}:{{{PREFIX}PORT}}",
}


def describe(settings: Settings) -> tuple[SettingLine, ...]:
    """Every setting with its meaning, its default and its value now; a secret is masked."""
    values = {
        "database_url": re.sub(r"(?<=:)[^:/@]*(?=@)", MASK, settings.effective_database_url),
        "bank_paths": os.pathsep.join(map(str, settings.bank_paths)) or "none",
        "packs": os.pathsep.join(f"{team}={folder}" for team, folder in settings.packs) or "none",
        "base_url": settings.public_url,
    }
    for name in secrets():
        values.setdefault(name, MASK if getattr(settings, name) else "none")
    return tuple(
        SettingLine(
            name=PREFIX + name.upper(),
            meaning=field.description or "",
            default=_DEFAULT_IN_WORDS.get(name, _written(field.default)),
            value=values.get(name, _written(getattr(settings, name))),
        )
        for name, field in Settings.model_fields.items()
    )


def _written(value: object) -> str:
    """A value as its variable would hold it; nothing is none."""
    match value:
        case bool():
            return str(int(value))
        case tuple():
            return ", ".join(map(str, value)) or "none"
        case dict():
            return ", ".join(f"{name}={each}" for name, each in value.items()) or "none"
    return str(value) or "none"
