"""Pictures of a question: an SVG file beside it, rebuilt from a list of what may be in one, and inlined.

Nothing is copied from the file but listed elements, listed attributes with harmless values, and text. What is
left out is reported, so that an author sees why a picture lost something.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree
from xml.sax.saxutils import escape, quoteattr

MAX_BYTES = 128 * 1024
MAX_ELEMENTS = 4000
MAX_DEPTH = 24

NAME = re.compile(r"[a-z0-9]+(?:[-_][a-z0-9]+)*\.svg\Z", re.ASCII)
_SVG = "{http://www.w3.org/2000/svg}"
_DECLARES = re.compile(rb"<!(?:DOCTYPE|ENTITY)", re.IGNORECASE)
_URL = re.compile(r"url\(\s*#([A-Za-z][\w-]{0,60})\s*\)\Z", re.ASCII)
_ID = re.compile(r"[A-Za-z][\w-]{0,60}\Z", re.ASCII)
_HARMLESS = re.compile(r"[\w\s.,:;#%()+*/'°·×≤≥–-]{0,4000}\Z")
_PATH = re.compile(r"[MmLlHhVvCcSsQqTtAaZz0-9eE.,+\s-]{0,20000}\Z", re.ASCII)

ELEMENTS = frozenset(
    {
        "svg",
        "g",
        "path",
        "rect",
        "circle",
        "ellipse",
        "line",
        "polyline",
        "polygon",
        "text",
        "tspan",
        "title",
        "desc",
    }
    | {"defs", "marker", "linearGradient", "radialGradient", "stop", "clipPath"}
)
ATTRIBUTES = frozenset(
    {
        "viewBox",
        "preserveAspectRatio",
        "x",
        "y",
        "x1",
        "y1",
        "x2",
        "y2",
        "cx",
        "cy",
        "r",
        "rx",
        "ry",
        "dx",
        "dy",
    }
    | {
        "d",
        "points",
        "width",
        "height",
        "transform",
        "offset",
        "fx",
        "fy",
        "gradientUnits",
        "gradientTransform",
    }
    | {"fill", "fill-opacity", "fill-rule", "stroke", "stroke-width", "stroke-opacity", "stroke-dasharray"}
    | {"stroke-linecap", "stroke-linejoin", "opacity", "stop-color", "stop-opacity", "clip-path", "clip-rule"}
    | {"text-anchor", "dominant-baseline", "font-size", "font-weight", "font-style", "font-family", "rotate"}
    | {
        "marker-start",
        "marker-mid",
        "marker-end",
        "markerWidth",
        "markerHeight",
        "markerUnits",
        "refX",
        "refY",
    }
    | {"orient", "id", "class"}
)
CLASSES = frozenset({"compute", "memory", "network", "ink", "quiet", "rule", "sheet", "changed"})
CLASS_PREFIX = "picture-"


class PictureError(ValueError):
    """A picture that is refused; the text says why."""


@dataclass(frozen=True, slots=True)
class Picture:
    svg: str
    left_out: tuple[str, ...]  # elements and attributes that are not allowed, each once


def read(folder: Path, name: str) -> bytes:
    """The bytes of a picture beside the question; never anything outside of its folder."""
    if not NAME.match(name):
        raise PictureError(f"a picture is an .svg file beside the question, named in lower case: {name[:80]}")
    path = folder / name
    if path.is_symlink() or not path.is_file():
        raise PictureError(f"there is no file {name} beside the question")
    with path.open("rb") as file:
        content = file.read(MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise PictureError(f"{name} is larger than {MAX_BYTES:,} bytes")
    return content


def sanitise(content: bytes, prefix: str) -> Picture:
    """Rebuild an SVG from what is allowed. `prefix` keeps the ids of two pictures on one page apart."""
    if _DECLARES.search(content):
        raise PictureError("the picture declares a document type or entities")
    try:
        text = content.decode("utf-8-sig")
        root = ElementTree.fromstring(text)  # noqa: S314 - without a document type there are no entities to expand
    except (UnicodeDecodeError, ValueError, ElementTree.ParseError) as error:
        raise PictureError(f"the picture is not well-formed XML in UTF-8 ({error})") from error
    if root.tag != f"{_SVG}svg":
        raise PictureError('the picture is not an <svg xmlns="http://www.w3.org/2000/svg">')
    if "viewBox" not in root.attrib:
        raise PictureError("the picture has no viewBox, so it cannot scale to the page")
    builder = _Builder(prefix)
    svg = builder.element(root, depth=0)
    return Picture(svg, tuple(dict.fromkeys(builder.left_out)))


class _Builder:
    def __init__(self, prefix: str) -> None:
        self.prefix = prefix
        self.left_out: list[str] = []
        self.elements = 0

    def element(self, node: ElementTree.Element, depth: int) -> str:
        self.elements += 1
        if self.elements > MAX_ELEMENTS or depth > MAX_DEPTH:
            raise PictureError(f"the picture has more than {MAX_ELEMENTS:,} elements or {MAX_DEPTH} levels")
        name = str(node.tag).removeprefix(_SVG)
        if name not in ELEMENTS or (name == "svg" and depth):
            self.left_out.append(f"<{name.rpartition('}')[2][:40]}>")
            return ""
        attributes = "".join(self.attribute(key, value) for key, value in node.attrib.items())
        if name == "svg":
            attributes += ' aria-hidden="true" focusable="false"'  # the text version says the same
        inside = escape(node.text or "")
        for child in node:
            inside += self.element(child, depth + 1) + escape(child.tail or "")
        return f"<{name}{attributes}>{inside}</{name}>"

    def attribute(self, key: str, value: str) -> str:
        safe = self.value(key, value) if key in ATTRIBUTES else None
        if safe is None:
            self.left_out.append(key.rpartition("}")[2][:40])
            return ""
        return f" {key}={quoteattr(safe)}" if safe else ""

    def value(self, key: str, value: str) -> str | None:
        """The attribute's value as it may stand in the page; empty to drop it silently, None to report it."""
        value = value.strip()
        if key == "id":
            return f"{self.prefix}-{value}" if _ID.match(value) else None
        if key == "class":
            return " ".join(CLASS_PREFIX + name for name in value.split() if name in CLASSES)
        if key in ("d", "points"):
            return value if _PATH.match(value) else None
        if match := _URL.match(value):
            return f"url(#{self.prefix}-{match[1]})"
        if "url" in value.lower() or not _HARMLESS.match(value):
            return None
        return value
