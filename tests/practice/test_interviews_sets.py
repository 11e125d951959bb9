from dataclasses import replace

from app.practice import interviews_sets
from app.practice.interviews_sets import SetUp
from app.practice.preferences import Choice
from tests.practice.conftest import Practice


def test_a_set_up_is_kept_under_its_name_and_replaced(practice: Practice) -> None:
    session, user = practice.session, practice.user
    mine = SetUp(20, 3, Choice(frozenset({"serving"}), frozenset({"mid"})), ("other",), False, True, True)
    interviews_sets.save(session, user, "Mine", SetUp())
    interviews_sets.save(session, user, "Mine", mine)
    [saved] = interviews_sets.saved(session, user)
    assert (saved.name, saved.set_up) == ("Mine", mine)
    assert interviews_sets.get(session, replace(user, id=user.id + 1), saved.id) is None
    interviews_sets.delete(session, replace(user, id=user.id + 1), saved.id)
    interviews_sets.delete(session, user, saved.id)
    assert interviews_sets.saved(session, user) == ()
