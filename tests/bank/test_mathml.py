"""Formulas: what a stranger's LaTeX may do, which is very little."""

import threading

import pytest

from app.bank.mathml import MAX_LENGTH, MathError, to_mathml
from app.bank.safe_html import clean


def test_a_formula_passes_the_allow_list_whole() -> None:
    for latex in (
        r"b \cdot h \cdot n^2",
        r"\dfrac{2mkn}{2(mk + kn + mn)}",
        r"QK^\top \in \mathbb{R}^{n \times n}",
        r"\begin{aligned} a &= b \\ c &= \frac{d}{e} \end{aligned}",
        r"\begin{cases} x & n > 1 \\ y & \text{else} \end{cases}",
        r"\begin{array}{l|r} a & b \\ \hline c & d \end{array}",
        r"\left\lceil \frac{n}{c} \right\rceil \le \sum_{i=0}^{n} \log_2 x_i",
        r"\underbrace{a}_{b} \quad \overline{x} \; \hat{y} \, \operatorname{softmax}(z)",
    ):
        mathml = to_mathml(latex, display=True)
        assert "style=" not in mathml.replace("displaystyle=", "")
        assert clean(mathml).replace("\u2061", "&ApplyFunction;").replace("></mspace>", "/>") == mathml


@pytest.mark.parametrize(
    "latex",
    [
        r"\href{javascript:alert(1)}{x}",
        r"\url{https://evil.example}",
        r"\includegraphics{x}",
        r"\input{/etc/passwd}",
        r"\newcommand{\a}{\a\a}\a",
        r"\def\a{{{{\a}}}}\a",
        r"\let\a=b",
        r"\color{red} x",
        r"\style{color:red}{x}",
        r"\class{num}{x}",
        r"\unicode{60}\frac",
        r"\frac{a}{{b",
        "{" * (MAX_LENGTH // 2 + 1) + "}" * (MAX_LENGTH // 2 + 1),
        "x {{ n }}",
        "x" * (MAX_LENGTH + 1),
    ],
)
def test_what_is_refused(latex: str) -> None:
    with pytest.raises(MathError):
        to_mathml(latex, display=False)


@pytest.mark.parametrize(
    "latex",
    [
        r"\text{<svg/onload=alert(1)>}",
        r"\text{<script>}",
        "<img src=x onerror=alert(1)>",
        r'\text{" onload="x}',
    ],
)
def test_html_in_a_formula_is_text(latex: str) -> None:
    mathml = to_mathml(latex, display=False)
    assert clean(mathml).replace("&nbsp;", "\u00a0") == mathml
    assert not any(tag in mathml for tag in ("<svg", "<script", "<img"))


@pytest.mark.parametrize(
    "latex",
    [
        "{ " * 300 + "x" + "}" * 300,
        r"\sqrt" * 199 + " x",
        "x^{" * 249 + "x" + "}" * 249,
        r"\hat" * 249 + " x",
        r"\left(" * 71 + r"\right)" * 71,
        r"\begin{matrix}" * 34 + r"\end{matrix}" * 34,
        "_" * 999,
        r"\not" * 249,
    ],
    ids=lambda latex: latex[:8],
)
def test_the_deepest_formula_fits_the_stack_of_a_thread(latex: str) -> None:
    """math-core recurses: an overflow would end the process, and this test with it."""
    assert len(latex) <= MAX_LENGTH
    outcome: list[str] = []

    def convert() -> None:
        try:
            outcome.append(clean(to_mathml(latex, display=True)))
        except MathError as error:
            outcome.append(str(error))

    thread = threading.Thread(target=convert)
    thread.start()
    thread.join()
    assert outcome
