"""Everything that can be configured, read from the environment and from `.env` in the working directory.

A variable is `RIDGEWAY_` and the field's name in capitals; a secret may also stand in a file, which
`RIDGEWAY_..._FILE` names. A bad value, or a variable that looks like a setting and is none, raises
`SettingsError` with one line: the variable, what was given, what is allowed.
"""

from app.settings.hosts import is_loopback
from app.settings.listing import SettingLine, describe
from app.settings.loading import SettingsError, load_settings
from app.settings.model import SQLITE_NAME, Settings

__all__ = [
    "SQLITE_NAME",
    "SettingLine",
    "Settings",
    "SettingsError",
    "describe",
    "is_loopback",
    "load_settings",
]
