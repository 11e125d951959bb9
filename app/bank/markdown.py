"""Markdown of a question, parsed into tokens that a variant can render.

Markdown is parsed first and `{{ }}` stands in its tokens, so a computed value or a parameter can never become
Markdown or HTML. What does not depend on a variant (math, code, pictures) is turned into HTML here, once.
The tokens: markdown-it's own, and `substitution`, `condition`, `fixed` (finished HTML) and `picture`.
"""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin
from mdit_py_plugins.utils import is_code_block

from app.bank import expressions, highlight, mathml, pictures, substitutions
from app.bank.expressions import ExpressionError
from app.bank.problems import Fault

MAX_LENGTH = 32 * 1024

_CONDITION = re.compile(r":{3,}[ \t]*(.*)\Z")
# No two of the alternatives begin alike, so this takes linear time. It would say so itself with a possessive
# quantifier, were it not that Python before 3.11.3, which Debian 12 has, matches nothing then.
_SUBSTITUTION = re.compile(r"""\{\{((?:[^"'{}]|"[^"]*"|'[^']*'|[{}](?![{}]))*)\}\}""")
_BRACES = re.compile(r"\{\{.*?\}\}", re.DOTALL)
_LINK = re.compile(r"(?:https://[^\s/?#@\\]+(?:[/?#][^\s\\]*)?|/(?![/\\])[^\s\\]*|#[\w-]+)\Z")
_OPEN_ADDRESS = re.compile(r"\]\([^\s()]*\Z")  # braces with spaces end what would have been an address
_ALIGNMENT = re.compile(r"text-align:(left|right|center)\Z")


def _condition_rule(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """`::: if ...`, `::: else` or `:::` on a line of its own; app.bank.conditions matches them up."""
    if is_code_block(state, start):
        return False
    line = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    match = _CONDITION.match(line.rstrip())
    if match is None:
        return False
    if not silent:
        token = state.push("condition", "", 0)
        token.content = match[1].strip()
        token.map = [start, start + 1]
        state.line = start + 1
    return True


def _substitution_rule(state: StateInline, silent: bool) -> bool:
    """`{{ ... }}`; a text in quotes may hold braces too."""
    if not state.src.startswith("{{", state.pos):
        return False
    match = _SUBSTITUTION.match(state.src, state.pos, state.pos + substitutions.MAX_LENGTH + 100)
    if match is None:
        return False
    if not silent:
        token = state.push("substitution", "", 0)
        token.content = match[1]
    state.pos = match.end()
    return True


def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 20}).enable(["table", "strikethrough"])
    # A refused address is reported by _Reader instead of silently staying text.
    parser.validateLink = lambda url: True  # type: ignore[method-assign]  # the documented way to replace it
    parser.use(
        dollarmath_plugin, allow_labels=False, allow_space=False, allow_digits=False, double_inline=True
    )
    ends = ["paragraph", "reference", "blockquote", "list"]
    parser.block.ruler.before("fence", "condition", _condition_rule, {"alt": ends})
    parser.inline.ruler.before("escape", "substitution", _substitution_rule)
    return parser


PARSER = _parser()


@dataclass(slots=True)
class Parsed:
    """Tokens with everything that is fixed already rendered, and what was wrong with the text."""

    tokens: list[Token]
    faults: list[Fault] = field(default_factory=list)
    pictures: dict[str, str] = field(default_factory=dict)  # name: hash of the file's bytes


def parse(text: str, *, first_line: int = 1, folder: Path | None = None, place: str = "") -> Parsed:
    """Parse a text of blocks. `place` keeps the keys of its numbers apart from those of other texts."""
    if len(text) > MAX_LENGTH:
        return Parsed(
            [], [Fault(first_line, f"the text is longer than {MAX_LENGTH:,} characters", "cut it in two")]
        )
    reader = _Reader(first_line, folder, place)
    return Parsed(reader.read(PARSER.parse(text)), reader.faults, reader.pictures)


def parse_line(text: str, *, line: int = 1, place: str = "") -> Parsed:
    """Parse a text without blocks, such as a choice, in which a picture has no place."""
    reader = _Reader(line, None, place)
    return Parsed(reader.read(PARSER.parseInline(text)), reader.faults, reader.pictures)


class _Reader:
    """Turns the parser's tokens into ours, with their lines in the file; collects faults."""

    def __init__(self, first_line: int, folder: Path | None, place: str) -> None:
        self.first_line = first_line
        self.folder = folder
        self.place = place
        self.faults: list[Fault] = []
        self.pictures: dict[str, str] = {}
        self.occurrences: Counter[str] = Counter()
        self.line = first_line

    def fault(self, message: str, hint: str = "") -> None:
        self.faults.append(Fault(self.line, message, hint))

    def read(self, tokens: Sequence[Token]) -> list[Token]:
        result: list[Token] = []
        index = 0
        while index < len(tokens):
            token = tokens[index]
            if token.map:
                self.line = self.first_line + token.map[0]
            token.meta["line"] = self.line
            if token.type == "paragraph_open" and _is_picture(tokens[index + 1]):
                # A figure is no part of a paragraph: it takes the place of all three tokens.
                result.append(self._picture((tokens[index + 1].children or [])[0]))
                index += 3
                continue
            result.append(self._block(token))
            index += 1
        return result

    def _block(self, token: Token) -> Token:
        if token.type == "inline":
            token.children = self._children(token.children or [])
            self.line = token.meta["line"]
        elif token.type in ("fence", "code_block"):
            return self._code(token)
        elif token.type == "math_block":
            return self._math(token, display=True)
        elif token.type in ("th_open", "td_open"):
            _align(token)
        elif token.type == "condition":
            self._condition(token)
        elif token.type == "heading_open" and token.tag == "h1":
            self.fault("a heading of one # is the page's own", "sections begin with ##")
        return token

    def _children(self, children: Sequence[Token]) -> list[Token]:
        result = []
        for before, child in zip((None, *children), children, strict=False):
            child.meta["line"] = self.line
            if child.type in ("softbreak", "hardbreak"):
                self.line += 1
            elif child.type == "substitution":
                if before and before.type == "text" and _OPEN_ADDRESS.search(before.content):
                    self.fault("no {{ }} inside a link's address", "put the number in the text")
                self._substitution(child)
                self.line += child.content.count("\n")
            elif child.type.startswith("math_inline"):
                child = self._math(child, display=child.type == "math_inline_double")
            elif child.type == "code_inline" and _BRACES.search(child.content):
                self.fault(
                    "no {{ }} inside code", "put a space between the braces, or the number in the text"
                )
            elif child.type == "link_open":
                self._link(child)
            elif child.type == "image":
                self.fault("a picture stands in a paragraph of its own", "leave empty lines around it")
            elif child.type == "text":
                self._text(child)
            result.append(child)
        return result

    def _text(self, token: Token) -> None:
        if "{{" in token.content or "}}" in token.content:
            self.fault(
                "{{ and }} do not match up here", "a substitution is {{ name }} or {{ formatter(...) }}"
            )
        if token.content.startswith(":::"):
            self.fault(
                "::: stands on a line of its own", "leave an empty line around it, and do not indent it"
            )

    def _substitution(self, token: Token) -> None:
        try:
            token.meta["substitution"] = substitutions.parse(token.content)
        except ExpressionError as error:
            self.fault(f"{{{{ {error.source.strip()} }}}}: {error.message}", error.hint)
            return
        source = " ".join(token.content.split())
        self.occurrences[source] += 1
        identity = f"{self.place}\n{source}\n{self.occurrences[source]}"
        token.meta["key"] = sha256(identity.encode()).hexdigest()[:12]

    def _condition(self, token: Token) -> None:
        word, _, rest = token.content.partition(" ")
        if word not in ("if", "else", "") or (word == "else" and rest.strip()):
            self.fault(
                f"`::: {token.content[:40]}` is not known", "::: if condition, ::: else, and ::: to end"
            )
            return
        if word == "if":
            try:
                token.meta["condition"] = expressions.compile(rest)
            except ExpressionError as error:
                self.fault(f"::: if {error.source.strip()}: {error.message}", error.hint)

    def _math(self, token: Token, *, display: bool) -> Token:
        block = token.type == "math_block"
        try:
            html = mathml.to_mathml(token.content.strip(), display=display)
        except mathml.MathError as error:
            self.fault(f"math: {error}", "LaTeX as in $\\frac{a}{b}$; an amount of money is \\$5")
            html = ""
        return _fixed(token, f'<div class="math-block">{html}</div>\n' if block else html)

    def _code(self, token: Token) -> Token:
        language = token.info.strip().split(" ")[0].lower()
        html = ""
        if _BRACES.search(token.content):
            self.fault("no {{ }} inside code", "put a space between the braces, or the number in the text")
        try:
            html = highlight.to_html(token.content, language)
        except highlight.CodeError as error:
            self.fault(str(error), "text has no language of its own")
        return _fixed(token, html)

    def _link(self, token: Token) -> None:
        address = str(token.attrs.get("href", ""))
        if "%7B%7B" in address or _BRACES.search(str(token.attrs.get("title", ""))):
            self.fault("no {{ }} inside a link's address or title", "put the number in the text")
        elif not _LINK.match(address):
            self.fault(f"a link that is refused: {address[:80]}", "https://..., /questions/..., or #...")

    def _picture(self, image: Token) -> Token:
        name = str(image.attrs.get("src", ""))
        try:
            if self.folder is None:
                raise pictures.PictureError("a picture has no place here")
            if not image.content.strip():
                raise pictures.PictureError(f"{name[:80]} has no text version: ![text version]({name[:80]})")
            content = pictures.read(self.folder, name)
            digest = sha256(content).hexdigest()
            picture = pictures.sanitise(content, f"{name.removesuffix('.svg')}-{digest[:6]}")
        except pictures.PictureError as error:
            self.fault(str(error), "![text version](name.svg), the file beside the question")
            return _fixed(image, "")
        if picture.left_out:
            shown = ", ".join(picture.left_out[:8])
            hint = "export it as plain shapes and text"
            self.faults.append(Fault(self.line, f"left out of {name}: {shown}", hint, "warning"))
        self.pictures[name] = digest
        token = Token("picture", "", 0, content=picture.svg, block=True, meta={"line": self.line})
        token.children = self._children(image.children or [])
        return token


def _is_picture(inline: Token) -> bool:
    return [child.type for child in inline.children or ()] == ["image"]


def _fixed(token: Token, html: str) -> Token:
    """A token that prints as it is; `source` stays for the search index."""
    return Token(
        "fixed", "", 0, content=html, block=token.block, meta={**token.meta, "source": token.content}
    )


def _align(token: Token) -> None:
    match = _ALIGNMENT.match(str(token.attrs.pop("style", "")))
    if match:
        token.attrSet("class", match[1])
