"""The lint of the plot that a front matter names."""

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.bank.lint.conftest import LintedPack

PLOT = (
    "plot: {over: seq_len, output: scores.score_bytes, lines: [card, read.hbm_bytes, scores.flash_bytes]}\n"
)
CARD = '  card: {value: 80 GB, source: "Example datasheet, memory"}\n'


def with_plot(pack: "LintedPack", plot: str) -> list[str]:
    """What the lint says of the plot, and of what is used nowhere."""
    pack.change(("params:\n", f"{CARD}params:\n"), ("follow_ups:", f"{plot}follow_ups:"))
    return [line for line in pack.says() if "plot" in line or "lives" in line or "used nowhere" in line]


def test_a_plot_that_can_be_drawn_has_no_problem_and_uses_its_constant(pack: "LintedPack") -> None:
    assert with_plot(pack, PLOT) == []


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("over: seq_len", "over: seq_length", "`seq_length` does not move scores alone"),
        ("over: seq_len", "over: dtype", "`dtype` does not move scores alone"),
        ("scores.score_bytes", "scores.bytes", "`scores.bytes` is no number of a calculator"),
        ("scores.score_bytes", "read.bound", "`read.bound` is no number of a calculator"),
        ("scores.score_bytes", "read.time", "`seq_len` does not move read alone"),
        ("[card", "[cart", "the line `cart` is not known here"),
        ("[card", "[head_dim", "the line `head_dim` is of the family count, the output of bytes"),
        ("lines:", "lives:", "unknown key `plot.lives`"),
    ],
)
def test_a_plot_that_cannot_be_drawn(pack: "LintedPack", old: str, new: str, says: str) -> None:
    found = with_plot(pack, PLOT.replace(old, new))
    assert any(says in line and "attention-matrix.md" in line for line in found), found
