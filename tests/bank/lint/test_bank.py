"""The bank that ships with the project has no error."""

from pathlib import Path

from app.bank.lint import lint, report

QUESTIONS = Path(__file__).parents[3] / "questions"


def test_the_bank_has_no_error() -> None:
    problems = lint([QUESTIONS])
    assert [report(problem, QUESTIONS) for problem in problems if problem.severity == "error"] == []
