"""docs/security.md names, for each threat, the test that shows it: none of them may be gone."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENT = (ROOT / "docs" / "security.md").read_text("utf-8")
REFERENCE = re.compile(r"`(tests/[\w/]+\.py)(?:::(\w+(?:::\w+)?))?`")
REFERENCES = sorted(set(REFERENCE.findall(DOCUMENT)))


def names_in(file: Path) -> set[str]:
    """Every test and class of a module, and the tests of each class as Class::test."""
    names: set[str] = set()
    for node in ast.parse(file.read_text("utf-8")).body:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            names.add(node.name)
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{each.name}" for each in node.body if isinstance(each, ast.FunctionDef)}
    return names


@pytest.mark.parametrize(("file", "name"), REFERENCES)
def test_what_it_names_is_there(file: str, name: str) -> None:
    assert (ROOT / file).is_file()
    assert not name or name in names_in(ROOT / file)


def test_each_line_of_its_tables_has_a_test_or_a_reason() -> None:
    rows = [line for line in DOCUMENT.splitlines() if line.startswith("|") and not line.startswith("|--")]
    rows = [row for row in rows if "| Shown by" not in row]
    assert len(rows) >= 40
    for row in rows:
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        assert len(cells) == 3, row
        assert REFERENCE.search(cells[2]) or cells[2].startswith("No test:"), row
