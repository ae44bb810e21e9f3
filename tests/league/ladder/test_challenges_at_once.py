"""Challenges that several people answer, start or report at the same moment."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from league.models import Challenge, Match, Rating, Status
from league.services.core.errors import Conflict
from league.services.integrity.ratings import verify
from league.services.ladder import playing
from league.services.ladder.challenges import accept, challenge
from league.services.ladder.deadlines import sweep
from league.services.results.reports import live
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish
from tests.support.cast import NOW, beats
from tests.support.challenge_steps import LATER, ladder_of, ranks, reported
from tests.support.concurrency import all_at_once

pytestmark = pytest.mark.django_db(transaction=True)


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


def test_several_challenges_to_a_player_at_once_leave_one() -> None:
    ladder, (alice, *others) = ladder_of(["Alice", *(f"Rung {number}" for number in range(1, 8))])
    asking: list[Callable[[], object]] = [
        partial(challenge, ladder, alice, by=other, now=NOW) for other in others
    ]
    answers = all_at_once(asking)
    assert sum(isinstance(answer, Challenge) for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == len(others) - 1


def test_an_answer_and_the_sweeper_at_once_leave_one_outcome() -> None:
    ladder, (alice, bob, *_others) = ladder_of(["Alice", "Bob", "Charlie", "Dora"])
    season = ladder.seasons.get()
    at = NOW
    for _round in range(6):
        first, second = Rating.objects.filter(season=season).order_by("rating")[:2]
        made = challenge(ladder, first.player, by=second.player, now=at)
        in_time, late = made.answer_by - timedelta(seconds=1), made.answer_by
        all_at_once(
            [partial(sweep, late), partial(accept, made.pk, by=first.player, now=in_time)] * 2
        )
        made.refresh_from_db()
        assert made.state in {Challenge.State.ACCEPTED, Challenge.State.IGNORED}
        assert made.is_agreed == (made.match is None)
        if made.is_agreed:
            match = playing.start(made.pk, by=second.player, now=late)
            live.finish(match.pk, [Finish(0), Finish(1)], reporter=second.player, now=late)
            confirm(match.pk, by=first.player, now=late)
        assert sorted(ranks(ladder).values()) == [1, 2, 3, 4]
        at = late + timedelta(days=2)
    assert verify(season) == []
    del alice, bob


def test_concurrent_forfeits_and_results_keep_ranks_unique() -> None:
    names = [f"Rung {number}" for number in range(1, 9)]
    ladder, players = ladder_of(
        names,
        rating_parameters={"ignored_challenge_cost": 3},
        season_rules={"challenges": {"received": 9}},
    )
    for above, below in zip(players[:4], players[4:], strict=True):
        challenge(ladder, above, by=below, now=NOW)
    results = [
        (beats(below, above, ladder), above)
        for above, below in zip(players[:4], players[4:], strict=True)
    ]
    all_at_once(
        [partial(sweep, LATER)] * 3
        + [partial(confirm, match.pk, by=loser, now=NOW) for match, loser in results]
    )
    sweep(LATER)
    assert sorted(ranks(ladder).values()) == list(range(1, 9))
    assert Match.objects.unplayed().count() >= 1
    assert not Challenge.objects.open().exists()
    assert verify(ladder.seasons.get()) == []
