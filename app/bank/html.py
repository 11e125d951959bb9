"""Tokens into HTML, with the values of a variant where `{{ }}` stood."""

from collections.abc import Callable, MutableMapping, Sequence
from typing import Any

from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markupsafe import Markup, escape

from app.bank.document import Shown
from app.bank.markdown import PARSER
from app.bank.safe_html import clean

LIMITS = frozenset({"compute", "memory", "network"})


def to_html(tokens: Sequence[Token], environment: MutableMapping[str, Any]) -> Markup:
    """HTML that a page can hold. The environment has the variant's `values`, and gets the line reached."""
    html = PARSER.renderer.render(tokens, PARSER.options, environment)
    return Markup(clean(str(html)))  # noqa: S704 - the allow-list has just made it safe


def _substitution(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[index]
    env["line"] = token.meta["line"]
    shown: Shown = env["values"].shown(token.meta["substitution"])
    classes = f"limit limit-{shown.text}" if shown.text in LIMITS else shown.kind
    title = f' title="{escape(shown.exact)}"' if shown.exact else ""
    return f'<span class="{classes}" data-key="{token.meta["key"]}"{title}>{escape(shown.text)}</span>'


def _fixed(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    return tokens[index].content


def _picture(
    renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: MutableMapping[str, Any]
) -> str:
    token = tokens[index]
    text = renderer.renderInline(token.children or [], options, env)
    version = f"<details><summary>Text version</summary><p>{text}</p></details>"
    return f'<figure class="picture">{token.content}{version}</figure>\n'


def _around(before: str, after: str) -> Callable[..., str]:
    def rule(renderer: RendererHTML, tokens: Sequence[Token], index: int, options: Any, env: Any) -> str:
        return before + renderer.renderToken(tokens, index, options, env) + after

    return rule


PARSER.add_render_rule("substitution", _substitution)
PARSER.add_render_rule("fixed", _fixed)
PARSER.add_render_rule("picture", _picture)
PARSER.add_render_rule("table_open", _around('<div class="table">', ""))
PARSER.add_render_rule("table_close", _around("", "</div>\n"))
