"""Every class that math is given has a rule in the style sheet, or the formula would lose its layout."""

import re
from pathlib import Path

from app.bank.mathml import STYLE_CLASSES

CSS = Path(__file__).parents[2] / "static" / "css" / "prose.css"


def test_each_class_does_what_the_style_attribute_would_have_done() -> None:
    rules = dict(re.findall(r"^\.(math-[\w-]+) \{ (.*?); \}$", CSS.read_text(), re.MULTILINE))
    assert {name: rule.replace(": ", ":", 1) for name, rule in rules.items()} == {
        name: style for style, name in STYLE_CLASSES.items()
    }
