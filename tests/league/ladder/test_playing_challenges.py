"""Accepted challenges: started or reported by their date, or lapsed."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import pytest

from league.models import Challenge, Match, Player, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.ladder import challenges, playing
from league.services.ladder.challenges import accept, challenge
from league.services.ladder.deadlines import sweep
from league.services.results import live
from league.services.results.answers import confirm
from league.services.results.live import Finish
from tests.league.ladder.test_challenges import ladder_of, ranks
from tests.support.cast import NOW, side
from tests.support.concurrency import all_at_once

if TYPE_CHECKING:
    from datetime import datetime

pytestmark = pytest.mark.django_db


def test_a_challenge_starts_once_both_players_are_free_and_is_void_if_not_reported() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    sides = [live.StartingSide(player, [player]) for player in (alice, charlie)]
    busy = live.start(ladder, sides, now=NOW)
    made = accept(challenge(ladder, alice, by=bob, now=NOW).pk, by=alice, now=NOW)
    assert made.match is None
    with pytest.raises(Conflict, match="Alice is in a live match"):
        playing.start(made.pk, by=bob, now=NOW)
    live.finish(busy.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    assert sweep(NOW) == 0
    with pytest.raises(Forbidden):
        playing.start(made.pk, by=dora, now=NOW)
    playing.start(made.pk, by=bob, now=NOW)
    for play in (playing.start, challenges.accept):
        with pytest.raises(Conflict):
            play(made.pk, by=alice, now=NOW)
    made.refresh_from_db()
    assert made.match is not None
    assert sweep(NOW + timedelta(days=6)) == 0
    assert sweep(NOW + timedelta(days=8)) == 1
    made.refresh_from_db()
    assert made.state == Challenge.State.LAPSED
    assert made.match.status == Status.VOID
    live.start(ladder, sides, now=NOW)  # both are free again
    assert ranks(ladder) == {"Alice": 1, "Bob": 2, "Charlie": 3, "Dora": 4}


def test_an_accepted_challenge_that_nobody_plays_lapses_at_no_cost() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    made = accept(challenge(ladder, alice, by=bob, now=NOW).pk, by=alice, now=NOW)
    # Until then it counts as open, for both players and for the limits.
    with pytest.raises(Conflict, match="already a challenge between"):
        challenge(ladder, alice, by=bob, now=NOW)
    with pytest.raises(Conflict, match="already been challenged"):
        challenge(ladder, alice, by=dora, now=NOW)
    assert made.play_by is not None
    assert sweep(made.play_by - timedelta(seconds=1)) == 0
    for late in (partial(playing.start, made.pk, by=bob), partial(reported, made, bob, alice)):
        with pytest.raises(Conflict, match="run out"):
            late(now=made.play_by)
    assert sweep(made.play_by) == 1
    made.refresh_from_db()
    assert (made.state, made.match) == (Challenge.State.LAPSED, None)
    assert ranks(ladder) == {"Alice": 1, "Bob": 2, "Charlie": 3, "Dora": 4}
    challenge(ladder, alice, by=dora, now=made.play_by)
    del charlie


def reported(made: Challenge, winner: Player, loser: Player, now: datetime, **more: Any) -> Match:
    """The winner reports a challenge."""
    result = [side(winner, place=0), side(loser, place=1)]
    sent: dict[str, Any] = {"reporter": winner, "played_at": now, "now": now, **more}
    return playing.report(made.pk, result, **sent)


def test_an_accepted_challenge_can_be_reported_once_without_a_start() -> None:
    ladder, (alice, bob, charlie, dora) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    made = challenge(ladder, alice, by=dora, now=NOW)
    with pytest.raises(Conflict, match="waiting for an answer"):
        reported(made, dora, alice, NOW)
    accept(made.pk, by=alice, now=NOW)
    later = NOW + timedelta(hours=1)
    with pytest.raises(Forbidden):
        reported(made, dora, alice, later, reporter=bob)
    with pytest.raises(Refused, match="between Dora and Alice"):
        reported(made, dora, bob, later)
    with pytest.raises(Refused, match="accepted later"):
        reported(made, dora, alice, later, played_at=NOW - timedelta(minutes=1))
    token = uuid4()
    match = reported(made, dora, alice, later, client_token=token)
    assert reported(made, dora, alice, later, client_token=token) == match
    for again in (partial(reported, made, alice, dora), partial(playing.start, made.pk, by=dora)):
        with pytest.raises(Conflict, match="already begun"):
            again(now=later)
    assert sweep(NOW + timedelta(days=30)) == 0
    confirm(match.pk, by=alice, now=later)
    assert ranks(ladder) == {"Dora": 1, "Bob": 2, "Charlie": 3, "Alice": 4}
    with pytest.raises(Conflict, match="again in"):
        challenge(ladder, dora, by=alice, now=later)
    other = accept(challenge(ladder, bob, by=charlie, now=later).pk, by=bob, now=later)
    with pytest.raises(Conflict, match="another match"):
        reported(other, charlie, bob, later, client_token=token)


@pytest.mark.django_db(transaction=True)
def test_starts_reports_and_the_sweeper_at_once_leave_one_match() -> None:
    ladder, (alice, bob) = ladder_of(["Alice", "Bob"], season_rules={"challenges": {"rest": 0}})
    at = NOW
    for _round in range(4):
        made = accept(challenge(ladder, alice, by=bob, now=at).pk, by=alice, now=at)
        assert made.play_by is not None
        at = made.play_by - timedelta(seconds=1)
        given = all_at_once(
            [
                partial(playing.start, made.pk, by=bob, now=at),
                partial(reported, made, alice, bob, at),
                partial(sweep, made.play_by),
                partial(playing.start, made.pk, by=alice, now=at),
                partial(reported, made, alice, bob, at, reporter=bob),
            ]
        )
        assert sum(isinstance(answer, Match) for answer in given) <= 1
        at = made.play_by
        sweep(at)
        made.refresh_from_db()
        if made.match and made.match.status == Status.REPORTED:
            confirm(made.match.pk, by=bob if made.match.reported_by == alice else alice, now=at)
        assert not Match.objects.filter(status=Status.LIVE).exists()
    assert verify(ladder.seasons.get()) == []
