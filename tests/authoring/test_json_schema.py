"""The JSON Schema for editors: the committed one is today's, and accepts every question that ships."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from app.authoring.json_schema import front_matter_schema, text
from app.bank import frontmatter
from app.bank.load import NOT_QUESTIONS
from app.paths import QUESTIONS

ROOT = Path(__file__).parents[2]
SKELETONS = ROOT / "app" / "authoring" / "skeletons"
VALIDATOR = Draft202012Validator(front_matter_schema())


def plain(data: Any) -> Any:
    """What a YAML parser of an editor would have: floats, and numbers and words as they are."""
    if isinstance(data, Fraction):
        return float(data)
    if isinstance(data, list):
        return [plain(item) for item in data]
    if isinstance(data, dict):
        return {key: plain(value) for key, value in data.items()}
    return data


def read(path: Path) -> dict[str, Any]:
    written = path.read_text("utf-8").replace("@TITLE@", "A title").replace("@TOPIC@", "serving")
    data: dict[str, Any] = plain(frontmatter.read(frontmatter.split(written).yaml).data)
    return data


def test_the_committed_schema_is_the_one_that_the_command_prints() -> None:
    committed = (ROOT / "docs" / "question.schema.json").read_text("utf-8")
    assert committed == text(), "run: ridgeway schema > docs/question.schema.json"
    Draft202012Validator.check_schema(json.loads(committed))


def test_every_question_that_ships_is_accepted() -> None:
    ours = [path for path in QUESTIONS.glob("*/*.md") if path.name not in NOT_QUESTIONS]
    for path in [*ours, *SKELETONS.glob("*.md")]:
        assert [error.message for error in VALIDATOR.iter_errors(read(path))] == [], path


@pytest.mark.parametrize(
    "change",
    [
        {"minuts": 4},
        {"kind": "numeral"},
        {"kind": "choice"},
        {"topics": ["cooking"]},
        {"topics": []},
        {"minutes": 0},
        {"answer": None},
        {"answer": {"value": 1, "family": "bytes", "tolerance": "wide"}},
        {"answer": {"value": 1, "family": "bytes", "tolerance": {"decade": False}}},
        {"parts": [{"id": "a", "prompt": "P"}]},
        {"params": {"Upper": {"value": 1}}},
        {"mistakes": [{"id": "a", "value": 1, "say": "x", "credit": 2}]},
        {"sources": [{"title": "A", "url": "http://a.org"}]},
    ],
)
def test_what_the_loader_refuses_by_itself_an_editor_marks_too(change: dict[str, Any]) -> None:
    data = {**read(SKELETONS / "numeric.md"), **change}
    assert not VALIDATOR.is_valid({key: value for key, value in data.items() if value is not None})


def test_each_key_is_described_where_its_name_does_not_say_it() -> None:
    properties = front_matter_schema()["properties"]
    plain_names = {"title", "kind", "level", "minutes", "asked_at", "mistakes", "choices", "related"}
    plain_names |= {"parts", "sources", "answer", "plot"}  # lists and blocks that are described themselves
    assert {name for name, each in properties.items() if "description" not in each} <= plain_names
    assert all("description" in each for each in front_matter_schema()["$defs"].values())
