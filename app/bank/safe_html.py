"""The second of three layers: rendered prose passes an allow-list before it reaches a page.

The first is that values and texts are escaped where they are put in, the third is the page's content security
policy.
"""

import nh3

from app.bank import highlight, mathml, pictures

_PROSE = {
    *(
        "p",
        "br",
        "hr",
        "em",
        "strong",
        "s",
        "code",
        "pre",
        "a",
        "ul",
        "ol",
        "li",
        "blockquote",
        "h3",
        "h4",
        "h5",
        "h6",
    ),
    *(
        "table",
        "thead",
        "tbody",
        "tr",
        "th",
        "td",
        "div",
        "span",
        "figure",
        "figcaption",
        "details",
        "summary",
    ),
}
_MATH = {
    *(
        "math",
        "mrow",
        "mi",
        "mn",
        "mo",
        "mtext",
        "mspace",
        "ms",
        "mfrac",
        "msqrt",
        "mroot",
        "msub",
        "msup",
        "msubsup",
    ),
    *(
        "munder",
        "mover",
        "munderover",
        "mmultiscripts",
        "mprescripts",
        "mtable",
        "mtr",
        "mtd",
        "mphantom",
        "mpadded",
    ),
    *("menclose", "mstyle", "b", "i"),
}
_MATH_ATTRIBUTES = {
    *("display", "displaystyle", "scriptlevel", "mathvariant", "linethickness", "form", "lspace", "rspace"),
    *(
        "minsize",
        "maxsize",
        "movablelimits",
        "stretchy",
        "symmetric",
        "accent",
        "accentunder",
        "notation",
        "width",
    ),
    *("height", "depth", "voffset", "fence", "separator", "largeop"),
}
_MATH_CLASSES = set(mathml.STYLE_CLASSES.values()) | {
    "menclose-updiagonalstrike",
    "menclose-downdiagonalstrike",
}
VALUE_CLASSES = {"num", "name", "wording", "limit", "limit-compute", "limit-memory", "limit-network"}

_ATTRIBUTES: dict[str, set[str]] = {
    "a": {"href", "title"},
    "ol": {"start"},
    "span": {"title", "data-key"},
    **{tag: set(_MATH_ATTRIBUTES) for tag in _MATH if tag not in ("b", "i")},
    **{tag: set(pictures.ATTRIBUTES) - {"class"} for tag in pictures.ELEMENTS},
}
_ATTRIBUTES["svg"] |= {"aria-hidden", "focusable"}

_PICTURE_CLASSES = {pictures.CLASS_PREFIX + name for name in pictures.CLASSES}
_CLASSES: dict[str, set[str]] = {
    "span": VALUE_CLASSES | set(highlight.CLASSES),
    "div": {"math-block", "table"},
    "figure": {"picture"},
    "th": {"left", "right", "center"},
    "td": {"left", "right", "center"},
    **dict.fromkeys(_MATH, _MATH_CLASSES),
    **dict.fromkeys(pictures.ELEMENTS, _PICTURE_CLASSES),
}

_CLEANER = nh3.Cleaner(
    tags=_PROSE | _MATH | pictures.ELEMENTS,
    attributes=_ATTRIBUTES,
    allowed_classes=_CLASSES,
    url_schemes={"https"},
    link_rel="noopener noreferrer",
)


def clean(html: str) -> str:
    """The same HTML without anything that is not on the list."""
    return _CLEANER.clean(html)
