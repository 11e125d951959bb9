"""A pack on its way in: from an archive or a folder, past the lint, to a new version that is served."""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from sqlmodel import Session

from app.accounts import teams
from app.accounts.teams import Team
from app.accounts.users import User
from app.bank.load import Bank
from app.packs import store
from app.packs.archives import read_archive, read_folder
from app.packs.checking import check, team_key
from app.packs.contents import Contents, Finding, PackRefused
from app.packs.store import PackError

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Source:
    """Where a pack comes from, and who brings it; nobody where the server reads a folder at its start."""

    name: str
    maker: User | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """`version` is the one that is served now, `new` whether it was not there before."""

    version: int
    new: bool
    warnings: tuple[Finding, ...] = ()


def add(
    session: Session, bank: Bank, team: Team, name: str, contents: Contents, source: Source, now: datetime
) -> Added:
    """Takes the pack in as it is, whole, or raises `PackRefused` or `PackError`; `bank` is the team's."""
    name = store.checked_name(name)
    known = store.get(session, team, name)
    if known is not None and not known.removed and known.served.digest == contents.digest:
        return Added(known.current, new=False)
    key = team_key(team.slug, name)
    around = {slug: question for slug, question in bank.questions.items() if question.pack != key}
    newest = store.archive_of(session, key, known.versions[0].digest) if known is not None else None
    checked = check(contents, key, around, read_archive(newest) if newest is not None else None)
    if not checked.sound:
        raise PackRefused(checked.findings)
    number = store.add(session, team, name, checked, source=source.name, maker=source.maker, now=now)
    return Added(number, new=True, warnings=checked.findings)


def add_folder(
    session: Session, bank: Bank, team: Team, folder: Path, maker: User | None, now: datetime
) -> Added:
    """The pack in a folder of this machine, named after it. Raises `PackRefused` and `PackError`."""
    source = Source(str(folder), maker)
    return add(session, bank, team, store.suggested_name(folder.name), read_folder(folder), source, now)


def add_mounted(session: Session, bank: Bank, folders: Sequence[tuple[str, Path]], now: datetime) -> None:
    """Takes in the folders that the settings name for teams; what is wrong with one goes to the log alone.

    The version that was served before goes on then. `bank` is the server's.
    """
    for slug, folder in folders:
        team = teams.by_slug(session, slug)
        if team is None:
            log.warning("RIDGEWAY_PACKS: there is no team %s yet; %s is left out", slug, folder)
            continue
        try:
            added = add_folder(session, bank, team, folder, None, now)
        except PackRefused as refused:
            for finding in refused.findings:
                log.error("%s: %s:%d: %s", folder, finding.path, finding.line, finding.message)
        except PackError as refused:
            log.error("%s: %s", folder, refused)
        else:
            if added.new:
                log.warning("%s: version %d is served to the team %s", folder, added.version, slug)
