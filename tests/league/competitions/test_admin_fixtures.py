"""The admin's list of fixtures has their scores and who decided them, and finds unplayed ones."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, Arrangement, Fixture, Match, Player
from league.services.competitions import decisions
from tests.support.admin_steps import staff
from tests.support.competition_steps import START, begun, crowd, date_of, play
from tests.support.result_steps import user_of
from tests.support.web_steps import words

__all__ = ["staff"]

LIST = reverse("admin:league_fixture_changelist")


def rows(client: Client, **chosen: Any) -> dict[int, tuple[str, str]]:
    """Return the result and who decided it of each listed fixture, by number."""
    shown = client.get(LIST, chosen).context["cl"]
    admin = shown.model_admin
    return {one.number: (admin.score(one), admin.decider(one)) for one in shown.result_list}


def test_a_list_of_fixtures_has_scores_and_who_decided_them(
    staff: Client, duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(8))
    first, second, third, fourth = one.fixtures.with_sides().filter(round__number=1)
    assert first.home
    play(first, first.home.captain, score=(3, 1))
    boss = user_of(olga)
    decisions.decide(second.pk, Fixture.Result.HOME, by=boss, reason="No show.", now=START)
    play(third, None)
    found = rows(staff)
    home_first = date_of(first).proposer == first.home.captain
    assert found[first.number] == ("3–1" if home_first else "1–3", "played")
    assert found[second.number][1] in {"staff: olga", "forfeit"}
    assert found[third.number] == ("½–½", "played")
    assert found[fourth.number] == ("not played", "")
    not_played = rows(staff, played="no")
    assert {first.number, second.number, third.number}.isdisjoint(not_played)
    assert set(not_played) | set(rows(staff, played="yes")) == set(rows(staff))
    page = words(staff.get(reverse("admin:league_fixture_change", args=[first.pk])))
    assert found[first.number][0] in page
    assert "played" in page


@pytest.mark.parametrize("state", ["void", "called off"])
def test_what_does_not_count_is_not_played(
    staff: Client, duel: Arena, olga: Player, state: str
) -> None:
    one = begun(duel, olga, crowd(4))
    fixture = one.fixtures.with_sides().filter(round__number=1)[0]
    assert fixture.home
    if state == "void":
        match = play(fixture, fixture.home.captain)
        Match.objects.filter(pk=match.pk).update(status="void", rated_order=None)
    else:
        Arrangement.objects.filter(pk=date_of(fixture).pk).update(
            state=Arrangement.State.CALLED_OFF, claimed_by=None
        )
    assert rows(staff, played="no")[fixture.number] == ("not played", "")
    assert fixture.number not in rows(staff, played="yes")


def test_the_filter_and_the_column_agree(staff: Client, duel: Arena, olga: Player) -> None:
    """A bracket has fixtures to come, byes and decided ones; each is in one list at most."""
    begun(duel, olga, crowd(5), "single")
    assert {result for result, _by in rows(staff, played="no").values()} == {"not played"}
    assert "not played" not in {result for result, _by in rows(staff, played="yes").values()}
    assert rows(staff, played="x") == rows(staff)


def test_more_fixtures_take_no_more_statements(staff: Client, duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(8))
    first, *others = one.fixtures.with_sides().filter(round__number=1)
    counts = []
    for fixtures in ([first], others):
        for fixture in fixtures:
            assert fixture.home
            play(fixture, fixture.home.captain)
        staff.get(LIST)
        with CaptureQueriesContext(connection) as found:
            assert staff.get(LIST).status_code == 200
        counts.append(len(found))
    assert counts[0] == counts[1]


@pytest.mark.parametrize(
    ("format_", "wanted"),
    [
        ("table", {"Round 1", "Round 2", "Round 3"}),
        ("single", {"Semi-finals", "Final"}),
    ],
)
def test_rounds_are_called_as_on_the_public_pages(
    staff: Client, duel: Arena, olga: Player, format_: str, wanted: set[str]
) -> None:
    begun(duel, olga, crowd(4), format_)
    shown = staff.get(LIST).context["cl"]
    assert {shown.model_admin.round_name(one) for one in shown.result_list} == wanted
