"""A new question works from the start, and nothing that is there is overwritten."""

from pathlib import Path

import pytest

from app.authoring.new_question import NewQuestionError, write
from app.bank.lint import lint, report
from app.bank.schema import KINDS


def test_a_new_question_of_each_kind_has_no_problem(tmp_path: Path) -> None:
    paths = [write(f"about-{kind}", kind, "serving", tmp_path) for kind in KINDS]
    assert paths[1] == tmp_path / "serving" / "about-numeric.md"
    assert 'title: "About numeric"\n' in paths[1].read_text("utf-8")
    assert [report(problem) for problem in lint([tmp_path])] == []


@pytest.mark.parametrize(
    ("slug", "kind", "topic", "says"),
    [
        ("My First", "numeric", "serving", "as in my-first"),
        ("../serving/up", "numeric", "serving", "as in serving-up"),
        ("x" * 81, "numeric", "serving", "is no slug"),
        ("a", "numric", "serving", "did you mean numeric?"),
        ("a", "numeric", "servin", "did you mean serving?"),
        ("taken", "open", "kernels", "a slug is never given twice"),
    ],
)
def test_what_cannot_be_made(tmp_path: Path, slug: str, kind: str, topic: str, says: str) -> None:
    taken = write("taken", "open", "serving", tmp_path)
    before = taken.read_text("utf-8")
    with pytest.raises(NewQuestionError, match=says.replace("?", r"\?")):
        write(slug, kind, topic, tmp_path)
    assert taken.read_text("utf-8") == before
    assert list(tmp_path.rglob("*.md")) == [taken]


def test_a_folder_that_is_not_there_or_cannot_be_written(tmp_path: Path) -> None:
    with pytest.raises(NewQuestionError, match="--pack names another"):
        write("a", "open", "serving", tmp_path / "none")
    (tmp_path / "serving").write_text("a file where the topic's folder belongs")
    with pytest.raises(NewQuestionError, match="cannot be written"):
        write("a", "open", "serving", tmp_path)
