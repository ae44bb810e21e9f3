"""Tables: exact points, and tie-breaks against published tables and a plain second way."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from league.services.competitions.standings.entrant_rounds import (
    Outcome,
    PointsRules,
    Result,
    collect_rounds,
    with_absences,
)
from league.services.competitions.standings.tables import Line, table
from league.services.competitions.standings.tie_breaks import TIE_BREAKS, Played
from tests.support.effort import examples

CHESS = PointsRules()
FOOTBALL = PointsRules.of(3, 1, 0, 0, 3)


def game(number: int, home: int, away: int, score: str, *, played: bool = True) -> Result:
    """Return a result from a score such as 2-1, or 1/2 for a drawn game of chess."""
    mine, theirs = (1, 1) if score == "1/2" else (int(part) for part in score.split("-"))
    outcome = Outcome.HOME if mine > theirs else Outcome.AWAY if mine < theirs else Outcome.DRAW
    return Result(number, home, away, outcome, played, (Fraction(mine), Fraction(theirs)))


def plain(line: Line) -> tuple[float | None, ...]:
    """Return the tie-breaks of a line as floats."""
    return tuple(None if value is None else float(value) for value in line.tie_breaks)


def test_group_e_of_the_world_cup_of_2022() -> None:
    """Final table as FIFA published it: Spain before Germany by goal difference."""
    japan, spain, germany, costa_rica = range(4)
    results = [
        game(1, germany, japan, "1-2"),
        game(1, spain, costa_rica, "7-0"),
        game(2, japan, costa_rica, "0-1"),
        game(2, spain, germany, "1-1"),
        game(3, japan, spain, "2-1"),
        game(3, costa_rica, germany, "2-4"),
    ]
    lines = table(range(4), results, FOOTBALL, ["difference", "for", "direct"])
    assert [
        (
            line.entrant,
            line.won,
            line.drawn,
            line.lost,
            *map(float, (line.for_, line.against, line.points)),
        )
        for line in lines
    ] == [
        (japan, 2, 0, 1, 4, 3, 6),
        (spain, 1, 1, 1, 9, 3, 4),
        (germany, 1, 1, 1, 6, 5, 4),
        (costa_rica, 1, 0, 2, 3, 11, 3),
    ]
    assert [line.place for line in lines] == [1, 2, 3, 4]
    assert [plain(line)[0] for line in lines] == [1, 6, 1, -8]


def test_group_c_of_the_euro_of_2004() -> None:
    """Three drew with each other; the published order is Sweden, Denmark, Italy, Bulgaria."""
    sweden, denmark, italy, bulgaria = range(4)
    results = [
        game(1, denmark, italy, "0-0"),
        game(1, sweden, bulgaria, "5-0"),
        game(2, bulgaria, denmark, "0-2"),
        game(2, italy, sweden, "1-1"),
        game(3, italy, bulgaria, "2-1"),
        game(3, denmark, sweden, "2-2"),
    ]
    lines = table([italy, denmark, sweden, bulgaria], results, FOOTBALL, ["direct", "difference"])
    assert [(line.entrant, float(line.points), plain(line)) for line in lines] == [
        (sweden, 5, (2, 5)),
        (denmark, 5, (2, 2)),
        (italy, 5, (2, 1)),
        (bulgaria, 0, (None, -8)),
    ]


def test_group_h_of_the_world_cup_of_2018() -> None:
    """Japan and Senegal were level in all results, so cards decided."""
    colombia, japan, senegal, poland = range(4)
    results = [
        game(1, colombia, japan, "1-2"),
        game(1, poland, senegal, "1-2"),
        game(2, japan, senegal, "2-2"),
        game(2, poland, colombia, "0-3"),
        game(3, japan, poland, "0-1"),
        game(3, senegal, colombia, "0-1"),
    ]
    lines = table(range(4), results, FOOTBALL, ["difference", "for", "direct", "wins"])
    assert [(line.place, line.entrant, float(line.points)) for line in lines] == [
        (1, colombia, 6),
        (2, japan, 4),
        (2, senegal, 4),
        (4, poland, 3),
    ]


def test_the_candidates_tournament_of_2013() -> None:
    """Carlsen (5 wins, 7 draws, 2 losses) and Kramnik (4, 9, 1) drew both their games.

    The published first tie-break, the direct encounter, left them level; wins were the next that
    did not. Whom they beat of the six others does not matter here.
    """
    carlsen, kramnik, *others = range(8)
    results = [game(1, carlsen, kramnik, "1/2"), game(2, kramnik, carlsen, "1/2")]
    for entrant, won, drawn in ((carlsen, 5, 5), (kramnik, 4, 7)):
        scores = ["1-0"] * won + ["1/2"] * drawn
        scores += ["0-1"] * (12 - len(scores))
        results += [
            game(number + 3, entrant, others[number % 6], score)
            for number, score in enumerate(scores)
        ]
    first, second, *_ = table([kramnik, carlsen, *others], results, CHESS, ["direct", "wins"])
    assert (first.entrant, second.entrant) == (carlsen, kramnik)
    assert first.points == second.points == Fraction(17, 2)
    assert (plain(first), plain(second)) == ((1, 5), (1, 4))


def test_those_whom_nothing_separates_share_a_place() -> None:
    results = [game(1, 1, 2, "1-0"), game(2, 2, 3, "1-0"), game(3, 3, 1, "1-0")]
    lines = table([1, 2, 3, 4], results, FOOTBALL, ["direct", "difference", "play_off"])
    assert [(line.place, line.entrant, line.tied_with_next) for line in lines] == [
        (1, 1, True),
        (1, 2, True),
        (1, 3, False),
        (4, 4, False),
    ]


def test_the_direct_encounter_is_repeated_among_those_it_leaves_level() -> None:
    """1, 2 and 3 have 6 points each; 1 has most among the three, then 3 beat 2."""
    results = [
        game(1, 1, 2, "1-0"),
        game(1, 1, 3, "1-1"),
        game(1, 3, 2, "0-0"),
        game(2, 3, 2, "1-0"),
        game(2, 2, 1, "1-0"),
        game(2, 1, 3, "1-0"),
        game(3, 2, 4, "1-0"),
        game(3, 3, 4, "1-0"),
    ]
    points = {line.entrant: line.points for line in table([1, 2, 3, 4], results, FOOTBALL, [])}
    assert points == {1: 7, 2: 7, 3: 8, 4: 0}
    lines = table([2, 1, 3, 4], results, FOOTBALL, ["direct"])
    assert [line.place for line in lines] == [1, 2, 2, 4]


def test_a_direct_encounter_counts_early_only_for_those_ahead_whatever_is_missing() -> None:
    results = [game(1, 1, 2, "1-0"), game(2, 1, 3, "1-0"), game(1, 3, 4, "1-0")]
    results += [game(3, 2, 4, "1-0"), game(4, 4, 1, "1-0"), game(5, 2, 5, "1-0")]
    results += [game(6, 3, 5, "1-0")]
    lines = table([1, 2, 3, 4, 5], results, CHESS, ["direct"])
    assert [(line.entrant, line.place, plain(line)) for line in lines[:3]] == [
        (1, 1, (2,)),
        (2, 2, (None,)),
        (3, 2, (None,)),
    ]


def test_lots_are_drawn_once_by_the_seed() -> None:
    orders = {
        tuple(
            line.entrant
            for line in table(range(5), [], CHESS, ["lots"], generator=np.random.default_rng(seed))
        )
        for seed in [*range(20), 3, 3]
    }
    assert 10 < len(orders) <= 20
    with pytest.raises(ValueError, match="needs a generator"):
        table(range(5), [], CHESS, ["lots"])


def test_points_are_exact() -> None:
    tenths = PointsRules.of(0.3, 0.1, 0, -0.2, 0.3)
    results = [game(1, 1, 2, "1/2"), game(2, 1, 2, "1/2"), game(3, 1, 2, "1/2")]
    results += [game(4, 3, 4, "1-0"), game(5, 3, 4, "0-1", played=False)]
    points = {line.entrant: line.points for line in table([1, 2, 3, 4], results, tenths, [])}
    assert points[1] == points[4] == Fraction(3, 10)
    assert points[3] == Fraction(1, 10)


def test_a_forfeit_counts_as_a_win_and_a_bye_as_points_only() -> None:
    results = [
        game(1, 1, 2, "1-0", played=False),
        Result(1, 3, None, Outcome.HOME),
        Result(2, 3, None, Outcome.DRAW),
        Result(3, 3, None, Outcome.NOBODY),
        Result(3, 1, 2, Outcome.NOBODY, played=False),
    ]
    lines = {line.entrant: line for line in table([1, 2, 3], results, CHESS, ["wins"])}
    assert (lines[1].won, lines[1].lost, float(lines[1].points)) == (1, 1, 1)
    assert (lines[2].played, lines[2].lost) == (2, 2)
    assert (lines[3].played, float(lines[3].points)) == (0, 1.5)


def test_an_opponent_who_left_counts_as_drawing_the_rest() -> None:
    """Articles 16.3 and 16.4 of FIDE Handbook C.07: 2 loses to 1 and leaves after round 1."""
    results = [
        game(1, 1, 2, "1-0"),
        game(1, 3, 4, "1/2"),
        game(2, 1, 3, "1-0"),
        Result(2, 4, None, Outcome.HOME),
        game(3, 4, 1, "1/2"),
        Result(3, 3, None, Outcome.HOME),
    ]
    lines = {
        line.entrant: line
        for line in table([1, 2, 3, 4], results, CHESS, ["buchholz"], swiss=True, finished=3)
    }
    assert lines[1].points == Fraction(5, 2)
    shown = {
        entrant: TIE_BREAKS["buchholz"].values([entrant], played_so_far(results))[entrant]
        for entrant in (1, 3, 4)
    }
    # Of 2, the two missed rounds count as draws. 3 and 4 met a dummy with at most 1½ points.
    assert shown == {
        1: 1 + Fraction(3, 2) + 2,
        3: 2 + Fraction(5, 2) + Fraction(3, 2),
        4: Fraction(3, 2) + Fraction(3, 2) + Fraction(5, 2),
    }


def played_so_far(results: list[Result]) -> Played:
    own_rounds = collect_rounds([1, 2, 3, 4], results, CHESS)
    return Played(
        {one: with_absences(own, 3) for one, own in own_rounds.items()}, CHESS, swiss=True
    )


def test_rounds_given_up_are_cut_first() -> None:
    """Article 16.5: 1 asked for a bye in round 2, whose dummy is stronger than opponent 4."""
    results = [
        game(1, 1, 4, "1-0"),
        game(1, 2, 3, "1-0"),
        Result(2, 1, None, Outcome.DRAW),
        game(2, 2, 4, "1-0"),
        game(3, 1, 2, "1-0"),
        game(3, 3, 4, "1-0"),
    ]
    (first, *_) = table([1, 2, 3, 4], results, CHESS, ["buchholz_cut_1"], swiss=True, finished=3)
    assert first.entrant == 1
    tied = TIE_BREAKS["buchholz_cut_1"].values([1], played_so_far(results))
    assert tied == {1: 0 + 2}


@st.composite
def seasons(draw: st.DrawFn) -> tuple[int, list[Result]]:
    """Draw some games among few entrants, of a score of 0 to 2 each."""
    count = draw(st.integers(2, 6))
    pairs = [(a, b) for a in range(count) for b in range(count) if a != b]
    games = draw(st.lists(st.sampled_from(pairs), max_size=12))
    scores = st.integers(0, 2)
    return count, [
        game(number // 2 + 1, *pair, f"{draw(scores)}-{draw(scores)}")
        for number, pair in enumerate(games)
    ]


@settings(max_examples=examples(10))
@given(seasons())
def test_the_order_of_results_and_entrants_decides_nothing(
    season: tuple[int, list[Result]],
) -> None:
    count, results = season
    names = [name for name in TIE_BREAKS if name not in {"lots", "play_off"}]
    shuffled = results[::-1]
    one = table(range(count), results, CHESS, names, ratings={0: 1500.0, 1: 1600.0})
    other = table(range(count)[::-1], shuffled, CHESS, names, ratings={0: 1500.0, 1: 1600.0})
    assert {line.entrant: line.place for line in one} == {
        line.entrant: line.place for line in other
    }


@pytest.mark.parametrize(
    ("results", "tie_breaks", "message"),
    [
        ([], ["luck"], "unknown tie-break"),
        ([game(1, 1, 9, "1-0")], [], "not an entrant"),
        ([game(1, 1, 1, "1-0")], [], "against itself"),
        ([Result(1, 1, None, Outcome.AWAY)], [], "nobody to lose against"),
    ],
)
def test_what_does_not_fit_is_refused(
    results: list[Result], tie_breaks: list[str], message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        table([1, 2], results, CHESS, tie_breaks)
