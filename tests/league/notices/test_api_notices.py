"""Notices through the API."""

import pytest
from rest_framework.test import APIClient

from league.models import Arena, Notice, Player
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import beats

NOTICES = "/api/v1/notices/"
READ = "/api/v1/notices/read/"


def test_a_player_reads_their_own_notices_and_marks_them(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    beats(alice, charlie, duel)
    mine = by_token(charlie).get(NOTICES).json()
    assert len(mine["results"]) == 2
    assert [notice["kind"] for notice in mine["results"]] == ["reported", "reported"]
    notice = mine["results"][1]
    assert notice["text"] == "Alice reported a result in Duel. Confirm or dispute it."
    assert (notice["match"], notice["url"]) == (match.pk, match.get_absolute_url())
    assert notice["actor"]["name"] == "Alice"
    assert notice["seen_at"] is None

    read = by_token(charlie).post(READ, {"notices": [notice["id"]]}, format="json")
    assert (read.status_code, read.json()) == (200, {"marked": 1})
    assert by_token(charlie).get(NOTICES).json()["results"][1]["seen_at"]
    assert by_token(charlie).post(READ, {}, format="json").json() == {"marked": 1}
    assert by_token(charlie).post(READ, {}, format="json").json() == {"marked": 0}


def test_nobody_reads_or_marks_the_notices_of_others(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    beats(alice, charlie, duel)
    notice = Notice.objects.get()
    for player in (alice, olga):
        assert by_token(player).get(NOTICES).json()["results"] == []
        marked = by_token(player).post(READ, {"notices": [notice.pk]}, format="json")
        assert marked.json() == {"marked": 0}
    notice.refresh_from_db()
    assert notice.seen_at is None
    assert APIClient().get(NOTICES).status_code == 401
    assert APIClient().post(READ).status_code == 401


@pytest.mark.parametrize("notices", ["all", ["x"], [0], [10**30], [1] * 1001, {"id": 1}])
def test_bad_ids_are_refused_beside_their_field(alice: Player, notices: object) -> None:
    answer = by_token(alice).post(READ, {"notices": notices}, format="json")
    assert answer.status_code in {400, 422}
    assert any(field.startswith("notices") for field in fields_at_fault(answer))
