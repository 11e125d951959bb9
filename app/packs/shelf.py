"""The banks of teams in this process: the built-in questions, a team's packs over them, less what it hides.

A team's bank is put together when its stamp or the built-in questions have changed since. Each version of a
pack is loaded once and never changes: its files are unpacked into a folder named after their hash.
"""

import logging
import shutil
import tempfile
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

from sqlmodel import Session

from app.accounts.teams import Team
from app.bank.cache import Cache
from app.bank.current_index import CurrentIndex
from app.bank.load import Bank
from app.bank.problems import Problem
from app.bank.question import Pack, Question
from app.bank.search import SearchIndex
from app.database import Database
from app.packs import store
from app.packs.archives import read_archive
from app.packs.checking import is_team_key, write_files
from app.packs.contents import PackRefused
from app.packs.store import StoredPack

log = logging.getLogger(__name__)
MAX_TEAMS: Final = 64
MAX_LOADED: Final = 256  # versions of packs

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class _TeamBank:
    stamp: str
    builtin: Mapping[str, Question]
    bank: Bank
    index: CurrentIndex


class Shelf:
    """One for each process; every thread may ask."""

    def __init__(self, database: Database, folder: Path) -> None:
        """`folder` is where packs are unpacked; what lies there can be deleted at any time."""
        self._database = database
        self._folder = folder
        self._building = threading.RLock()
        self._banks: OrderedDict[int, _TeamBank] = OrderedDict()
        self._loaded: OrderedDict[tuple[str, str], Bank] = OrderedDict()

    def bank(self, session: Session, builtin: Bank, team: Team) -> Bank:
        """The questions that the team sees."""
        return self._team_bank(session, builtin, team).bank

    def index(self, session: Session, builtin: Bank, team: Team) -> SearchIndex:
        """The search over them."""
        return self._team_bank(session, builtin, team).index.get()

    def _team_bank(self, session: Session, builtin: Bank, team: Team) -> _TeamBank:
        known = self._banks.get(team.id)
        if known is not None and known.stamp == team.bank and known.builtin is builtin.questions:
            return known
        with self._building:
            known = self._banks.get(team.id)
            if known is None or known.stamp != team.bank or known.builtin is not builtin.questions:
                known = self._banks[team.id] = self._build(session, builtin, team)
                self._banks.move_to_end(team.id)
                while len(self._banks) > MAX_TEAMS:
                    self._banks.popitem(last=False)
            return known

    def _build(self, session: Session, builtin: Bank, team: Team) -> _TeamBank:
        packs = store.of_team(session, team)
        hides = store.hidden(session, team)
        base = builtin.questions
        questions = dict(base)
        for pack in packs:
            if not pack.removed:
                found = self._load(session, pack.key, pack.served.digest).questions
                questions |= {slug: each for slug, each in found.items() if (pack.key, slug) not in hides}
        seen = {slug: each for slug, each in questions.items() if (each.pack, slug) not in hides}
        bank = Bank.of(seen, builtin.problems, partial(self._earlier, builtin, packs))
        # By what was read, which may be newer than what the caller knows of.
        return _TeamBank(store.stamp_of(packs, hides), base, bank, CurrentIndex(bank))

    def _earlier(
        self, builtin: Bank, packs: tuple[StoredPack, ...], key: Key, content_hash: str
    ) -> Question | None:
        """The question by its key, with this text where a version of the pack has it."""
        if not is_team_key(key[0]):
            return builtin.at(key)
        pack = next((pack for pack in packs if pack.key == key[0]), None)
        for version in pack.versions if pack is not None else ():
            if any(each.slug == key[1] and each.content_hash == content_hash for each in version.questions):
                with self._database.session() as session:
                    return self._load(session, key[0], version.digest).get(key[1])
        return None

    def _load(self, session: Session, key: str, digest: str) -> Bank:
        """A version of a pack. One that cannot be read has no questions, and says so in the log."""
        with self._building:
            known = self._loaded.get((key, digest))
            if known is None:
                try:
                    folder = self._unpacked(session, key, digest)
                except (PackRefused, OSError) as error:
                    log.error("The pack %s, version %s, cannot be served: %s", key, digest[:12], error)
                    return Bank.of({}, (Problem(Path(key), 1, "the pack cannot be read", str(error)),))
                known = Bank([Pack(key, folder)], Cache(folder.with_suffix(".json")))
                known.reload()
                self._loaded[key, digest] = known
                while len(self._loaded) > MAX_LOADED:
                    self._loaded.popitem(last=False)
            self._loaded.move_to_end((key, digest))
            return known

    def _unpacked(self, session: Session, key: str, digest: str) -> Path:
        """The folder with the files of a version, made in one step: other processes may be at it too."""
        folder = self._folder / digest
        if folder.is_dir():
            return folder
        archive = store.archive_of(session, key, digest)
        if archive is None:
            raise FileNotFoundError(f"the database has no files of {digest[:12]}")
        contents = read_archive(archive)
        if contents.digest != digest:
            raise OSError("the files in the database are not those that were checked")
        self._folder.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(dir=self._folder, prefix=".new-"))
        try:
            write_files(contents, made)
            made.replace(folder)
        except OSError:
            shutil.rmtree(made, ignore_errors=True)
            if not folder.is_dir():  # else another process was first
                raise
        return folder
