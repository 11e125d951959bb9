"""Packs to try with: sound questions, made from the one that authors begin with."""

import io
import zipfile
from pathlib import Path
from typing import Final

from app.authoring import new_question

OURS: Final = "our-cache"
SKELETONS = Path(new_question.__file__).parent / "skeletons"


def question(
    title: str = "Cache of our model", *, version: int = 1, answer: str = "bytes_per_sequence"
) -> bytes:
    text = (SKELETONS / "numeric.md").read_text("utf-8")
    for old, new in (
        ("@TITLE@", title),
        ("@TOPIC@", "kv-cache-and-decoding"),
        ("status: draft ", "status: reviewed"),
        ("version: 1 ", f"version: {version} "),
        ("  value: cache.bytes_per_sequence", f"  value: cache.{answer}"),
    ):
        assert old in text
        text = text.replace(old, new)
    return text.encode()


def archive(content: bytes, slug: str = OURS, **others: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, text in {slug: content, **others}.items():
            packed.writestr(f"kv-cache-and-decoding/{name}.md", text)
    return out.getvalue()
