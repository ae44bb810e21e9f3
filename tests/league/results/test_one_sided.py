"""A ranked player gains little from accomplices, whatever they agree on."""

from datetime import timedelta
from typing import cast

import pytest
from django.test import Client

from league.models import Match, Player, Rating, User
from league.services.core import turns
from league.services.integrity.ratings import verify
from league.services.results.reports.changing import withdraw
from league.services.results.reports.reporting import report
from league.services.results.rules import one_sided
from ratings.history import NEGLIGIBLE_WEIGHT
from tests.support.cast import side
from tests.support.correction_steps import correct
from tests.support.league_steps import League, honest, people
from tests.support.web_steps import words

HOUR = timedelta(hours=1)
EVEN = 16
"""What a win over an equal is worth in Elo."""


def rating(league: League, player: Player) -> float:
    return Rating.objects.get(season=league.season, player=player).rating


def settled(members: int = 6) -> tuple[League, list[Player]]:
    """A league whose members are ranked."""
    league = League()
    players = honest(league, members)
    league.play_each_other(players)
    assert len(league.ranked()) == members
    return league, players


def gain(league: League, cheat: Player, losers: list[Player]) -> float:
    before = rating(league, cheat)
    for loser in losers:
        league.now += 17 * HOUR
        league.wins(cheat, loser)
    return rating(league, cheat) - before


def test_sixty_agreed_wins_over_one_account_gain_a_ranked_player_little() -> None:
    league, (cheat, *_others) = settled()
    (accomplice,) = people("Accomplice")
    assert 15 < gain(league, cheat, [accomplice] * 60) < 20.001
    assert verify(league.season) == []


def test_wins_over_fresh_accounts_gain_a_ranked_player_little() -> None:
    league, (cheat, *_others) = settled()
    accounts = people(*(f"Fresh {number}" for number in range(30)))
    assert 15 < gain(league, cheat, accounts) < 20.001
    assert league.refused == 0
    assert verify(league.season) == []


@pytest.mark.parametrize("system", ["elo", "glicko-2", "trueskill", "elo-mmr", "topcoder"])
def test_in_every_system_the_first_win_gains_no_more_than_all_the_others(system: str) -> None:
    league = League(system=system)
    cheat, *_others = honest(league, 6)
    assert len(league.ranked()) == 6
    accounts = people(*(f"Fresh {number}" for number in range(8)))
    assert 10 < gain(league, cheat, accounts) < 20.001
    match = league.last()
    assert match.one_sided is not None
    assert verify(league.season) == []


def test_who_loses_the_rank_by_wins_over_fresh_accounts_stays_limited() -> None:
    league = League(system="glicko-2")
    cheat, *_others = honest(league, 9)
    assert "Honest 0" in league.ranked()
    accounts = people(*(f"Fresh {number}" for number in range(40)))
    gained = gain(league, cheat, accounts[:30])
    assert "Honest 0" not in league.ranked(), "too few matches are against ranked players"
    row = Rating.objects.get(season=league.season, player=cheat)
    assert (row.connected, row.joined) == (False, True)
    assert gained + gain(league, cheat, accounts[30:]) < 20.001


def test_a_newcomer_is_limited_once_they_have_met_enough_ranked_players() -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    accounts = people(*(f"Fresh {number}" for number in range(4)))
    for fresh in accounts[:2]:
        league.wins(newcomer, fresh)
    assert rating(league, newcomer) > 1530
    for member in members[:3]:
        league.wins(member, newcomer)
    assert "Newcomer" not in league.ranked()
    assert gain(league, newcomer, accounts[2:]) < 1


def test_wins_over_an_overrated_newcomer_are_not_limited_like_those_over_accounts() -> None:
    league = League()
    members = honest(league, 9)
    (newcomer,) = people("Newcomer")
    for fresh in people("One", "Two"):
        league.wins(newcomer, fresh)
    for member in members[:4]:
        league.wins(newcomer, member)
    assert "Newcomer" not in league.ranked(), "points are unconfirmed"
    winner = members[5]
    for fresh in people("Three", "Four"):
        league.wins(winner, fresh)
    assert league.last().one_sided is not None
    league.wins(winner, newcomer)
    assert (league.last().weight, league.last().one_sided) == (1, None)


def test_wins_over_another_ranked_player_gain_little_too() -> None:
    league, (cheat, dupe, *_others) = settled()
    assert gain(league, cheat, [dupe] * 30) < 3 * EVEN
    assert rating(league, cheat) - 1500 < 60


def test_agreed_draws_with_a_stronger_accomplice_gain_little() -> None:
    league, (cheat, strong, *_others) = settled()
    Rating.objects.filter(player=strong).update(rating=2200)
    before = rating(league, cheat)
    for _ in range(20):
        league.now += 17 * HOUR
        league.draws(cheat, strong)
    assert rating(league, cheat) - before < 3 * EVEN


def test_matches_against_others_restore_what_a_win_counts() -> None:
    league, (winner, loser, *others) = settled()
    gain(league, winner, [loser] * 8)
    little = league.last().weight
    assert little < 0.1
    for other in others:
        league.now += 30 * HOUR
        league.wins(other, winner)
    league.now += 100 * HOUR
    league.wins(winner, loser)
    assert league.last().weight > 0.5


def test_an_upset_counts_fully() -> None:
    league, (winner, loser, *_others) = settled()
    gain(league, winner, [loser] * 4)
    league.now += 200 * HOUR
    league.wins(loser, winner)
    assert (league.last().weight, league.last().one_sided) == (1, None)


def test_withdrawn_reports_do_not_restore_what_a_win_counts(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    league, (winner, loser, *_others) = settled()
    gain(league, winner, [loser] * 8)
    monkeypatch.setattr(one_sided, "LATEST", 10)
    monkeypatch.setattr(turns, "LATEST", 10)
    for _ in range(12):
        league.now += HOUR
        sides = [side(winner, place=0), side(loser, place=1)]
        made = report(league.arena, sides, reporter=winner, played_at=league.now, now=league.now)
        withdraw(made.pk, by=winner, now=league.now)
    league.now += 17 * HOUR
    league.wins(winner, loser)
    assert league.last().weight < 0.1


def test_a_loss_that_was_reported_as_a_win_counts_fully_once_corrected(olga: Player) -> None:
    league, (liar, victim, *_others) = settled()
    gain(league, liar, [victim] * 6)
    match = league.last()
    assert match.one_sided is not None
    correct(match, cast("User", olga.user), [(1, None), (0, None)])
    match.refresh_from_db()
    assert match.one_sided is None
    assert match.weight == pytest.approx(0.8**7)  # they met seven times in a week
    assert verify(league.season) == []


def test_after_half_a_year_a_win_counts_fully_again() -> None:
    league, (winner, loser, *_others) = settled()
    gain(league, winner, [loser] * 4)
    league.now += timedelta(days=183)
    league.wins(winner, loser)
    assert league.last().weight == 1


def test_newcomers_who_play_each_other_are_not_limited_as_one() -> None:
    league, _members = settled()
    newcomers = people(*(f"New {number}" for number in range(4)))
    for loser in newcomers[1:]:
        league.wins(newcomers[0], loser)
        assert league.last().one_sided is None


def test_a_correction_keeps_the_weights_of_later_matches(olga: Player) -> None:
    league, (winner, loser, *_others) = settled()
    gain(league, winner, [loser] * 4)
    weights = list(league.arena.matches.order_by("id").values_list("weight", flat=True))
    correct(cast("Match", league.arena.matches.order_by("id").first()), cast("User", olga.user))
    assert list(league.arena.matches.order_by("id").values_list("weight", flat=True)) == weights
    assert verify(league.season) == []


def test_the_match_page_says_why_a_win_counts_less(client: Client) -> None:
    league, (winner, loser, *_others) = settled()
    first, second = (league.wins_in(winner, loser, 17 * HOUR) for _ in range(2))
    assert "the winner has won" not in words(client.get(first.get_absolute_url()))
    page = words(client.get(second.get_absolute_url()))
    assert second.one_sided is not None
    assert f"Counts {round(100 * second.one_sided)} %: the winner has won many points" in page
    assert "of the same opponents within a week." in page
    nothing = NEGLIGIBLE_WEIGHT
    Match.objects.filter(pk=second.pk).update(one_sided=nothing, weight=nothing)
    page = words(client.get(second.get_absolute_url()))
    assert "Does not count: the winner has won too many points" in page
