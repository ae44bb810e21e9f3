"""What each detector finds, and what it leaves alone."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from league.models import Flag
from league.services.integrity.detectors import (
    DETECTORS,
    Games,
    dodgers,
    one_sided_pairs,
    points_from_few_opponents,
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


RING = (2, 3, 4, 5)


def even(players: tuple[int, ...], rounds: int = 1) -> list[tuple[int, int, float]]:
    """Return matches of each player against the league, of which they win half."""
    return [
        (player, other, float((other + turn) % 2))
        for turn in range(rounds)
        for player in players
        for other in LEAGUE[:6]
    ]


def test_points_from_a_ring_are_found() -> None:
    fed = [game for feeder in RING for game in wins(CHEAT, feeder, 4)]
    (found,) = points_from_few_opponents(games(*fed, *even((CHEAT, *RING))))
    assert (found.kind, found.player, found.other) == (Flag.Kind.FEW_OPPONENTS, CHEAT, None)
    assert found.figures == {"wins": 16, "opponents": 4, "share": 84}


def test_a_strong_player_who_beats_weak_ones_is_not_in_a_ring() -> None:
    fed = [game for weak in RING for game in wins(CHEAT, weak, 4)]
    strong = [(CHEAT, other, 1.0) for other in LEAGUE[:6]]
    weak = [(one, other, 0.0) for one in RING for other in LEAGUE[:6]]
    assert points_from_few_opponents(games(*fed, *strong, *weak)) == []


def test_a_small_club_and_somebody_who_loses_as_many_points_are_not_rings() -> None:
    fed = [game for feeder in RING for game in wins(CHEAT, feeder, 4)]
    assert points_from_few_opponents(games(*fed)) == []
    lost = [(CHEAT, other, 0.0) for other in LEAGUE[:10]]
    assert points_from_few_opponents(games(*fed, *even(RING), *lost)) == []


@given(st.integers(0, 10_000))
def test_rings_are_those_of_the_definition(seed: int) -> None:
    """Computed player by player, for random matches of a small league in which few win."""
    random = np.random.default_rng(seed)
    count = 40 + seed % 80
    pairs = np.array([random.permutation(14)[:2] for _ in range(count)])
    strength = random.normal(size=14) * 3
    won = random.random(count) < 1 / (1 + np.exp(strength[pairs[:, 1]] - strength[pairs[:, 0]]))
    played = [(int(a), int(b), float(w)) for (a, b), w in zip(pairs, won, strict=True)]
    ring = random.permutation(14)[:3].tolist()
    played += [game for feeder in ring[1:] for game in wins(ring[0], feeder, 7)]
    found = points_from_few_opponents(games(*played))
    assert {(one.player, *one.figures.values()) for one in found} == plain_rings(played)


def plain_rings(played: list[tuple[int, int, float]]) -> set[tuple[int, ...]]:
    both = [*played, *((other, one, 1 - score) for one, other, score in played)]
    players = {one for one, _other, _score in both}
    scores: dict[tuple[int, int], list[float]] = {}
    for one, other, score in both:
        scores.setdefault((one, other), []).append(score)
    found: set[tuple[int, ...]] = set()
    for player in players:
        own = {other: each for (one, other), each in scores.items() if one == player}
        beaten = [q for q, each in own.items() if len(each) >= 3 and sum(each) >= 0.8 * len(each)]
        beaten = sorted(beaten, key=lambda q: (-own[q].count(1.0), q))[:6]
        wins_of = sum(own[q].count(1.0) for q in beaten)
        points = 10 * wins_of
        total = 10 * sum(each.count(1.0) for each in own.values())
        rose = sum(20 * score - 10 for each in own.values() for score in each)
        elsewhere = [score for q, each in own.items() if q not in beaten for score in each]
        theirs = [
            score
            for q in beaten
            for (one, other), each in scores.items()
            if one == q and other != player
            for score in each
        ]
        gap = 0.0
        if elsewhere and theirs:
            gap = sum(elsewhere) / len(elsewhere) - sum(theirs) / len(theirs)
        if (
            len(beaten) > 1
            and wins_of >= 12
            and points >= 0.6 * total
            and rose >= 0.5 * points
            and gap <= 0.25
            and len(players) >= 2 * (len(beaten) + 1)
        ):
            found.add((player, wins_of, len(beaten), round(100 * points / total)))
    return found


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
    for detector in DETECTORS:
        assert detector(nothing) == []
