"""The league's queues with the matcher ``laurel``: fair by the odds that players are shown."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING, cast

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import ArenaQueue, Player, PointTotal, Proposal, Rating, Ticket, TicketMember
from league.services.queue.fair_odds import ShownOdds
from league.services.queue.pairing import run_again, tick
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.rating.forecasts import forecasts as rating_forecasts
from league.services.rating.forecasts import rating_rows
from league.services.results.live import StartingSide, start
from matchmaking import ticket as engine
from matchmaking.prediction import TeamFigures, odds_of_victory, predict
from matchmaking.tick import Match
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY, crowd, everyone_is_there, rated

if TYPE_CHECKING:
    from league.models import Arena, Season

pytestmark = pytest.mark.django_db


def uses_laurel(queue: ArenaQueue, **rules: object) -> None:
    """Make the queue use the Laurel matcher, at any cost unless ``rules`` say otherwise."""
    queue.matcher = ArenaQueue.Matcher.LAUREL
    queue.rules = {"queue": ANYBODY, "laurel": {"asking": -1e6, **rules}}
    queue.full_clean()
    queue.save()


def pair_of(proposal: Proposal) -> frozenset[str]:
    """Return the proposed pairings of teams of one."""
    return frozenset(ticket.captain.name for ticket in proposal.tickets.all())


def test_laurel_refuses_a_match_with_a_certain_winner(queue: ArenaQueue, teams: Arena) -> None:
    uses_laurel(queue, fairness=0.1)
    strong, *others = crowd(4)
    rated(strong, teams, 2400)
    for player in others:
        rated(player, teams, 1500)
    for player in (strong, *others):
        join(teams, player, [], now=NOW)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=2), seed=1))
    assert made.matches == 0
    uses_laurel(queue, fairness=0.5)
    assert (made := tick(teams.pk, now=NOW + timedelta(hours=3), seed=1))
    assert made.matches == 1


def meet(arena: Arena, one: Player, other: Player) -> None:
    match = start(arena, [StartingSide(one, [one]), StartingSide(other, [other])], now=NOW)
    match.participants.update(live=False)


def test_laurel_avoids_rematches(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    meet(duel, bob, dora)
    for player, rating in ((alice, 1500), (charlie, 1501), (bob, 1510), (dora, 1511)):
        rated(player, duel, rating)
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 2
    again = {frozenset(("Alice", "Charlie")), frozenset(("Bob", "Dora"))}
    assert not again & {pair_of(proposal) for proposal in Proposal.objects.all()}
    assert run_again(made) == made.found


def test_laurel_allows_a_rematch_when_nobody_else_waits(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    queue = ArenaQueue.objects.create(arena=duel)
    uses_laurel(queue)
    meet(duel, alice, charlie)
    for player in (alice, charlie):
        join(duel, player, [], now=NOW)
    assert (made := tick(duel.pk, now=NOW + timedelta(minutes=1), seed=1))
    assert made.proposed == 1


def test_laurel_promises_the_odds_that_the_ready_check_shows(teams: Arena) -> None:
    """Two newcomers' friends: their ratings less their deviations are equal, but not their odds."""
    ArenaQueue.objects.create(arena=teams, matcher="laurel", rules={"queue": ANYBODY})
    season = teams.current_season(NOW)
    assert season
    players = crowd(4)
    uncertain, certain = players[:2], players[2:]
    for pair, rating, deviation in ((uncertain, 1800, 330), (certain, 1500, 30)):
        for player in pair:
            Rating.objects.create(
                season=season,
                player=player,
                rating=rating,
                deviation=deviation,
                volatility=0.06,
                games=10,
                last_played_at=NOW,
            )
    join(teams, uncertain[0], uncertain[1:], now=NOW)
    join(teams, certain[0], certain[1:], now=NOW)
    everyone_is_there()
    later = NOW + timedelta(hours=1)
    assert (made := tick(teams.pk, now=later, seed=1))
    assert made.matches == 0
    Ticket.objects.waiting().update(state="left", closed_at=later)
    TicketMember.objects.update(open=False)
    for player in players:
        join(teams, player, [], now=NOW)
    even_later = later + timedelta(hours=1)
    assert (made := tick(teams.pk, now=even_later, seed=1))
    (proposal,) = Proposal.objects.all()
    assert proposal.forecast is not None
    assert abs(proposal.forecast - 0.5) <= 0.1
    Rating.objects.filter(player__in=uncertain[:1]).update(rating=2500)
    assert run_again(made) == made.found, "the tick has kept the verdicts of its forecast"


@pytest.mark.parametrize("published", [False, True])
def test_the_promised_odds_are_the_stored_ones(
    published: bool, teams: Arena, queue: ArenaQueue
) -> None:
    """Random pairs, solos and ratings: what the matcher asks is what is stored with the match."""
    if published:
        weights = {"rating_weight": 3, "rank_weight": 1, "roster_weight": 1, "ladder_weight": 2}
        queue.prediction = {"rating_spread": 900, **weights}
        queue.save()
    season = teams.current_season(NOW)
    assert season
    generator = Random(1)  # noqa: S311 - generated ratings keep no secrets
    players = crowd(12)
    Rating.objects.bulk_create(
        Rating(
            season=season,
            player=player,
            rating=generator.gauss(1500, 300),
            deviation=generator.uniform(30, 300),
            volatility=0.06,
            games=generator.randint(1, 60),
            last_played_at=NOW,
        )
        for player in players[:-1]
    )
    PointTotal.objects.bulk_create(
        PointTotal(season=season, player=player, points=3 * number, matches=1, wins=0, listed=True)
        for number, player in enumerate(players[2:])
    )
    join(teams, players[0], [players[1]], now=NOW)
    for player in players[2:]:
        join(teams, player, [], now=NOW)
    everyone_is_there()
    waiting = take_snapshot(season, queue.matching(), NOW)
    arrays, states = waiting.queue(), waiting.states
    assert states is not None
    tickets = np.array([[0, 1, 2], [0, 5, 9], [0, 10, 3]])
    first = np.array([[True, False, False]] * 3)
    odds = ShownOdds(queue, season, arrays, states, queue.matching(), NOW)
    matches = [Match((0,), (1, 2)), Match((0,), (5, 9)), Match((0,), (10, 3))]
    stored = odds.of(matches)
    assert odds(tickets, first).tolist() == stored
    assert len(set(stored)) == 3
    assert len(odds.verdicts) == 3
    found = [
        [[waiting.tickets[each] for each in team] for team in (match.team1, match.team2)]
        for match in matches
    ]
    assert stored == pytest.approx([expected(queue, season, match) for match in found])


def test_a_tick_reads_the_ratings_once_for_its_matcher_and_its_odds(
    queue: ArenaQueue, teams: Arena
) -> None:
    uses_laurel(queue)
    for number, player in enumerate(crowd(4)):
        rated(player, teams, 1500 + number)
        join(teams, player, [], now=NOW)
    with CaptureQueriesContext(connection) as statements:
        assert (made := tick(teams.pk, now=NOW, seed=1))
    assert made.proposed == 1
    assert Proposal.objects.get().forecast is not None
    assert sum("league_rating" in each["sql"] for each in statements) == 1


def expected(queue: ArenaQueue, season: Season, match: list[list[engine.Ticket]]) -> float:
    """Return the first team's chance, by the ratings stored or by the queue's prediction."""
    players = [[player for ticket in team for player in ticket.players] for team in match]
    ids = [[cast("int", player.id) for player in team] for team in players]
    if not (rules := queue.prediction_rules()):
        (chances,) = rating_forecasts(season, [ids], rating_rows(season, {*ids[0], *ids[1]}), NOW)
        assert chances
        return chances[0]
    points = dict(PointTotal.objects.values_list("player", "points"))
    red, blue = (
        TeamFigures(
            ladder=fmean(points.get(number, 0) for number in theirs),
            rank=fmean(player.rank for player in team),
            rating=fmean(player.rating - player.deviation for player in team),
            roster=max(len(ticket.players) for ticket in tickets),
        )
        for tickets, team, theirs in zip(match, players, ids, strict=True)
    )
    return float(odds_of_victory(predict(red, blue, rules), "red"))
