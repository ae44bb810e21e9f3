"""A match has one forecast: its players read it, and ladder points go by it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.management import call_command
from django.test import Client

from league.models import (
    Arena,
    ArenaQueue,
    Match,
    Player,
    PointEntry,
    PointTotal,
    Proposal,
    Rating,
    Season,
)
from league.services.integrity.points import differences
from league.services.integrity.ratings import verify
from league.services.queue.queueing import join
from league.services.queue.ready_checks import accept
from league.services.queue.ticks import tick
from league.services.results.forecasts.stakes import own_stakes
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, finish
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, arena, beats, side
from tests.support.correction_steps import correct
from tests.support.point_steps import give, plays, superuser, with_points

RULES = {"laurel": {"asking": -1e6, "fairness": 0.5}, "queue": {"rating_max": 1e6}}
BY_RANK = {"rank_weight": 1.0, "rank_spread": 40.0}


@pytest.fixture
def ladder(db: None) -> Arena:
    """An arena of duels with ladder points."""
    made = with_points()
    made.team_size_max = 1
    made.save()
    return made


def queue_of(arena: Arena, prediction: dict[str, float] | None = None) -> ArenaQueue:
    return ArenaQueue.objects.create(arena=arena, rules=RULES, prediction=prediction)


def rated(season: Season, player: Player, rating: float, games: int) -> None:
    Rating.objects.create(
        season=season,
        player=player,
        rating=rating,
        deviation=30,
        volatility=0.06,
        games=games,
        last_played_at=NOW - timedelta(days=1),
    )


def started(arena: Arena, *players: Player) -> Match:
    """Let these players meet in the queue and accept their match."""
    for player in players:
        join(arena, player, [], now=NOW)
    made = tick(arena.pk, now=NOW, seed=1)
    assert made
    proposal = Proposal.objects.get(state="open")
    for player in players:
        accept(proposal.pk, by=player, now=NOW)
    return Match.objects.get(proposal=proposal)


def won(match: Match, winner: Player, loser: Player, now: Any = NOW) -> Match:
    """Report and confirm the result of a live match."""
    first = match.sides.get(index=0).captain == winner
    finishes = [Finish(0), Finish(1)] if first else [Finish(1), Finish(0)]
    finish(match.pk, finishes, reporter=winner, now=now)
    return confirm(match.pk, by=loser, now=now)


def odds_of(match: Match) -> dict[str, float]:
    """Return each participant's odds in the ledger of points."""
    return dict(PointEntry.objects.filter(match=match).values_list("player__name", "odds"))


def read_by(player: Player, match: Match) -> dict[str, str]:
    """Return the chances on a match's page."""
    browser = Client()
    browser.force_login(player.user)  # type: ignore[arg-type] # everybody here has an account
    page = browser.get(match.get_absolute_url()).content.decode()
    words = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))
    found = re.search(r"Expected result : (\w+) ([\d.]+ %) , (\w+) ([\d.]+ %)", words)
    assert found, words
    return {found[1]: found[2], found[3]: found[4]}


def test_the_ready_check_and_the_points_go_by_the_same_forecast(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    queue_of(ladder, BY_RANK)
    rated(season, alice, 1900, games=10)
    rated(season, bob, 1400, games=10)
    match = started(ladder, alice, bob)
    # Ratings make Alice a clear favourite. The prediction looks at ranks, and these are equal.
    assert Proposal.objects.get().forecast == 0.5
    assert match.forecast == [0.5, 0.5]
    won(match, alice, bob)
    assert odds_of(match) == {"Alice": 0.5, "Bob": 0.5}
    assert read_by(alice, match) == {
        "Alice": "50 %",
        "Bob": "50 %",
    }
    assert differences(season) == []


def test_every_forecast_counts_the_ranks_of_the_queue(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    """The ready check, what is said to be at stake, and the result of a reported match."""
    queue = queue_of(ladder, BY_RANK)
    queue.rank_source = ArenaQueue.RankSource.LEVEL
    queue.save()
    for player, level in ((alice, 30), (bob, 20)):
        player.level = level
        player.save()
    match = started(ladder, alice, bob)
    shown = {one.captain.name: chance for one, chance in in_order(match)}
    assert shown == {"Alice": 0.625, "Bob": 0.375}
    won(match, alice, bob)
    (promised,) = own_stakes(ladder.seasons.get(), alice, [bob], NOW)
    assert promised
    assert promised.chance == 0.625
    reported = beats(alice, bob, ladder)
    confirm(reported.pk, by=bob, now=NOW)
    reported.refresh_from_db()
    assert reported.forecast == [0.625, 0.375]


def test_a_forecast_from_ratings_stays_although_they_move_before_the_result(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    queue_of(ladder)
    rated(season, alice, 1600, games=10)
    rated(season, bob, 1500, games=10)
    match = started(ladder, alice, bob)
    first = match.sides.get(index=0).captain
    chance = Proposal.objects.get().forecast
    assert chance is not None
    assert (chance > 0.5) == (first == alice)
    Rating.objects.filter(player=alice).update(rating=1300)
    won(match, alice, bob)
    match.refresh_from_db()
    assert match.forecast == [chance, 1 - chance]
    assert odds_of(match)[first.name] == chance
    assert differences(season) == []


def test_a_reported_match_gets_its_forecast_when_it_is_settled(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    queue_of(ladder, BY_RANK)
    rated(season, alice, 1500, games=30)
    rated(season, bob, 1500, games=20)
    match = beats(alice, bob, ladder)
    assert match.forecast is None
    confirm(match.pk, by=bob, now=NOW)
    match.refresh_from_db()
    # Ten matches of forty are a quarter of the way from even odds to certainty.
    assert match.forecast == [0.625, 0.375]
    assert odds_of(match) == {"Alice": 0.625, "Bob": 0.375}
    assert read_by(bob, match) == {
        "Alice": "62.5 %",
        "Bob": "37.5 %",
    }
    assert differences(season) == []


def test_a_reported_match_without_rules_of_prediction_is_forecast_from_ratings(
    alice: Player, bob: Player
) -> None:
    place = arena("plain", rating_system="elo")
    confirm(beats(alice, bob, place).pk, by=bob, now=NOW)
    match = confirm(beats(alice, bob, place, now=NOW + timedelta(days=2)).pk, by=bob, now=NOW)
    assert match.forecast is not None
    first, second = match.forecast
    assert first == pytest.approx(1 / (1 + 10 ** (-32 / 400)))
    assert first + second == pytest.approx(1)


def test_ladder_points_of_the_season_count_in_the_prediction(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    season = ladder.seasons.get()
    queue_of(ladder, {"ladder_weight": 1.0, "ladder_spread": 30.0})
    give(season, {alice: (16, 8), bob: (1, 8)})
    match = started(ladder, alice, bob)
    # Half of the spread is half of the way from even odds to certainty.
    chances = {one.captain.name: chance for one, chance in in_order(match)}
    assert chances == {"Alice": 0.75, "Bob": 0.25}
    won(match, alice, bob)
    assert odds_of(match) == chances
    points = dict(PointTotal.objects.values_list("player__name", "points"))
    later = beats(bob, alice, ladder)
    confirm(later.pk, by=alice, now=NOW)
    lead = points["Alice"] - points["Bob"]
    assert lead == 17
    assert odds_of(later)["Alice"] == pytest.approx(0.5 + lead / 60)


def in_order(match: Match) -> list[tuple[Any, float]]:
    assert match.forecast
    sides = match.sides.select_related("captain").order_by("index")
    return list(zip(sides, match.forecast, strict=True))


def test_points_stay_the_same_when_an_earlier_result_is_corrected(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    season = ladder.seasons.get()
    wrong = plays(ladder, side(alice, place=0, score=5), side(charlie, place=1, score=0))
    later = plays(ladder, side(alice, place=0, score=5), side(bob, place=1, score=4))
    before = odds_of(later)
    assert before["Alice"] > 0.5
    correct(wrong, superuser())
    later.refresh_from_db()
    assert odds_of(later) == before
    assert later.forecast == [before["Alice"], before["Bob"]]
    assert PointEntry.ever.filter(match=later).count() == 2
    assert differences(season) == []
    assert verify(season) == []
    call_command("verify_ratings", arena=ladder.slug)


def test_points_of_a_match_without_a_forecast_follow_the_ratings(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    """Such matches were rated by an earlier release, or imported."""
    season = ladder.seasons.get()
    wrong = plays(ladder, side(alice, place=0, score=5), side(charlie, place=1, score=0))
    later = plays(ladder, side(alice, place=0, score=5), side(bob, place=1, score=4))
    Match.objects.filter(season=season).update(forecast=None)
    assert differences(season) == []
    correct(wrong, superuser())
    assert odds_of(later) == {"Alice": 0.5, "Bob": 0.5}
    assert differences(season) == []


def test_a_wrong_forecast_is_found(ladder: Arena, alice: Player, bob: Player) -> None:
    match = plays(ladder, side(alice, place=0), side(bob, place=1))
    Match.objects.filter(pk=match.pk).update(forecast=[0.9, 0.1])
    assert len(differences(ladder.seasons.get())) == 4


def test_a_free_for_all_has_a_chance_for_each_side(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = [side(player, place=place) for place, player in enumerate((alice, bob, charlie))]
    match = report(melee, sides, reporter=alice, played_at=NOW, now=NOW)
    for player in (bob, charlie):
        if match.status != "rated":
            match = confirm(match.pk, by=player, now=NOW)
    match.refresh_from_db()
    assert match.forecast == pytest.approx([1 / 3] * 3)
