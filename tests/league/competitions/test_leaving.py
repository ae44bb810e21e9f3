"""Competitions that some or all entrants leave: all of them end, and their pages open."""

import logging
from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import decisions, progress
from league.services.competitions.running import swiss_rounds, withdrawing
from league.services.core.errors import Conflict
from tests.support.competition_steps import START, begun, crowd
from tests.support.effort import LONG
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)
FIELD = 6 if LONG else 5
LEFT = range(FIELD + 1) if LONG else (0, 1, 3)
ROUNDS = (0, 1) if LONG else (1,)


def decide_round(one: Competition, olga: Player, week: int) -> None:
    """Let the side at home win everything that is to be played."""
    now = START + week * WEEK
    progress.sweep(now)
    open_ = one.fixtures.with_sides().filter(result=Fixture.Result.OPEN, home__isnull=False)
    for fixture in open_.filter(away__isnull=False, round__opened_at__isnull=False):
        decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Test.", now=now)
    progress.sweep(now)


def check_pages(one: Competition, client: Client) -> None:
    """Open what people and staff see of a competition."""
    for address in (
        one.get_absolute_url(),
        reverse("competition_file", args=[one.season.arena.slug, one.pk, "schedule", "csv"]),
        reverse("competition_calendar", args=[one.season.arena.slug, one.pk]),
        reverse("api:competition", args=[one.pk]),
        reverse("api:fixtures", args=[one.pk]),
        reverse("admin:league_competition_change", args=[one.pk]),
    ):
        assert client.get(address).status_code == 200, address
    # Without a round to draw, it leads back with the reason.
    pairing = client.get(reverse("admin:league_competition_pair", args=[one.pk]), follow=True)
    assert pairing.status_code == 200


@pytest.mark.parametrize("rounds_before", ROUNDS)
@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("format_", [*Competition.Format])
def test_a_competition_ends_whoever_is_left(
    format_: str,
    left: int,
    rounds_before: int,
    duel: Arena,
    olga: Player,
    client: Client,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.WARNING, logger="league")
    client.force_login(user_of(olga))
    one = begun(duel, olga, crowd(FIELD), format_, play={"groups": 2})
    for week in range(rounds_before):
        decide_round(one, olga, week)
    for entrant in one.entrants.with_people().order_by("-seed")[: FIELD - left]:
        now = START + rounds_before * WEEK
        withdrawing.withdraw(one.pk, by=entrant.captain, now=now)
    check_pages(one, client)
    for week in range(rounds_before, 14):
        decide_round(one, olga, week)
    one.refresh_from_db()
    assert one.state == Competition.State.OVER
    check_pages(one, client)
    assert not [each for each in caplog.records if each.levelno >= logging.ERROR]


def test_the_next_round_says_that_nobody_is_left(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(4), "swiss")
    decide_round(one, olga, 0)
    for entrant in one.entrants.with_people():
        withdrawing.withdraw(one.pk, by=entrant.captain, now=START)
    with pytest.raises(Conflict, match="Fewer than two entrants are left"):
        swiss_rounds.preview(one)
    assert progress.sweep(START + WEEK)
    one.refresh_from_db()
    assert (one.state, one.rounds.count()) == (Competition.State.OVER, 1)
