"""Players need different opponents to be ranked: what accomplices can and cannot do."""

from collections import defaultdict
from datetime import timedelta
from itertools import combinations
from typing import cast

import numpy as np
import pytest
from django.db.models import F
from django.test import Client
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import Player, Rating, StandingConnections, User
from league.services.integrity.ratings import verify
from league.services.integrity.standings import differences, differing_connections
from league.services.standings import connections
from league.services.standings.leaderboards import player_row
from league.services.standings.outlook import outlook
from league.services.standings.rebuilding import rebuild
from league.services.standings.updating import update_pending
from ratings.seasons.connections import find_connections
from tests.support.correction_steps import correct
from tests.support.league_steps import League, honest, people
from tests.support.web_steps import words

HOUR, DAY = timedelta(hours=1), timedelta(days=1)


def test_a_hundred_agreed_wins_over_one_account_earn_no_rank() -> None:
    league = League(placement_matches=10)
    members = honest(league, 11)
    cheat, accomplice = people("Cheat", "Accomplice")
    for _ in range(100):
        league.wins(cheat, accomplice)
        league.now += 2 * HOUR
    assert set(league.ranked()) == {member.name for member in members}
    assert league.refused > 80
    assert verify(league.season) == []


def test_wins_over_sixty_fresh_accounts_earn_no_rank() -> None:
    league = League()
    members = honest(league, 5)
    (cheat,) = people("Cheat")
    for account_ in people(*(f"Fresh {number}" for number in range(60))):
        league.wins(cheat, account_)
    assert set(league.ranked()) == {member.name for member in members}
    assert league.refused == 0
    row = player_row(league.season, cheat, now=league.now)
    assert row is not None
    assert (row.rank, row.provisional) == (None, True)


def test_a_ring_of_six_accounts_that_feeds_one_earns_no_rank() -> None:
    league = League()
    members = honest(league, 8)
    ring = people(*(f"Ring {number}" for number in range(6)))
    league.play_each_other(ring, rounds=2)
    for other in ring[1:]:
        league.wins(ring[0], other)
    assert set(league.ranked()) == {member.name for member in members}


def test_a_cheat_who_beats_some_honest_players_gains_no_rank_for_the_accomplices() -> None:
    """Three accomplices hang on one player of the league, and have two opponents beside them."""
    league = League()
    members = honest(league, 8)
    cheat, one, two = people("Cheat", "One", "Two")
    league.play_each_other([cheat, one, two], rounds=2)
    for member in members[:4]:
        league.wins(member, cheat)
    assert set(league.ranked()) == {*(member.name for member in members), "Cheat"}


@pytest.mark.parametrize("friends", [3, 4, 8])
def test_few_friends_are_ranked(friends: int) -> None:
    league = League(placement_matches=2)
    members = honest(league, friends)
    assert set(league.ranked()) == {member.name for member in members}


def test_a_newcomer_reads_how_many_opponents_are_missing_and_is_then_ranked() -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    for _ in range(3):
        league.wins(newcomer, members[0])
    league.wins(newcomer, members[1])
    assert "Newcomer" not in league.ranked()
    row = player_row(league.season, newcomer, now=league.now)
    assert row is not None
    found = outlook(league.season, newcomer, row, now=league.now)
    assert (found.missing, found.opponents, found.opponents_met) == (0, 3, 2)
    page = words(Client().get(newcomer.get_absolute_url() + f"?season={league.season.pk}"))
    assert "play at least 3 different ranked players (2 so far)" in page
    board = words(Client().get(reverse("leaderboard", args=[league.arena.slug])))
    assert "Play at least 3 different ranked players" in board
    league.wins(members[2], newcomer)
    assert "Newcomer" in league.ranked()


def test_a_rank_goes_with_the_match_that_earned_it(olga: Player) -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    league.wins(newcomer, members[0])
    for member in members[:3]:
        league.wins(newcomer, member)
    assert "Newcomer" in league.ranked()
    last = league.arena.matches.rated().latest("rated_order")
    correct(last, cast("User", olga.user))
    assert "Newcomer" not in league.ranked()


def test_zero_opponents_turns_it_off() -> None:
    league = League(opponents=0)
    cheat, accomplice = people("Cheat", "Accomplice")
    for _ in range(3):
        league.wins(cheat, accomplice)
    assert league.ranked() == ["Cheat", "Accomplice"]
    assert not StandingConnections.objects.exists()


def test_a_rebuild_gives_the_same_standings() -> None:
    league = League()
    honest(league, 8)
    ring = people(*(f"Ring {number}" for number in range(4)))
    league.play_each_other(ring)
    before = league.ranked()
    assert rebuild(league.season, league.now) == len(before) == 8
    assert league.ranked() == before


def test_a_stored_connection_that_the_games_do_not_give_is_found() -> None:
    league = League()
    honest(league, 8)
    league.settle()
    ring = people("Ring")
    for _ in range(3):
        league.wins(ring[0], Player.objects.named("Honest 0").get())
    league.settle()
    Rating.objects.filter(player=ring[0]).update(connected=True)
    update_pending(league.now)
    StandingConnections.objects.update(computed=1_000, changed=1_000)
    assert "connection of player" in differences(league.season, league.now)[0]


def test_a_large_season_is_computed_less_often() -> None:
    league = League()
    players = honest(league, 8)
    league.settle()
    StandingConnections.objects.update(seconds=6)
    league.wins(players[0], players[1])
    update_pending(league.now)
    assert connections.refresh_due(league.now) == 0
    assert connections.refresh_due(league.now + timedelta(minutes=5)) == 1


@given(
    st.lists(
        st.lists(st.integers(0, 9), min_size=2, max_size=10, unique=True), min_size=1, max_size=12
    ),
    st.integers(1, 4),
)
def test_free_for_alls_connect_as_if_all_pairs_were_read(
    contests: list[list[int]], opponents: int
) -> None:
    rows = [
        (match, 100 * match + place, player)
        for match, contest in enumerate(contests)
        for place, player in enumerate(contest)
    ]
    few = connections.pairs_of(np.array(rows, np.int64).T, opponents)
    every = [pair for contest in contests for pair in combinations(contest, 2)]
    found = find_connections(10, few, opponents)
    right = find_connections(10, np.array(every, np.int64), opponents)
    assert found.needed == right.needed
    assert found.connected.tolist() == right.connected.tolist()


@given(
    st.lists(
        st.dictionaries(st.integers(0, 9), st.integers(0, 2), min_size=1, max_size=8), min_size=1
    )
)
def test_pairs_of_teams_are_those_on_different_sides(matches: list[dict[int, int]]) -> None:
    matches = [match | {10: 3, 11: 3} for match in matches]
    rows = [
        (number, 10 * number + side_, player)
        for number, match in enumerate(matches)
        for player, side_ in match.items()
    ]
    found: dict[frozenset[int], int] = defaultdict(int)
    for one, other in connections.pairs_of(np.array(rows, np.int64).T, 2).tolist():
        found[frozenset({one, other})] += 1
    right: dict[frozenset[int], int] = defaultdict(int)
    for match in matches:
        for one, other in combinations(match, 2):
            if match[one] != match[other]:
                right[frozenset({one, other})] += 1
    assert found == right


def test_matches_with_one_person_do_not_rank_anybody() -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    for other in [*members[:3], *[members[0]] * 5]:
        league.now += 17 * HOUR
        league.wins(newcomer, other)
    assert league.refused == 0
    assert "Newcomer" not in league.ranked()
    row = player_row(league.season, newcomer, now=league.now)
    assert row is not None
    found = outlook(league.season, newcomer, row, now=league.now)
    assert (found.share, found.supporting, found.matches) == (30, 2, 8)
    page = words(Client().get(newcomer.get_absolute_url() + f"?season={league.season.pk}"))
    assert "at least 30 % of your rated matches must be against different ranked players" in page
    assert "(2 of 8 so far)" in page
    for other in members[3:7]:
        league.wins(other, newcomer)
    assert "Newcomer" in league.ranked()


def test_wins_over_fresh_accounts_have_to_be_confirmed_before_a_rank() -> None:
    league = League()
    members = honest(league, 9)
    (cheat,) = people("Cheat")
    for account_ in people(*(f"Fresh {number}" for number in range(3))):
        league.wins(cheat, account_)
    league.play_each_other([cheat, *members[:3]])
    league.settle()
    row = player_row(league.season, cheat, now=league.now)
    assert row is not None
    found = outlook(league.season, cheat, row, now=league.now)
    assert (round(found.unconfirmed), round(found.kept)) == (40, 20)
    assert (found.confirming, found.supporting, found.share) == (15, 2, 0)
    page = words(Client().get(cheat.get_absolute_url() + f"?season={league.season.pk}"))
    assert "40 points won from players without a rank are unconfirmed" in page
    assert "have to bring them down to 20" in page
    assert "About 15 more matches are needed" in page
    board = words(Client().get(reverse("leaderboard", args=[league.arena.slug])))
    assert "At least 30 % of your matches must be against ranked players" in board
    assert "matches against ranked players have to confirm them" in board
    played = 0
    while "Cheat" not in league.ranked():
        assert connections.support_of(league.season, cheat.pk).unconfirmed > 20
        played += 1
        league.now += 25 * HOUR
        pair = (cheat, members[played % 9])
        league.wins(*(pair if played % 2 else pair[::-1]))
    assert connections.support_of(league.season, cheat.pk).unconfirmed <= 20
    assert abs(played - found.confirming) <= 4


def test_losses_to_players_without_a_rank_count_against_wins_over_them() -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    for number, account_ in enumerate(people(*(f"Fresh {number}" for number in range(6)))):
        pair = (newcomer, account_)
        league.wins(*(pair if number % 2 else pair[::-1]))
    for member in members[:3]:
        league.wins(member, newcomer)
    assert "Newcomer" not in league.ranked(), "the one met most is left out"
    league.wins(members[3], newcomer)
    assert "Newcomer" in league.ranked()


def test_no_points_have_to_be_confirmed_if_the_budget_is_off() -> None:
    league = League(fair_play={"same_opponents": 0})
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    for account_ in people(*(f"Fresh {number}" for number in range(3))):
        league.wins(newcomer, account_)
    for member in members[:4]:
        league.wins(newcomer, member)
    assert "Newcomer" in league.ranked()


def test_an_uncertain_newcomers_large_changes_are_confirmed_by_large_changes() -> None:
    league = League(system="glicko-2")
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    (fresh,) = people("Fresh")
    league.wins(newcomer, fresh)
    for member in members[:4]:
        league.wins(member, newcomer)
    assert "Newcomer" not in league.ranked()
    found = connections.support_of(league.season, newcomer.pk)
    assert found[:2] == (5, 3)
    assert 40 < found.unconfirmed < 100
    assert found.usual > 50
    played = 0
    while "Newcomer" not in league.ranked():
        pair = (newcomer, members[played % 9])
        league.now += 25 * HOUR
        league.wins(*(pair if played % 2 else pair[::-1]))
        played += 1
    assert played < 20


def test_losses_on_purpose_take_no_more_than_they_cost() -> None:
    league = League(system="glicko-2")
    members = honest(league, 9)
    (cheat,) = people("Cheat")
    for fresh in people(*(f"Fresh {number}" for number in range(3))):
        league.wins(cheat, fresh)
    for number in range(2):
        for member in members[:3]:
            league.wins(*((cheat, member) if number else (member, cheat)))
    league.settle()
    before = connections.support_of(league.season, cheat.pk).unconfirmed
    lost = rating_of(league, cheat)
    for fresh in people(*(f"Later {number}" for number in range(3))):
        league.wins(fresh, cheat)
    lost -= rating_of(league, cheat)
    after = connections.support_of(league.season, cheat.pk).unconfirmed
    assert after == pytest.approx(before - lost)


def test_honest_matches_confirm_nothing_that_is_won_after_them() -> None:
    league = League(placement_matches=12)
    members = honest(league, 13)
    (cheat,) = people("Cheat")
    league.play_each_other([cheat, *members[:9]])
    league.settle()
    before = rating_of(league, cheat)
    for fresh in people(*(f"Fresh {number}" for number in range(3))):
        league.wins(cheat, fresh)
    league.settle()
    found = connections.support_of(league.season, cheat.pk)
    assert found.unconfirmed == pytest.approx(rating_of(league, cheat) - before)


def rating_of(league: League, player: Player) -> float:
    return Rating.objects.get(season=league.season, player=player).rating


def test_archived_seasons_keep_their_connections() -> None:
    league = League()
    honest(league, 8)
    league.settle()
    StandingConnections.objects.update(changed=F("changed") + 1)
    Rating.objects.update(joined=False)
    league.season.archived_at = league.now
    assert not connections.refresh(league.season, league.now)
    assert differing_connections(league.season) == []
    league.season.archived_at = None
    assert len(differing_connections(league.season)) == 8
    assert connections.refresh(league.season, league.now)
