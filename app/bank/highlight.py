"""Code blocks coloured by Pygments, with classes only."""

import functools

from markupsafe import escape
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import get_lexer_by_name
from pygments.token import STANDARD_TYPES

MAX_LENGTH = 20_000
PREFIX = "hl-"
CLASSES = frozenset(PREFIX + name for name in STANDARD_TYPES.values() if name)

# The language after ``` and the lexer that reads it; what is not here is refused, so that a typo is noticed.
LANGUAGES = {
    "bash": "bash",
    "c": "c",
    "console": "console",
    "cpp": "cpp",
    "cuda": "cuda",
    "diff": "diff",
    "go": "go",
    "ini": "ini",
    "json": "json",
    "llvm": "llvm",
    "python": "python",
    "rust": "rust",
    "shell": "bash",
    "sql": "sql",
    "toml": "toml",
    "triton": "python",
    "yaml": "yaml",
}
PLAIN = frozenset({"", "text"})


class CodeError(ValueError):
    """A code block that is refused; the text says why."""


@functools.lru_cache(maxsize=2048)
def to_html(code: str, language: str) -> str:
    """The code as <pre><code>, coloured where a language is named."""
    if len(code) > MAX_LENGTH:
        raise CodeError(f"a code block has at most {MAX_LENGTH:,} characters, this one has {len(code):,}")
    if language in PLAIN:
        return f"<pre><code>{escape(code)}</code></pre>\n"
    if language not in LANGUAGES:
        raise CodeError(f"`{language}` is not a known language; known: text, {', '.join(sorted(LANGUAGES))}")
    coloured = highlight(
        code, get_lexer_by_name(LANGUAGES[language]), HtmlFormatter(nowrap=True, classprefix=PREFIX)
    )
    return f"<pre><code>{coloured}</code></pre>\n"
