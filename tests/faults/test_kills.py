"""A few kills in every run; hundreds by hand, as tests/faults/kills.py says."""

from tests.faults import kills


def test_what_was_acknowledged_outlives_the_server_and_is_there_once(database_url: str) -> None:
    outcome = kills.run(database_url, kills=2)
    assert outcome.kills == 2
    assert outcome.acknowledged
    assert (outcome.lost, outcome.twice, outcome.damage) == ([], [], [])
