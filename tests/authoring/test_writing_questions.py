"""The guide for authors: its examples work as they stand, and it leaves nothing out."""

import re
from pathlib import Path

from app.bank.exact_math import FUNCTIONS
from app.bank.formatters import FORMATTERS
from app.bank.lint import lint, report
from app.bank.schema import KINDS, FrontMatter, PartSpec
from app.bank.sections import SECTIONS
from app.bank.topics import TOPICS
from calculators.quantities import FAMILIES

GUIDE = (Path(__file__).parents[2] / "docs" / "writing-questions.md").read_text("utf-8")
EXAMPLE = re.compile(r"`questions/([a-z-]+/[a-z-]+\.md)`\n\n```markdown\n(.*?)```\n", re.DOTALL)


def test_there_is_an_example_of_each_kind_and_none_has_a_problem(tmp_path: Path) -> None:
    examples = dict(EXAMPLE.findall(GUIDE))
    assert {kind for text in examples.values() for kind in re.findall(r"(?m)^kind: (\w+)", text)} == set(
        KINDS
    )
    for name, text in examples.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    assert [report(problem, tmp_path) for problem in lint([tmp_path])] == []


def test_it_names_everything_that_may_be_written() -> None:
    words = set(re.findall(r"[\w/-]+", GUIDE)) | set(re.findall(r"\w+", GUIDE))
    known = {*FrontMatter.model_fields, *PartSpec.model_fields, *FORMATTERS, *FUNCTIONS, *FAMILIES, *TOPICS}
    assert known - words == set()
    assert all(section in GUIDE for section in SECTIONS)
