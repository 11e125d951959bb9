"""The expressions of question files: what they compute exactly, and everything that they refuse."""

import threading
import time
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from app.bank import expressions
from app.bank.expressions import ExpressionError

NAMES: expressions.Names = {
    "batch": 32,
    "seq_len": 1024,
    "half": Fraction(1, 2),
    "tenth": 0.1,
    "dtype": "fp32",
    "fused": True,
    "missing": None,
    "scores": {"score_bytes": 2147483648, "bound": "memory", "fits": False, "nothing": None},
}


def value(text: str) -> expressions.Result:
    return expressions.compile(text).evaluate(NAMES)


def outcome(text: str) -> tuple[expressions.Result | None, ExpressionError | None]:
    """The value or the error; anything else that is raised fails the test."""
    try:
        return value(text), None
    except ExpressionError as error:
        return None, error


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 + 2 * 3", 7),
        ("2 ** 3 ** 2", 512),
        ("-2 ** 2", -4),
        ("0.1 + 0.2", Fraction(3, 10)),
        ("1 / 3 * 3", 1),
        ("7 // 2 + 7 % 2", 4),
        ("1e12", 10**12),
        ("1_000 + .5 + 5.", Fraction(2011, 2)),
        ("2.5e-1", Fraction(1, 4)),
        ("1e-400 * 1e400", 1),
        ("batch * seq_len", 32768),
        ("half * 4", 2),
        ("tenth * 10", 1),
        ("scores.score_bytes / 2 ** 30", 2),
        ("  batch\n  + 1 ", 33),
        ("+batch", 32),
        ("9007199254740993 / 1", 9007199254740993),
        ("min(3, 1, 2) + max(1, half)", 2),
        ("abs(-half)", Fraction(1, 2)),
        ("ceil(7 / 2) * 10 + floor(7 / 2)", 43),
        ("round(2.5) + round(3.5)", 6),
        ("round(0.125, 2)", Fraction(3, 25)),
        ("sqrt(2 ** 80)", 2**40),
        ("sqrt(9 / 16)", Fraction(3, 4)),
        ("log2(2 ** 100) + log2(1 / 8)", 97),
        ("log10(1000)", 3),
        ("ln(1) + exp(0)", 1),
        ("4 ** 0.5", 2),
        ("2 ** -2", Fraction(1, 4)),
        ("(-2) ** 3", -8),
        ("dtype", "fp32"),
        ("scores.bound", "memory"),
        ("fused", True),
    ],
)
def test_values_are_exact(text: str, expected: expressions.Result) -> None:
    result = value(text)
    assert result == expected
    assert type(result) is type(expected)


@pytest.mark.parametrize(
    "text", ["sqrt(2)", "2 ** 0.5", "ln(7.389)", "exp(0.5)", "log2(10 ** 320)", "log10(7)"]
)
def test_irrational_results_are_numbers_too(text: str) -> None:
    expected = {
        "sqrt(2)": 1.4142135623730951,
        "2 ** 0.5": 1.4142135623730951,
        "ln(7.389)": 1.9999924078065106,
        "exp(0.5)": 1.6487212707001282,
        "log2(10 ** 320)": 1063.0169903639559,
        "log10(7)": 0.8450980400142568,
    }[text]
    result = value(text)
    assert isinstance(result, Fraction)
    assert float(result) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 < 2 <= 2 < 3", True),
        ("3 > 2 and not 1 == 2", True),
        ("1 != 1 or 2 >= 3", False),
        ("1 / 3 == 2 / 6", True),
        ("0.1 * 3 == 0.3", True),
        ("dtype == 'fp32'", True),
        ('"bf16" != dtype', True),
        ("scores.bound == dtype", False),
        ("fused == scores.fits", False),
        ("scores.fits or batch > 1", True),
        ("batch > 1 or 1 / 0 > 1", True),
        ("batch < 1 and 1 / 0 > 1", False),
    ],
)
def test_conditions(text: str, expected: bool) -> None:
    assert value(text) is expected


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("", 1, "empty"),
        ("  ", 1, "empty"),
        ("1 +", 3, "cannot be read"),
        ("(1", 1, "never closed"),
        ("1 + é", 5, "no meaning here"),
        ("a = 3", 3, "== compares"),
        ("2 ^ 30", 3, "a power is **"),
        ("80GB", 3, "carry no unit"),
        ("0x10", 2, "runs into"),
        ("1j", 2, "runs into"),
        ("007", 1, "leading zeros"),
        ("1e401", 1, "exponent"),
        ("1e-99999999999", 1, "exponent"),
        ("a.b.c", 1, "one level deep"),
        ("(1).real", 1, "one level deep"),
        ("a[0]", 2, "name.output"),
        ("[1]", 1, "no meaning"),
        ("{1}", 1, "no meaning"),
        ("(1, 2)", 1, "tuple"),
        ("f'a'", 2, "runs into"),
        ("lambda", 1, "not a word"),
        ("1 if fused else 2", 3, "not a word"),
        ("batch in scores", 7, "not a word"),
        ("True", 1, "condition itself"),
        ("None", 1, "not a word"),
        ("__import__('os')", 1, "begins with a letter"),
        ("batch.__class__", 7, "begins with a letter"),
        ("_private", 1, "begins with a letter"),
        ("open('x')", 1, "no function open"),
        ("sqr(2)", 1, "did you mean sqrt?"),
        ("sqrt", 1, "call it"),
        ("min(1)", 1, "min(a, b, ...)"),
        ("sqrt(1, 2)", 1, "sqrt(a)"),
        ("min(*batch)", 1, "min(a, b, ...)"),
        ("max(1, *batch)", 8, "starred"),
        ("scores.score_bytes()", 1, "not part of expressions"),
        ("'a' * 9", 1, "only beside == or !="),
        ("'a' < 'b'", 1, "only beside == or !="),
        ("min('a', 'b')", 5, "only beside == or !="),
        ("'a\\n' == dtype", 1, "ends on the line"),
        ("1\x00", 2, "no meaning"),
        ("~1", 1, "no meaning"),
        ("1 << 9", 1, "not part of expressions"),
        ("...", 1, "cannot be read"),
        ("((1, 2), 3) + 1", 1, "tuple"),
        ("-" * 290 + "1", 51, "levels deep"),
        ("+".join("1" * 140), 1, "levels deep"),
        ("1" * 301, 301, "at most 300"),
    ],
)
def test_what_does_not_compile(text: str, column: int, says: str) -> None:
    with pytest.raises(ExpressionError) as caught:
        expressions.compile(text)
    assert says in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize(
    ("text", "column", "says"),
    [
        ("1 + seq_lem", 5, "did you mean seq_len?"),
        ("scorez.score_bytes", 1, "did you mean scores?"),
        ("scores.score_byte", 1, "did you mean score_bytes?"),
        ("2 * scores", 5, "name an output of it"),
        ("batch.size", 1, "not a calculator"),
        ("missing + 1", 1, "null"),
        ("1 + scores.nothing", 5, "scores.nothing has no value"),
        ("1 / (batch - 32)", 1, "divides by zero"),
        ("batch % 0", 1, "divides by zero"),
        ("0 ** -1", 1, "divides by zero"),
        ("'é' == dtype or batch + dtype > 1", 17, "The text 'fp32' stands where a number belongs"),
        ("fused + 1", 1, "A condition stands where a number belongs"),
        ("sqrt(fused)", 1, "A condition"),
        ("min(dtype, 1)", 1, "The text 'fp32'"),
        ("dtype == 32", 1, "two numbers, two texts or two conditions"),
        ("fused == 1", 1, "two numbers, two texts or two conditions"),
        ("dtype < scores.bound", 1, "The text"),
        ("batch and fused", 1, "joins conditions"),
        ("fused and batch", 11, "joins conditions"),
        ("not batch", 1, "not stands before a condition"),
        ("9 ** 9 ** 9", 1, "exponent"),
        ("10 ** 1000 * 10 ** 1000", 1, "1,200 digits"),
        ("1 / 10 ** 1000 / 10 ** 1000", 1, "1,200 digits"),
        ("(2 ** 1000) ** 5", 1, "1,200 digits"),
        ("(-8) ** 0.5", 1, "no fractional power"),
        ("1e300 ** 1.5", 1, "number"),
        ("sqrt(-1)", 1, "no square root"),
        ("ln(0)", 1, "above 0"),
        ("exp(1000)", 1, "beyond every float"),
        ("round(1, 31)", 1, "0 to 30"),
        ("round(1, 0.5)", 1, "0 to 30"),
    ],
)
def test_what_has_no_value(text: str, column: int, says: str) -> None:
    expression = expressions.compile(text)
    with pytest.raises(ExpressionError) as caught:
        expression.evaluate(NAMES)
    assert says in str(caught.value)
    assert caught.value.column == column


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), 10**2000, object(), [1]])
def test_what_a_name_may_not_hold(bad: object) -> None:
    with pytest.raises(ExpressionError):
        expressions.compile("x").evaluate({"x": bad})  # type: ignore[dict-item]  # the point of the test


def test_references_tell_what_is_read() -> None:
    expression = expressions.compile("min(a, scores.score_bytes) > a and b == 'text'")
    assert expression.names == {"a", "b", "scores"}
    assert expression.attributes == {("scores", "score_bytes")}
    assert [str(reference) for reference in expression.references] == ["a", "scores.score_bytes", "a", "b"]
    assert [reference.column for reference in expression.references] == [5, 8, 30, 36]
    assert expression.bare is None
    bare = expressions.compile(" scores.bound ").bare
    assert bare is not None
    assert (bare.name, bare.attribute) == ("scores", "bound")


def test_threads_do_not_see_the_names_of_another() -> None:
    expression = expressions.compile("x * 2 + x / 2 - x")
    wrong: list[tuple[int, expressions.Result]] = []

    def work(number: int) -> None:
        for _ in range(300):
            result = expression.evaluate({"x": number})
            if result != Fraction(3 * number, 2):
                wrong.append((number, result))

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_an_expression_is_fast_enough_for_a_whole_bank() -> None:
    expression = expressions.compile("4 * 128 * scores.score_bytes / (batch + 1) > 3")
    started = time.perf_counter()
    for _ in range(1000):
        expression.evaluate(NAMES)
    # About 10 us each; 500 questions of 20 expressions and 200 seeds must fit a minute.
    assert time.perf_counter() - started < 0.25


WORDS = """1 0 2.5 1e300 1e-300 batch half dtype fused missing scores . score_bytes min sqrt log2 exp round
'a' " + - * / // % ** ( ) , < == != >= ^ = é _ __class__ if"""
PIECES = st.sampled_from([*WORDS.split(), " and ", " or ", " not ", " ", "\n", "\x00"])


@settings(max_examples=400, deadline=5000)
@given(st.lists(PIECES, max_size=40).map("".join))
@example("2**" * 60 + "2")
@example("9**9**9**9")
@example("(1e300**3)**3")
@example("round(1e400, 30) ** 9")
@example("exp(exp(exp(9)))")
@example("(1+1e-300)**1000")
def test_any_text_gives_a_value_or_an_expression_error(text: str) -> None:
    result, error = outcome(text)
    assert error is not None or isinstance(result, int | Fraction | str)
    assert error is None or 1 <= error.column <= len(text) + 1


@settings(max_examples=200, deadline=5000)
@given(st.text(max_size=320))
def test_any_unicode_is_read_or_refused(text: str) -> None:
    result, error = outcome(text)
    assert (result is None) is not (error is None)


@settings(deadline=None)
@given(
    st.recursive(
        st.integers(-999, 999).map(lambda number: (f"({number})", Fraction(number))),
        lambda inner: (
            st.tuples(inner, st.sampled_from("+-*/"), inner)
            .filter(lambda three: three[1] != "/" or three[2][1] != 0)
            .map(
                lambda three: (
                    f"({three[0][0]} {three[1]} {three[2][0]})",
                    {
                        "+": three[0][1] + three[2][1],
                        "-": three[0][1] - three[2][1],
                        "*": three[0][1] * three[2][1],
                        "/": three[0][1] / (three[2][1] or 1),
                    }[three[1]],
                )
            )
        ),
        max_leaves=12,
    )
)
def test_arithmetic_agrees_with_fractions(case: tuple[str, Fraction]) -> None:
    text, expected = case
    assert value(text) == expected
