"""What each detector finds, and what it leaves alone."""

from __future__ import annotations

import numpy as np

from league.models import Flag
from league.services.integrity.detectors import (
    Games,
    dodgers,
    one_sided_pairs,
    points_from_one_opponent,
    wins_against_unranked,
)

CHEAT, FRIEND = 1, 2
LEAGUE = range(10, 30)


def games(*played: tuple[int, int, float], connected: range = LEAGUE) -> Games:
    """Games as (player, opponent, score); a win gives ten points."""
    one, other, score = (np.array(column) for column in zip(*played, strict=True))
    return Games(
        one,
        other,
        score.astype(float),
        20.0 * score - 10,
        10 - 20.0 * score,
        np.array(connected, np.int64),
    )


def wins(player: int, opponent: int, count: int) -> list[tuple[int, int, float]]:
    """Return wins of a player, half of them listed with the loser first."""
    return [
        (player, opponent, 1.0) if number % 2 else (opponent, player, 0.0)
        for number in range(count)
    ]


def test_a_pair_that_one_of_them_always_wins_is_found_once() -> None:
    (found,) = one_sided_pairs(games(*wins(CHEAT, FRIEND, 10), (CHEAT, 10, 0.0)))
    assert (found.kind, found.player, found.other) == (Flag.Kind.ONE_SIDED, CHEAT, FRIEND)
    assert found.figures == {"games": 10, "wins": 10, "of_all": 91}


def test_a_strong_player_who_meets_many_others_is_not() -> None:
    others = [game for other in LEAGUE for game in wins(CHEAT, other, 2)]
    assert one_sided_pairs(games(*wins(CHEAT, FRIEND, 10), *others)) == []
    assert one_sided_pairs(games(*wins(CHEAT, FRIEND, 7))) == []
    assert one_sided_pairs(games(*wins(CHEAT, FRIEND, 8), *wins(FRIEND, CHEAT, 2))) == []


def test_points_from_one_opponent_are_found() -> None:
    others = [game for other in LEAGUE[:3] for game in wins(CHEAT, other, 1)]
    lost = [(CHEAT, other, 0.0) for other in LEAGUE]
    (found,) = points_from_one_opponent(games(*wins(CHEAT, FRIEND, 6), *others, *lost))
    assert (found.player, found.other) == (CHEAT, FRIEND)
    assert found.figures == {"wins": 6, "games": 6, "share": 67}


def test_rivals_who_win_in_turn_are_not() -> None:
    even = [*wins(CHEAT, FRIEND, 8), *wins(FRIEND, CHEAT, 8)]
    assert points_from_one_opponent(games(*even)) == []


def test_wins_over_fresh_accounts_are_found() -> None:
    fed = [game for fresh in range(100, 160) for game in wins(CHEAT, fresh, 1)]
    (found,) = wins_against_unranked(games(*fed))
    assert (found.player, found.other) == (CHEAT, None)
    assert found.figures == {"games": 60, "wins": 60, "over": 60, "opponents": 60}


def test_wins_over_ranked_players_or_in_a_young_league_are_not() -> None:
    ranked = [game for other in LEAGUE for game in wins(CHEAT, other, 1)]
    assert wins_against_unranked(games(*ranked)) == []
    fed = [game for fresh in range(100, 160) for game in wins(CHEAT, fresh, 1)]
    assert wins_against_unranked(games(*fed, connected=range(10, 18))) == []


def test_players_who_accept_few_matches_are_found() -> None:
    found = dodgers(np.array([1, 2, 3]), np.array([8, 8, 7]), np.array([16, 17, 7]))
    assert [one.player for one in found] == [1]


def test_no_games_give_no_findings() -> None:
    nothing = Games(*(np.zeros(0, kind) for kind in (np.int64, np.int64, float, float, float)))
    for detector in (one_sided_pairs, points_from_one_opponent, wins_against_unranked):
        assert detector(nothing) == []
