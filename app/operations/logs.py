"""The log on stderr: text for a terminal, or JSON with an object a line. It holds nothing that was typed.

A line that belongs to a request carries the request's id. Of an address only the route's template is logged,
because paths and queries can hold tokens.
"""

import json
import logging
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final

FIELDS: Final = "fields"  # the name in `extra` of what becomes members of the JSON object
REQUEST_ID: ContextVar[str] = ContextVar("request_id", default="")
_TEXT: Final = "%(asctime)s %(levelname)s %(name)s: %(message)s"
# What a database adds to its errors: the values of rows.
_VALUES: Final = ("DETAIL:", "CONTEXT:", "[parameters:")


def set_up(log_format: str, level: str) -> None:
    """Once a process, before anything is logged."""
    handler = logging.StreamHandler()
    handler.setFormatter(formatter(log_format))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic.runtime.plugins").setLevel(logging.WARNING)  # names each part that it loads


def formatter(log_format: str) -> logging.Formatter:
    """For `text` or `json`."""
    return _Json() if log_format == "json" else _Text(_TEXT)


class _WithoutValues(logging.Formatter):
    def formatException(self, ei: Any) -> str:  # noqa: N802 (logging's name; its type has none)
        lines = super().formatException(ei).splitlines()
        return "\n".join(line for line in lines if not line.strip().startswith(_VALUES))


class _Text(_WithoutValues):
    def format(self, record: logging.LogRecord) -> str:
        text = super().format(record)
        request_id = REQUEST_ID.get()
        return f"{text} [{request_id}]" if request_id else text


class _Json(_WithoutValues):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id := REQUEST_ID.get():
            line["request_id"] = request_id
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
