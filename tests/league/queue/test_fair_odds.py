"""The odds that a matcher promises are those of the ready check."""

from __future__ import annotations

from datetime import timedelta
from random import Random
from statistics import fmean
from typing import TYPE_CHECKING

import numpy as np
import pytest

from league.models import ArenaQueue, PointTotal, Proposal, Rating, Season, Ticket, TicketMember
from league.services.queue import statistics
from league.services.queue.fair_odds import ShownOdds
from league.services.queue.queueing import join
from league.services.queue.snapshots import take_snapshot
from league.services.queue.ticks import run_again, tick
from league.services.rating.forecasts import COLUMNS, forecasts, newcomer_row
from matchmaking.prediction import PredictionRules, TeamFigures, odds_of_victory, predict
from matchmaking.tick import Match
from tests.support.cast import NOW
from tests.support.queue_steps import ANYBODY, crowd, everyone_is_there

if TYPE_CHECKING:
    from collections.abc import Sequence

    from league.models import Arena
    from matchmaking.ticket import Ticket as Waiting

    Team = Sequence[Waiting]


WEIGHTS = {"rating_weight": 3, "rank_weight": 1, "roster_weight": 1, "ladder_weight": 2}


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
def test_the_promised_odds_are_the_stored_ones(published: bool, teams: Arena) -> None:
    """Random pairs, solos and ratings: what the matcher asks is what is stored with the match."""
    prediction = {"rating_spread": 900, **WEIGHTS} if published else None
    queue = ArenaQueue.objects.create(arena=teams, prediction=prediction)
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
    assert waiting.states is not None
    odds = ShownOdds(queue, season, waiting.queue(), waiting.states, queue.matching(), NOW)
    tickets = np.array([[0, 1, 2], [0, 5, 9], [0, 10, 3]])
    promised = odds(tickets, np.array([[True, False, False]] * 3)).tolist()
    # Between them a match of another shape: those of one shape are computed together.
    found = [Match((0,), (1, 2)), Match((4,), (6,)), Match((0,), (5, 9)), Match((0,), (10, 3))]
    stored = odds.of(found)
    assert [stored[0], *stored[2:]] == promised
    assert len(odds.verdicts) == 3  # what the matcher asked, so that it can be run again
    matches = [
        [[waiting.tickets[each] for each in team] for team in (match.team1, match.team2)]
        for match in found
    ]
    rules = queue.prediction_rules()
    by_hand = published_odds(rules, season, matches) if rules else rated_odds(season, matches)
    assert stored == pytest.approx(by_hand)
    assert len(set(stored)) == 4


def published_odds(
    rules: PredictionRules, season: Season, matches: Sequence[Sequence[Team]]
) -> list[float]:
    """Return the first teams' chances by the published prediction, one match after the other."""
    points = dict(PointTotal.objects.filter(season=season).values_list("player", "points"))

    def figures(team: Team) -> TeamFigures:
        players = [player for ticket in team for player in ticket.players]
        return TeamFigures(
            ladder=fmean(points.get(int(str(player.id)), 0) for player in players),
            rank=fmean(player.rank for player in players),
            rating=fmean(player.rating - player.deviation for player in players),
            roster=max(len(ticket.players) for ticket in team),
        )

    return [
        float(odds_of_victory(predict(figures(red), figures(blue), rules), "red"))
        for red, blue in matches
    ]


def rated_odds(season: Season, matches: Sequence[Sequence[Team]]) -> list[float]:
    """Return the first teams' chances by their players' ratings."""
    line_ups = [
        [[int(str(player.id)) for ticket in team for player in ticket.players] for team in teams]
        for teams in matches
    ]
    rated = Rating.objects.filter(season=season).values_list("player", *COLUMNS)
    fresh = newcomer_row(season.system(), season)
    held = {player: fresh for teams in line_ups for team in teams for player in team}
    held |= {player: (0, *state) for player, *state in rated}
    return [chances[0] for chances in forecasts(season, line_ups, held, NOW) if chances]


@pytest.mark.parametrize(
    ("system", "apart", "meet"),
    [("wager", 0.3, False), ("wager", 0.07, True), ("fermi", 0.3, False), ("fermi", 0.1, True)],
)
def test_ranges_are_on_the_scale_of_the_rating_system(
    system: str, apart: float, meet: bool, teams: Arena
) -> None:
    """At first, 25 points of chess: a rank of 0.08 with wager, a rating of 0.14 with Fermi."""
    Season.objects.filter(arena=teams).update(rating_system=system, rating_parameters={})
    teams.team_size_min = teams.team_size_max = 1
    teams.save()
    rules = {"queue": {**ANYBODY, "rating_min": 25}}
    its_queue = ArenaQueue.objects.create(arena=teams, matcher="new", rules=rules)
    season = teams.current_season(NOW)
    assert season
    for number, player in enumerate(crowd(2)):
        Rating.objects.create(season=season, player=player, rating=1 + number * apart, games=1)
        join(teams, player, [], now=NOW)
    everyone_is_there()
    assert (made := tick(teams.pk, now=NOW + timedelta(seconds=1), seed=1))
    assert made.matches == int(meet)
    width = statistics.window(its_queue.matching_in(season), 0.0)
    assert width == pytest.approx(25 * season.system().scale)
    assert run_again(made) == made.found
