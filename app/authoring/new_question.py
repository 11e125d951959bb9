"""A new question file: a sound one of its kind, to be changed line by line."""

from pathlib import Path

from app.bank.load import is_slug, suggested_slug
from app.bank.problems import did_you_mean
from app.bank.schema import KINDS
from app.bank.topics import TOPICS

_SKELETONS = Path(__file__).parent / "skeletons"


class NewQuestionError(Exception):
    """The file cannot be made; the text says why, and what would do."""


def write(slug: str, kind: str, topic: str, pack: Path) -> Path:
    """Write the file into the pack, and say where. No file that is there is touched."""
    if not is_slug(slug):
        raise NewQuestionError(
            f"“{slug}” is no slug: lower-case words joined by -, as in {suggested_slug(slug)}"
        )
    if kind not in KINDS:
        raise NewQuestionError(f"“{kind}” is not a kind ({did_you_mean(kind, KINDS)})")
    if topic not in TOPICS:
        raise NewQuestionError(f"“{topic}” is not a topic ({did_you_mean(topic, TOPICS)})")
    if not pack.is_dir():
        raise NewQuestionError(f"{pack} is no folder of questions; --pack names another")
    taken = next(pack.glob(f"*/{slug}.md"), None)
    if taken is not None:
        raise NewQuestionError(f"the slug is taken by {taken}; a slug is never given twice")
    text = (_SKELETONS / f"{kind}.md").read_text("utf-8")
    text = text.replace("@TITLE@", slug.replace("-", " ").capitalize()).replace("@TOPIC@", topic)
    path = pack / topic / f"{slug}.md"
    try:
        path.parent.mkdir(exist_ok=True)
        with path.open("x", encoding="utf-8") as file:
            file.write(text)
    except OSError as error:
        raise NewQuestionError(f"{path} cannot be written: {error.strerror}") from error
    return path
