"""Pictures: an SVG is rebuilt from what is allowed, and read from the question's own folder only."""

from pathlib import Path

import pytest

from app.bank import pictures
from app.bank.pictures import MAX_BYTES, PictureError, read, sanitise
from app.bank.safe_html import clean

HEAD = (
    '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 10 10"'
)


def svg(inside: str, attributes: str = "") -> bytes:
    return f"{HEAD} {attributes}>{inside}</svg>".encode()


def test_a_plain_drawing_stays() -> None:
    inside = (
        '<title>T</title><defs><linearGradient id="g" gradientUnits="userSpaceOnUse">'
        '<stop offset="0" stop-color="red"/>'
        '</linearGradient><marker id="m" markerWidth="4" refX="1"><path d="M0 0L1 1z"/></marker></defs>'
        '<g class="memory" transform="translate(1 2)"><rect x="1" width="5" fill="url(#g)"/>'
        '<line marker-end="url(#m)" stroke="#0a66a8"/><text text-anchor="middle">80 GB &lt; &amp;</text></g>'
    )
    picture = sanitise(svg(inside), "p")
    assert picture.left_out == ()
    assert picture.svg.startswith(
        '<svg viewBox="0 0 10 10" aria-hidden="true" focusable="false"><title>T</title>'
    )
    assert '<linearGradient id="p-g" gradientUnits="userSpaceOnUse">' in picture.svg
    assert 'fill="url(#p-g)"' in picture.svg
    assert 'marker-end="url(#p-m)"' in picture.svg
    assert '<g class="picture-memory" transform="translate(1 2)">' in picture.svg
    assert "80 GB &lt; &amp;</text>" in picture.svg
    assert clean(picture.svg) == picture.svg


@pytest.mark.parametrize(
    ("inside", "left_out"),
    [
        ("<script>alert(1)</script>", "<script>"),
        ('<script xlink:href="https://evil.example/x.js"/>', "<script>"),
        ("<style>* { background: url(https://evil.example) }</style>", "<style>"),
        ("<foreignObject><body xmlns='http://www.w3.org/1999/xhtml'><img src='x'/></body></foreignObject>",
         "<foreignObject>"),
        ('<image href="https://evil.example/x.png"/>', "<image>"),
        ('<a href="javascript:alert(1)"><text>x</text></a>', "<a>"),
        ('<use href="#x"/>', "<use>"),
        ('<animate attributeName="href" values="javascript:alert(1)"/>', "<animate>"),
        ('<set attributeName="onmouseover" to="alert(1)"/>', "<set>"),
        ("<svg><script>alert(1)</script></svg>", "<svg>"),
        ("<script xmlns='http://www.w3.org/1999/xhtml'>alert(1)</script>", "<script>"),
        ("<x:script xmlns:x='http://www.w3.org/2000/svg'>alert(1)</x:script>", "<script>"),
        ("<filter id='f'/>", "<filter>"),
        ('<rect onclick="alert(1)"/>', "onclick"),
        ('<rect style="fill: url(https://evil.example)"/>', "style"),
        ('<rect fill="url(https://evil.example/#x)"/>', "fill"),
        ('<rect fill="URL(//evil.example)"/>', "fill"),
        ('<rect fill="u\\72l(x)"/>', "fill"),
        ('<rect fill="image-set(&quot;https://evil.example&quot;)"/>', "fill"),
        ('<rect id="a b"/>', "id"),
        ('<rect xlink:href="#x"/>', "href"),
        ('<path d="M0 0 &lt;script&gt;"/>', "d"),
        ("<!-- <script> --><rect data-x='1'/>", "data-x"),
    ],
)  # fmt: skip
def test_what_can_run_or_reach_out_is_left_out(inside: str, left_out: str) -> None:
    picture = sanitise(svg(inside + "<circle r='1'/>"), "p")
    assert left_out in picture.left_out
    assert '<circle r="1"></circle>' in picture.svg
    assert not any(word in picture.svg.lower() for word in ("script", "evil", "alert", "href", "<!--"))
    assert clean(picture.svg) == picture.svg


@pytest.mark.parametrize(
    "content",
    [
        b'<!DOCTYPE svg [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + svg("<text>&b;</text>"),
        b'<!DOCTYPE svg SYSTEM "file:///etc/passwd">' + svg(""),
        b"<!entity x>" + svg(""),
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"<html/>",
        b"not xml",
        b"\xff\xfe",
        svg("<g>")[:-3],
        svg("<g>" * 30 + "</g>" * 30),
        svg("<g/>" * 4001),
        b"",
    ],
)
def test_what_is_refused_whole(content: bytes) -> None:
    with pytest.raises(PictureError):
        sanitise(content, "p")


@pytest.mark.parametrize(
    "name",
    [
        "../secret.svg",
        "/etc/passwd",
        "a/b.svg",
        "..svg",
        "A.svg",
        "pic.png",
        "%2e%2e/a.svg",
        "https://x/a.svg",
    ],
)
def test_only_a_file_beside_the_question_is_read(tmp_path: Path, name: str) -> None:
    (tmp_path / "secret.svg").write_bytes(svg(""))
    (tmp_path / "topic").mkdir()
    with pytest.raises(PictureError):
        read(tmp_path / "topic", name)


def test_links_folders_and_large_files_are_refused(tmp_path: Path) -> None:
    (tmp_path / "target.svg").write_bytes(svg(""))
    (tmp_path / "link.svg").symlink_to(tmp_path / "target.svg")
    (tmp_path / "folder.svg").mkdir()
    (tmp_path / "large.svg").write_bytes(b" " * (MAX_BYTES + 1))
    assert read(tmp_path, "target.svg") == svg("")
    for name in ("link.svg", "folder.svg", "large.svg", "missing.svg"):
        with pytest.raises(PictureError):
            read(tmp_path, name)


def test_the_classes_of_a_picture_are_the_colours_of_the_page() -> None:
    assert sanitise(svg("<rect class='compute num evil'/>"), "p").svg.count('class="picture-compute"') == 1
    assert {"compute", "memory", "network"} <= pictures.CLASSES
