"""Players tied at the top have percentile 100 and the highest division, wherever it is shown."""

import re
from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, FinalStanding, Player, Rating
from league.services.integrity.standings import differences
from league.services.results.records.profiles import seasons_played
from league.services.results.staff.entering import enter
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_season
from league.services.standings.leaderboard_rows import LeaderboardRow
from league.services.standings.leaderboards import leaderboard
from league.services.standings.percentiles import percentiles_of
from league.services.standings.player_standings import player_standings
from league.web.sharing.cards import of_player
from tests.support.cast import NOW, account, arena, put_in_order, side
from tests.support.web_steps import words


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


@pytest.mark.parametrize("count", [1, 2, 3, 14, 99, 100, 137])
def test_every_page_says_the_same_percentile_and_tied_players_have_the_same(
    duel: Arena, count: int
) -> None:
    """Counted here by those who are strictly worse, as the source has it: 100 is the highest."""
    season = duel.seasons.get()
    rng = np.random.default_rng(count)
    ratings = rng.integers(0, max(count // 2, 1), count) * 10.0
    players = Player.objects.bulk_create(
        Player(name=f"P{number:03}", folded_name=f"p{number:03}") for number in range(count)
    )
    Rating.objects.bulk_create(
        Rating(season=season, player=player, rating=rating, games=3, last_played_at=NOW)
        for player, rating in zip(players, ratings, strict=True)
    )
    put_in_order()

    def wanted(rating: float) -> int:
        worse = sum(other < rating for other in ratings)
        if rating == max(ratings):
            return 100
        return 1 + int(100 * worse // count if count >= 100 else 99 * worse // (count - 1))

    of = {
        player.pk: wanted(rating) for player, rating in zip(players, ratings.tolist(), strict=True)
    }
    rows = [
        row
        for page in range(1, 1 + -(-count // 50))
        for row in leaderboard(season, now=NOW, page=page).rows
    ]
    assert {row.player_id: row.percentile for row in rows} == of
    assert percentiles_of(season, list(of)) == of
    board = Client().get(reverse("leaderboard", args=["duel"])).content.decode()
    shown = re.findall(r'id="p(\d+)".*?<span class="badge">(\d+)</span>', board, re.DOTALL)
    assert {int(player): int(percentile) for player, percentile in shown} == {
        row.player_id: of[row.player_id] for row in rows[:50]
    }
    for player in (players[0], players[-1]):
        page = words(Client().get(player.get_absolute_url()))
        assert f"percentile {of[player.pk]} of 100" in page.lower()
        assert f"Rank {rank_of(rows, player)} · percentile {of[player.pk]} of 100" in (
            of_player(player, seasons_played(player)[0], NOW).lines
        )
        assert not re.search(r"top \d+ ?%", page + board)


def rank_of(rows: list[LeaderboardRow], player: Player) -> int | None:
    return next(row.rank for row in rows if row.player_id == player.pk)
