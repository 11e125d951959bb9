from dataclasses import replace

import pytest
from sqlmodel import select

from app.bank.load import Bank
from app.models import InterviewLinkRow
from app.practice import interviews_sharing
from app.practice.interviews_sharing import TooManyLinks
from tests.practice.conftest import Practice
from tests.practice.interviewing import Room, make_bank


@pytest.fixture(scope="module")
def bank(tmp_path_factory: pytest.TempPathFactory) -> Bank:
    return make_bank(tmp_path_factory.mktemp("interviews") / "pack")


@pytest.fixture
def room(practice: Practice, bank: Bank) -> Room:
    return Room(practice, bank)


def test_a_link_leads_to_the_report_until_it_is_revoked(room: Room) -> None:
    room.start("other")
    session, user, now = room.practice.session, room.practice.user, room.practice.clock()
    token = interviews_sharing.new_token()
    assert not interviews_sharing.share(session, user, room.number, token, with_notes=False, now=now)
    room.end()
    for _ in range(2):
        assert interviews_sharing.share(session, user, room.number, token, with_notes=True, now=now)
    [link] = interviews_sharing.links(session, room.interview)
    assert token not in str(session.exec(select(InterviewLinkRow)).one().model_dump())
    found = interviews_sharing.find(session, token)
    assert found is not None
    assert (found[0].id, found[1]) == (room.number, True)
    stranger = replace(user, id=user.id + 1)
    interviews_sharing.revoke(session, stranger, room.number, link.id, now)
    assert interviews_sharing.find(session, token) is not None
    interviews_sharing.revoke(session, user, room.number, link.id, now)
    assert interviews_sharing.find(session, token) is None
    assert not interviews_sharing.share(session, user, room.number, token, with_notes=True, now=now)
    for odd in ("", "x" * 42, token[:-1] + "é", token * 3):
        assert interviews_sharing.find(session, odd) is None
    for _ in range(interviews_sharing.MAX_LINKS):
        fresh = interviews_sharing.new_token()
        interviews_sharing.share(session, user, room.number, fresh, with_notes=False, now=now)
    with pytest.raises(TooManyLinks):
        interviews_sharing.share(
            session, user, room.number, interviews_sharing.new_token(), with_notes=False, now=now
        )
