"""The JSON Schema of a front matter, for editors that complete and check YAML.

It knows keys, types and words. What an expression means, and whether numbers hold, only the lint knows.
"""

import json
from typing import Any

from app.bank.fields import NAME
from app.bank.schema import NEEDED, FrontMatter

DIALECT = "https://json-schema.org/draft/2020-12/schema"


def front_matter_schema() -> dict[str, Any]:
    schema: dict[str, Any] = _untitled(FrontMatter.model_json_schema())
    schema["$schema"] = DIALECT
    for group in ("constants", "params", "calculators", "let"):
        schema["properties"][group]["propertyNames"] = {"pattern": f"^{NAME}$"}
    schema["title"] = "Front matter of a Ridgeway question"
    schema["allOf"] = [_belongs(kind, key) for kind, key in NEEDED.items()]
    schema["$defs"]["PartSpec"]["oneOf"] = [
        {"required": [key]} for key in ("answer", "choices", "key_points")
    ]
    return schema


def _untitled(schema: Any) -> Any:
    """Without the titles that pydantic makes of names: an editor shows the name already."""
    if isinstance(schema, list):
        return [_untitled(each) for each in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled(value)
        for key, value in schema.items()
        if not (key == "title" and isinstance(value, str))
    }


def _belongs(kind: str, key: str) -> dict[str, Any]:
    """The key stands where the kind is this one, and nowhere else."""
    return {
        "if": {"properties": {"kind": {"const": kind}}},
        "then": {"required": [key]},
        "else": {"not": {"required": [key]}},
    }


def text() -> str:
    """The schema as it is committed and printed."""
    return json.dumps(front_matter_schema(), indent=2, ensure_ascii=False) + "\n"
