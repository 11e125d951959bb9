"""Packs of teams in the database: added in versions that are never changed, brought back, taken out, hidden.

Every change stamps the team's bank anew (`TeamRow.bank`), in the same transaction: by the stamp each process
knows whether its copy is old.
"""

import re
from dataclasses import asdict, dataclass
from datetime import datetime
from hashlib import sha256
from typing import Final

from sqlalchemy.orm import defer
from sqlmodel import Session, col, func, select

from app.accounts.teams import Team
from app.accounts.users import User
from app.database import writing
from app.models import HiddenQuestionRow, PackRow, PackVersionRow, TeamRow, UserRow
from app.packs.archives import to_archive
from app.packs.checking import Checked, Summary, team_key
from app.packs.contents import Finding

MAX_PACKS: Final = 20  # of one team
MAX_VERSIONS: Final = 500  # of one pack
MAX_HIDDEN: Final = 2_000
_NAME: Final = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MAX_NAME: Final = 40
# SQLModel types a column as what it holds.
_WITHOUT_FILES: Final = defer(PackVersionRow.archive)  # type: ignore[arg-type]


class PackError(ValueError):
    """What was asked of a pack is not done; `str()` is a sentence without its full stop."""


@dataclass(frozen=True, slots=True)
class Version:
    """`made_by` is empty where it was nobody signed in, or somebody who is gone."""

    number: int
    digest: str
    questions: tuple[Summary, ...]
    warnings: tuple[Finding, ...]
    source: str
    made_by: str
    made_at: datetime


@dataclass(frozen=True, slots=True)
class StoredPack:
    """A pack of a team with its versions, the newest first."""

    id: int
    name: str
    key: str
    current: int
    removed: bool
    versions: tuple[Version, ...]

    @property
    def served(self) -> Version:
        return next(version for version in self.versions if version.number == self.current)

    def version(self, number: int) -> Version | None:
        return next((version for version in self.versions if version.number == number), None)


def checked_name(text: str) -> str:
    """The name of a pack, which is part of addresses. Raises `PackError`."""
    name = text.strip().lower()
    if not _NAME.fullmatch(name) or len(name) > _MAX_NAME:
        raise PackError(
            f"A pack is named by small letters and digits joined by -, at most {_MAX_NAME}, such as our-stack"
        )
    return name


def suggested_name(file: str) -> str:
    """The nearest name that a pack may have, for an archive or a folder called so."""
    stem = re.sub(r"(?:\.zip|\.tar\.gz|\.tgz)$", "", file.rpartition("/")[2].lower())
    return re.sub(r"[^a-z0-9]+", "-", stem)[:_MAX_NAME].strip("-")


def of_team(session: Session, team: Team) -> tuple[StoredPack, ...]:
    """All packs, by name; those that were taken out too, because their versions are kept."""
    rows = session.exec(select(PackRow).where(PackRow.team_id == team.id).order_by(PackRow.name)).all()
    return tuple(_pack(session, row) for row in rows)


def get(session: Session, team: Team, name: str) -> StoredPack | None:
    return next((pack for pack in of_team(session, team) if pack.name == name), None)


def add(
    session: Session,
    team: Team,
    name: str,
    checked: Checked,
    *,
    source: str,
    maker: User | None,
    now: datetime,
) -> int:
    """A new version of the pack, which is served from now on; its number. Raises `PackError`.

    Where the version that is served has the same files, that one stays.
    """
    if not checked.sound:
        raise PackError("The pack has errors")
    name = checked_name(name)
    with writing(session):
        _locked(session, team)
        row = _row(session, team, name)
        newest = _newest(session, row) if row is not None else None
        if row is None:
            if session.exec(select(func.count()).where(PackRow.team_id == team.id)).one() >= MAX_PACKS:
                raise PackError(f"The team has {MAX_PACKS} packs already")
            key = team_key(team.slug, name)
            row = PackRow(team_id=team.id, name=name, key=key, current=1, made_at=now)
            session.add(row)
            session.flush()
        elif newest is not None and newest.number >= MAX_VERSIONS:
            raise PackError(f"The pack has {MAX_VERSIONS} versions already: begin another one")
        same = newest is not None and newest.content_hash == checked.contents.digest
        number = newest.number if newest is not None and same else (newest.number + 1 if newest else 1)
        if not same:
            session.add(_new_version(row, number, checked, source, maker, now))
        row.current, row.removed_at = number, None
        _stamp(session, team)
    return number


def serve(session: Session, team: Team, name: str, number: int) -> bool:
    """Serves this version from now on, an older one too; whether the pack has it."""
    with writing(session):
        _locked(session, team)
        row = _row(session, team, name)
        if row is None or _version_row(session, row, number) is None:
            return False
        row.current, row.removed_at = number, None
        _stamp(session, team)
        return True


def take_out(session: Session, team: Team, name: str, now: datetime) -> bool:
    """Serves the pack no more; whether there was one. Whoever is in the middle of a question goes on."""
    with writing(session):
        _locked(session, team)
        row = _row(session, team, name)
        if row is None:
            return False
        row.removed_at = row.removed_at or now
        _stamp(session, team)
        return True


def hidden(session: Session, team: Team) -> frozenset[tuple[str, str]]:
    """The questions that the team does not see, by pack and slug."""
    rows = session.exec(select(HiddenQuestionRow).where(HiddenQuestionRow.team_id == team.id))
    return frozenset((row.pack, row.slug) for row in rows)


def hide(session: Session, team: Team, key: tuple[str, str], now: datetime) -> None:
    """The team does not see the question any more. Raises `PackError`."""
    with writing(session):
        _locked(session, team)
        known = hidden(session, team)
        if key in known:
            return
        if len(known) >= MAX_HIDDEN:
            raise PackError(f"The team hides {MAX_HIDDEN:,} questions already")
        session.add(HiddenQuestionRow(team_id=team.id, pack=key[0], slug=key[1], hidden_at=now))
        _stamp(session, team)


def show(session: Session, team: Team, key: tuple[str, str]) -> None:
    """The team sees the question again."""
    with writing(session):
        _locked(session, team)
        rows = select(HiddenQuestionRow).where(
            HiddenQuestionRow.team_id == team.id,
            HiddenQuestionRow.pack == key[0],
            HiddenQuestionRow.slug == key[1],
        )
        for row in session.exec(rows):
            session.delete(row)
        _stamp(session, team)


def archive_of(session: Session, key: str, digest: str) -> bytes | None:
    """The files of the version of a pack that has this content."""
    return session.exec(
        select(PackVersionRow.archive)
        .join(PackRow, col(PackRow.id) == col(PackVersionRow.pack_id))
        .where(PackRow.key == key, PackVersionRow.content_hash == digest)
        .limit(1)
    ).first()


def stamp_of(packs: tuple[StoredPack, ...], hides: frozenset[tuple[str, str]]) -> str:
    """What changes whenever a team's bank does; empty where it is the built-in one."""
    if not packs and not hides:
        return ""
    served = sorted((pack.key, "" if pack.removed else pack.served.digest) for pack in packs)
    return sha256(repr((served, sorted(hides))).encode()).hexdigest()


def _stamp(session: Session, team: Team) -> None:
    session.flush()
    row = session.get_one(TeamRow, team.id)
    row.bank = stamp_of(of_team(session, team), hidden(session, team))
    session.flush()


def _locked(session: Session, team: Team) -> None:
    """Changes of one team's packs come one after the other (SQLite's writers always do)."""
    session.exec(select(TeamRow.id).where(TeamRow.id == team.id).with_for_update()).one_or_none()


def _row(session: Session, team: Team, name: str) -> PackRow | None:
    return session.exec(select(PackRow).where(PackRow.team_id == team.id, PackRow.name == name)).one_or_none()


def _newest(session: Session, pack: PackRow) -> PackVersionRow | None:
    return session.exec(
        select(PackVersionRow)
        .where(PackVersionRow.pack_id == pack.id)
        .order_by(col(PackVersionRow.number).desc())
        .options(_WITHOUT_FILES)
        .limit(1)
    ).first()


def _version_row(session: Session, pack: PackRow, number: int) -> int | None:
    return session.exec(
        select(PackVersionRow.id).where(PackVersionRow.pack_id == pack.id, PackVersionRow.number == number)
    ).first()


def _versions(session: Session, pack: PackRow) -> tuple[Version, ...]:
    rows = session.exec(
        select(PackVersionRow, UserRow)
        .join(UserRow, col(UserRow.id) == col(PackVersionRow.made_by), isouter=True)
        .where(PackVersionRow.pack_id == pack.id)
        .order_by(col(PackVersionRow.number).desc())
        .options(_WITHOUT_FILES)
    )
    return tuple(
        Version(
            number=row.number,
            digest=row.content_hash,
            questions=tuple(Summary(**entry) for entry in row.contents),
            warnings=tuple(Finding(**entry) for entry in row.report),
            source=row.source,
            made_by=(maker.name or maker.login) if maker else "",
            made_at=row.made_at,
        )
        for row, maker in rows
    )


def _pack(session: Session, row: PackRow) -> StoredPack:
    assert row.id is not None
    versions = _versions(session, row)
    return StoredPack(row.id, row.name, row.key, row.current, row.removed_at is not None, versions)


def _new_version(
    pack: PackRow, number: int, checked: Checked, source: str, maker: User | None, now: datetime
) -> PackVersionRow:
    assert pack.id is not None
    return PackVersionRow(
        pack_id=pack.id,
        number=number,
        content_hash=checked.contents.digest,
        archive=to_archive(checked.contents),
        contents=[asdict(each) for each in checked.questions],
        report=[asdict(each) for each in checked.findings],
        source=source[:200],
        made_by=maker.id if maker is not None else None,
        made_at=now,
    )
