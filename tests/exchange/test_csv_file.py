import csv
from io import StringIO

from app.exchange.csv_file import lines
from app.practice.records import QuestionKey
from app.practice.schedule import Rating
from tests.practice.conftest import Practice


def rows(practice: Practice) -> list[dict[str, str]]:
    titles = {QuestionKey("", "matrix"): "The matrix, whole"}
    text = "".join(lines(practice.session, practice.user, titles))
    return list(csv.DictReader(StringIO(text)))


def test_a_line_for_each_answer_with_its_verdict(practice: Practice) -> None:
    practice.submit("2 GB", outcome="wrong", credit=0.0)
    practice.submit('2 GiB, "exactly"\nor so', outcome="right", credit=1.0)
    practice.rate(Rating.EASY, sitting_id=practice.submit("2 GiB").sitting.id)
    first, second, _ = rows(practice)
    assert (first["answer"], first["outcome"], first["credit"]) == ("2 GB", "wrong", "0.0")
    assert second["answer"] == '2 GiB, "exactly"\nor so'
    assert {row["title"] for row in rows(practice)} == {"The matrix, whole"}
    assert {row["rating"] for row in rows(practice)} == {"Easy"}


def test_no_answer_becomes_a_formula_and_numbers_stay(practice: Practice) -> None:
    for text in ("=HYPERLINK(A1)", "+cmd|' /C calc'!A0", "@SUM(1)", "-5.2e3", "-A1"):
        practice.submit(text)
    answers = [row["answer"] for row in rows(practice)]
    assert answers == ["'=HYPERLINK(A1)", "'+cmd|' /C calc'!A0", "'@SUM(1)", "-5.2e3", "'-A1"]


def test_without_practice_there_is_a_heading(practice: Practice) -> None:
    assert "".join(lines(practice.session, practice.user, {})).startswith("attempt,started_at,")
    assert rows(practice) == []
