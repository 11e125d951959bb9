"""A full-text index in memory on SQLite's FTS5, for which no text that a person types is a query language.

Every term is quoted, and the last one matches as a prefix. The rows are kept twice: with word stems, so that
"kernels" finds "kernel", and without, because a half-typed "attentio" has no stem in common with "attention".
"""

import re
import sqlite3
import threading
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

MAX_TERMS = 12
MAX_READ = 400  # characters of a query that are looked at
SNIPPET_TOKENS = 28

_OPEN, _CLOSE = "\x02", "\x03"  # around a matched word; neither can stand in an indexed text
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]+")
_TABLES = {"by_stem": "porter unicode61 remove_diacritics 2", "by_word": "unicode61 remove_diacritics 2"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of text, `marked` where it matched; the page escapes it and marks it."""

    text: str
    marked: bool = False


def match_query(text: str) -> str:
    """The FTS5 query for a text: all its terms, the last a prefix; empty without a letter or digit."""
    cleaned = _clean(text[:MAX_READ])
    terms = [term for term in cleaned.replace('"', " ").split() if any(map(_counts, term))][:MAX_TERMS]
    quoted = [f'"{term}"' for term in terms]
    return " ".join(quoted) + "*" if quoted else ""


def _clean(text: str) -> str:
    """The text without what SQLite cannot hold (lone surrogates) or would end at (NUL)."""
    return _CONTROLS.sub(" ", text.encode(errors="ignore").decode())


def _counts(char: str) -> bool:
    """Whether the tokenizer keeps a character; a term without any would match nothing."""
    return unicodedata.category(char)[0] in "LN"


class FullText:
    """Rows of named columns, found by any text. Safe to use from several threads."""

    def __init__(self, weights: Mapping[str, float], rows: Sequence[Mapping[str, str]]) -> None:
        self._columns = tuple(weights)
        self._weights = ", ".join(str(float(weight)) for weight in weights.values())
        self._lock = threading.Lock()
        self._db = sqlite3.connect(":memory:", check_same_thread=False)
        columns = ", ".join(self._columns)
        marks = ", ".join("?" for _ in self._columns)
        values = [[_clean(row[column]) for column in self._columns] for row in rows]
        for table, tokenizer in _TABLES.items():
            # The names are this module's own and the caller's columns, never a request's text.
            self._db.execute(f"CREATE VIRTUAL TABLE {table} USING fts5({columns}, tokenize = '{tokenizer}')")
            self._db.executemany(
                f"INSERT INTO {table}(rowid, {columns}) VALUES (?, {marks})",  # noqa: S608  # as above
                ([number, *row] for number, row in enumerate(values)),
            )
        self._db.commit()

    def close(self) -> None:
        with self._lock:
            self._db.close()

    def search(self, text: str) -> list[int] | None:
        """The numbers of the rows that match, best first; None where the text asks for nothing."""
        query = match_query(text)
        if not query:
            return None
        union = " UNION ALL ".join(
            f"SELECT rowid AS row, bm25({table}, {self._weights}) AS score "  # noqa: S608  # names of this module
            f"FROM {table} WHERE {table} MATCH :query"
            for table in _TABLES
        )
        ranked = f"SELECT row FROM ({union}) GROUP BY row ORDER BY min(score), row"  # noqa: S608  # as above
        return [row for (row,) in self._run(ranked, {"query": query})]

    def snippets(self, text: str, column: str, rows: Collection[int]) -> dict[int, tuple[Piece, ...]]:
        """For each row that matches, the passage of a column where it does, or its beginning."""
        query = match_query(text)
        if not query or not rows:
            return {}
        wanted = ", ".join(str(int(row)) for row in rows)
        found: dict[int, tuple[Piece, ...]] = {}
        for table in _TABLES:
            statement = (
                f"SELECT rowid, snippet({table}, ?, ?, ?, '…', ?) FROM {table} "  # noqa: S608  # numbers
                f"WHERE {table} MATCH ? AND rowid IN ({wanted})"
            )
            number = self._columns.index(column)
            for row, snippet in self._run(statement, (number, _OPEN, _CLOSE, SNIPPET_TOKENS, query)):
                pieces = _pieces(snippet)
                if row not in found or any(piece.marked for piece in pieces):
                    found[row] = pieces
        return found

    def _run(self, statement: str, values: Mapping[str, str] | Sequence[str | int]) -> list[Any]:
        with self._lock:
            return self._db.execute(statement, values).fetchall()


def _pieces(snippet: str) -> tuple[Piece, ...]:
    pieces = []
    for run in re.split(f"({_OPEN}[^{_CLOSE}]*{_CLOSE})", snippet):
        if run:
            pieces.append(Piece(run.strip(_OPEN + _CLOSE), run.startswith(_OPEN)))
    return tuple(pieces)
