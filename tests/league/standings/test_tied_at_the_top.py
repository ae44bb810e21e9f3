"""Players tied at the top have percentile 100 and the highest division, wherever it is shown."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from league.models import FinalStanding
from league.services.integrity.standings import differences
from league.services.results.staff.entering import enter
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_season
from league.services.standings.leaderboards import leaderboard
from league.services.standings.percentiles import percentiles_of
from league.services.standings.player_standings import player_standings
from tests.support.cast import NOW, account, arena, put_in_order, side

if TYPE_CHECKING:
    from league.models import Player

pytestmark = pytest.mark.django_db


def test_six_winners_of_a_wager_match_have_percentile_100_and_the_highest_division(
    olga: Player,
) -> None:
    """The winners of a team match share one rating, as they do in most matches of wager teams."""
    club = arena("club", rating_system="wager", team_size_min=6, team_size_max=6)
    players = [account(f"player{number}") for number in range(12)]
    assert olga.user
    winners, losers = players[:6], players[6:]
    enter(
        club,
        [side(*winners, place=0), side(*losers, place=1)],
        by=olga.user,
        reason="Played on the spot",
        played_at=NOW - timedelta(hours=1),
        now=NOW,
    )
    put_in_order()
    season = club.seasons.get()
    first = {player.pk for player in winners}
    rows = leaderboard(season, now=NOW).rows
    assert {row.player_id for row in rows if row.rank == 1} == first
    assert {row.percentile for row in rows if row.rank == 1} == {100}
    assert {row.percentile for row in rows if row.rank != 1} == {1}
    assert {row.division.name for row in rows if row.rank == 1 and row.division} == {"Master"}
    for player in winners:  # the player's own page computes it from their neighbours
        mine = player_standings(player.pk, [season.pk])[season.pk]
        assert mine.position
        assert mine.board.percentile(mine.position) == 100
    found = percentiles_of(season, [player.pk for player in players])
    assert {player for player, percentile in found.items() if percentile == 100} == first
    assert differences(season, NOW) == []

    open_season(club, starts_at=NOW + timedelta(days=1))
    assert freeze(season.pk, now=NOW + timedelta(days=30))
    kept = FinalStanding.objects.filter(season=season, rank=1)
    assert {one.player_id for one in kept} == first
    assert {(one.percentile, one.division) for one in kept} == {(100, "Master")}
