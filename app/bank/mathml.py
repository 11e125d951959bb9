"""LaTeX to MathML, on the server, by math-core.

A formula comes from a stranger's file, and math-core recurses on the machine's stack: thousands of nested
groups kill the process. So a formula is short, and it defines no commands, because a macro nests deeper than
it is long. The style attributes that math-core writes become classes (static/css/prose.css), since the page
allows no inline style.
"""

import functools
import re

from math_core import LatexError, LatexToMathML

MAX_LENGTH = 1000

_CONVERTER = LatexToMathML(fancy_error=False, max_expansions=1)
_DEFINES = re.compile(
    r"\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand|Declare\w*|catcode|csname)(?![a-zA-Z])"
)
_STYLE = re.compile(r' style="([^"]*)"')
_POSITION = re.compile(r"(\d+): ")

# Each declaration that math-core writes for alignment, rules and space. `justify-items` repeats text-align.
STYLE_CLASSES = {
    "text-align:left": "math-left",
    "text-align:right": "math-right",
    "text-align:center": "math-center",
    "padding-left:0": "math-tight-left",
    "padding-right:0": "math-tight-right",
    "padding-top:0": "math-tight-top",
    "padding-bottom:0": "math-tight-bottom",
    "padding-left:1em": "math-gap-left",
    "padding-left:0.2778em": "math-thick-left",
    "padding-right:0.2778em": "math-thick-right",
    "border-left:0.05em solid currentcolor": "math-rule-left",
    "border-right:0.05em solid currentcolor": "math-rule-right",
    "border-top:0.05em solid currentcolor": "math-rule-top",
    "border-bottom:0.05em solid currentcolor": "math-rule-bottom",
    "width:100%": "math-wide",
    "width:50%": "math-half",
    "width:7.5%": "math-margin",
    "margin-left:-0.16666667em": "math-back",
}


class MathError(ValueError):
    """A formula that is refused; the text says why."""


@functools.lru_cache(maxsize=4096)
def to_mathml(latex: str, *, display: bool) -> str:
    """The formula as a <math> element without style attributes, or a MathError."""
    if len(latex) > MAX_LENGTH:
        raise MathError(f"a formula has at most {MAX_LENGTH:,} characters, this one has {len(latex):,}")
    if "{{" in latex and "}}" in latex[latex.index("{{") :]:
        raise MathError(
            "no {{ }} inside math; write the number beside the formula, or a space between braces"
        )
    if definition := _DEFINES.search(latex):
        raise MathError(f"{definition.group()} is not allowed: a formula defines no commands")
    try:
        mathml = _CONVERTER.convert_with_local_state(latex, displaystyle=display)
    except LatexError as error:
        raise MathError(_POSITION.sub(r"at character \1: ", str(error), count=1)) from error
    return _STYLE.sub(_to_class, mathml)


def _to_class(match: re.Match[str]) -> str:
    classes = []
    for declaration in filter(None, match[1].split(";")):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "justify-items":
            continue
        name = STYLE_CLASSES.get(f"{key}:{value}")
        if name is None:
            colour = key in ("color", "background-color")
            raise MathError(
                "no colour in math" if colour else f"this spacing is not supported ({key}: {value})"
            )
        classes.append(name)
    return f' class="{" ".join(classes)}"'
