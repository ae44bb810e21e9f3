"""Foresight judged: by hand, by plain loops, and by those who know the truth."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match
from ratings.lab.evaluation import Foretold, evaluate, foretold, judged, of_strengths
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from tests.support.effort import examples
from tests.support.rating_histories import PLAYERS, contest, duel, histories, random_duels
from tests.support.stated import stated


def told(strengths: list[float], chances: list[float] | None = None, games: int = 9) -> Foretold:
    return Foretold(
        strength=np.array(strengths),
        games=np.full(len(strengths), games),
        chance=np.array(chances or [math.nan] * len(strengths)),
    )


def one_contest(places: list[int]) -> History:
    return History.build([contest(*[[name] for name in PLAYERS[: len(places)]], places=places)])


def test_a_perfect_order_inverts_nobody_and_deviates_from_nothing() -> None:
    judgement = judged(one_contest([0, 1, 2]), told([1900, 1500, 1100]))
    assert judgement.pair_inversion == 100
    assert judgement.rank_deviation == 0


def test_an_order_upside_down_inverts_every_pair() -> None:
    judgement = judged(one_contest([0, 1, 2]), told([1100, 1500, 1900]))
    assert judgement.pair_inversion == 0
    # First and last are two ranks off, of the two that there are to be off by.
    assert judgement.rank_deviation == pytest.approx(100 * (2 + 0 + 2) / 3 / 2)


def test_ties_in_the_outcome_and_equal_ratings_count_as_foretold() -> None:
    assert judged(one_contest([0, 1, 1]), told([1900, 1100, 1500])).pair_inversion == 100
    assert judged(one_contest([0, 1, 1]), told([1900, 1100, 1500])).rank_deviation == 0
    assert judged(one_contest([0, 1, 2]), told([1500, 1500, 1500])).pair_inversion == 100
    assert judged(one_contest([0, 1, 2]), told([1500, 1500, 1500])).rank_deviation == 0


def test_a_match_in_which_all_tie_says_nothing_about_order() -> None:
    judgement = judged(one_contest([1, 1]), told([1500, 1400]))
    assert judgement.matches == 0
    assert math.isnan(judgement.pair_inversion)


def test_large_matches_count_by_their_sides() -> None:
    history = History.build(
        [duel("Alice", "Charlie", match_id="1"),
         contest(["Bob"], ["Dora"], ["Eve"], ["Frank"], match_id="2")]
    )  # fmt: skip
    wrong_then_right = told([1, 2, 4, 3, 2, 1])
    assert judged(history, wrong_then_right).pair_inversion == pytest.approx(100 * 4 / 6)


def test_newcomers_do_not_count_and_places_close_ranks_behind_them() -> None:
    foresight = told([1000, 1900, 1500])
    foresight.games[0] = 4
    judgement = judged(one_contest([0, 1, 2]), foresight)
    assert (judgement.pair_inversion, judgement.rank_deviation) == (100, 0)
    assert judged(one_contest([0, 1, 2]), foresight, experienced=0).pair_inversion < 100


def test_the_games_of_a_team_are_those_of_its_least_experienced_member() -> None:
    history = History.build(
        [duel("Alice", "Charlie", match_id="1"), duel("Alice", "Charlie", at=1, match_id="2"),
         contest(["Alice", "Bob"], ["Charlie", "Alison"][:1], at=2, match_id="3")]
    )  # fmt: skip
    assert foretold(build("elo"), history).games.tolist() == [0, 0, 1, 1, 0, 2]
    later = build("elo").newcomers(len(history.players))
    later.games[:] = 10
    assert foretold(build("elo"), history, later).games.tolist() == [10, 10, 11, 11, 10, 12]


@pytest.mark.parametrize("name", list(SYSTEMS))
@settings(max_examples=examples(3), deadline=None)
@given(data=st.data())
def test_every_system_is_asked_before_it_learns(name: str, data: st.DataObject) -> None:
    played = [match for match in data.draw(histories()) if stated(name).rates(sizes_of(match))]
    if not played:
        return
    history = History.build(played)
    system = build(name)
    foresight = foretold(system, history)
    before = replay(system, history).before.rating
    sides = np.split(before, history.participant_offsets[1:-1])
    sign = -1 if system.shows.lowest_first else 1
    np.testing.assert_allclose(foresight.strength, [sign * side.mean() for side in sides])
    by_match = np.split(foresight.chance, history.side_offsets[1:-1])
    np.testing.assert_allclose([chances.sum() for chances in by_match], 1.0)


def sizes_of(match: Match) -> list[int]:
    return [len(side.participants) for side in match.sides]


@settings(max_examples=examples(12), deadline=None)
@given(data=st.data())
def test_order_is_judged_as_plain_loops_would(data: st.DataObject) -> None:
    played, strengths, games = [], [], []
    for number in range(data.draw(st.integers(1, 4))):
        sides = data.draw(st.integers(2, 9))
        places = data.draw(st.lists(st.integers(0, 5), min_size=sides, max_size=sides))
        names = [[name] for name in PLAYERS[:sides]]
        played.append(contest(*names, places=places, match_id=str(number)))
        strengths += data.draw(st.lists(st.integers(0, 6), min_size=sides, max_size=sides))
        games += data.draw(st.lists(st.sampled_from([4, 5]), min_size=sides, max_size=sides))
    foresight = Foretold(np.array(strengths, float), np.array(games), np.full(len(games), math.nan))
    judgement = judged(History.build(played), foresight)

    right = off = weight = 0.0
    at = 0
    for match in played:
        sides_of = range(at, at + len(match.sides))
        at += len(match.sides)
        field = [
            (match.sides[i - sides_of.start].place, strengths[i]) for i in sides_of if games[i] >= 5
        ]
        if len({place for place, _ in field}) < 2:
            continue
        weight += len(field)
        for place, strength in field:
            others = len(field) - 1
            wrong = sum(
                (one < place and rating < strength) or (one > place and rating > strength)
                for one, rating in field
            )
            right += (others - wrong) / others
            low = sum(one < place for one, _ in field)
            high = low + sum(one == place for one, _ in field) - 1
            # Of equals in strength the better placed go first; of equals in all, any.
            ahead = sum((r > strength) or (r == strength and p < place) for p, r in field)
            equals = sum(p == place and r == strength for p, r in field)
            off += _mean_distance(ahead, equals, low, high) / others
    if weight:
        assert judgement.pair_inversion == pytest.approx(100 * right / weight)
        assert judgement.rank_deviation == pytest.approx(100 * off / weight)
    else:
        assert judgement.matches == 0


def _mean_distance(first: int, equals: int, low: int, high: int) -> float:
    """Mean distance of the ranks ``first`` … from the range ``low`` to ``high``."""
    ranks = range(first, first + equals)
    return sum(max(low - rank, rank - high, 0) for rank in ranks) / equals


def test_chances_are_judged_by_hand() -> None:
    history = History.build(
        [
            duel("Alice", "Charlie", match_id="1"),
            duel("Alice", "Charlie", match_id="2"),
            contest(["Alice"], ["Charlie"], places=[0, 0], match_id="3"),
            contest(["Alice"], ["Bob"], ["Charlie"], match_id="4"),
        ]
    )
    chances = [0.8, 0.2, 0.4, 0.6, 0.5, 0.5, 0.25, 0.5, 0.25]
    judgement = judged(history, told([0] * 9, chances))
    assert judgement.accuracy == pytest.approx(100 * 1 / 3)
    losses = [-math.log(0.8), -math.log(0.4), -math.log(0.5), -math.log(0.25)]
    assert judgement.log_loss == pytest.approx(sum(losses) / 4)
    errors = [0.2**2, 0.6**2, 0.0, 0.5 * (0.75**2 + 0.5**2 + 0.25**2)]
    assert judgement.brier == pytest.approx(sum(errors) / 4)
    table = {round(bin_.foretold, 3): (bin_.sides, bin_.came) for bin_ in judgement.calibration}
    assert table[0.8] == (1, 1.0)
    # Of the sides given one half, two shared a first place and one came second.
    assert table[0.5][0] == 3
    assert table[0.5][1] == pytest.approx(1 / 3)


def test_favourites_of_one_chance_share_the_credit() -> None:
    history = History.build([duel("Alice", "Charlie")])
    assert judged(history, told([0, 0], [0.5, 0.5])).accuracy == 50


def test_one_certainty_proved_wrong_is_not_infinite() -> None:
    history = History.build([duel("Alice", "Charlie")])
    assert 20 < judged(history, told([0, 0], [0.0, 1.0])).log_loss < 30


def test_only_matches_from_the_first_on_are_judged() -> None:
    history = History.build([duel("Alice", "Charlie"), duel("Alice", "Charlie", match_id="2")])
    foresight = told([1, 2, 2, 1], [0.1, 0.9, 0.9, 0.1])
    judgement = judged(history, foresight, first=1)
    assert (judgement.matches, judgement.pair_inversion, judgement.accuracy) == (1, 100, 100)


def test_who_knows_the_truth_foretells_better_than_who_learns_it() -> None:
    rng = np.random.default_rng(4)
    skills = rng.normal(1500, 350, 60)
    blind = random_duels(3000, players=60)
    one, two = blind.player[::2], blind.player[1::2]
    wins = rng.random(3000) < 1 / (1 + 10 ** ((skills[two] - skills[one]) / 400))
    history = History.duels(
        blind.players, blind.times, np.where(wins, one, two), np.where(wins, two, one)
    )
    truth = judged(history, of_strengths(history, skills[history.player]), first=300)
    learnt = evaluate(build("elo"), history, first=300)
    assert 60 < learnt.pair_inversion < truth.pair_inversion < 90
    assert 0.2 < learnt.log_loss < math.log(2)
    assert math.isnan(truth.log_loss)
    assert truth.calibration == []
    assert learnt.accuracy == pytest.approx(learnt.pair_inversion, abs=0.5)
    off = [bin_.sides * abs(bin_.foretold - bin_.came) for bin_ in learnt.calibration]
    assert sum(bin_.sides for bin_ in learnt.calibration) == 2 * 2700
    assert sum(off) / (2 * 2700) < 0.08
