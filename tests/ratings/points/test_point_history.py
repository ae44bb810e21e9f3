"""Ladder points of histories: odds, shares of the winning score, and typed tables."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ratings.history import History, Match, Participant, Side
from ratings.points.history import earned_points, outcomes
from ratings.points.rules import CONQUEST, PRESETS, Ladder, PointsError, Window
from ratings.points.tables import (
    PointSeason,
    format_table,
    parse_table,
    table_as_json,
    table_from_json,
)
from ratings.registry import SYSTEMS, build
from ratings.replay import replay
from ratings.seasons.rules import read_rules
from ratings.tunables.reading import ParameterError
from tests.support.effort import examples
from tests.support.rating_histories import SHAPES
from tests.support.system_properties import properties_of

HOUR = 3_600_000_000
ALWAYS = Window(0, 1 << 60)


def match(
    *sides: tuple[int, float | None],
    name: str = "1",
    at: int = HOUR,
    quits: str = "",
    size: int = 1,
) -> Match:
    """Build a match of sides with place and score. Players are ``a0``, ``a1``, ``b0`` and so on."""
    return Match(
        name,
        at,
        [
            Side(
                place,
                [
                    Participant(f"{letter}{number}", quit=f"{letter}{number}" in quits.split())
                    for number in range(size)
                ],
                score,
            )
            for letter, (place, score) in zip("abcdef", sides, strict=False)
        ],
    )


def points(
    *matches: Match, season: PointSeason | None = None, window: Window = ALWAYS
) -> list[int]:
    history = History.build(matches)
    system = build("elo", {})
    before = replay(system, history).before
    given = earned_points(season or PointSeason(), window, system, history, before)
    return [int(one) for one in given.points]


@pytest.mark.parametrize(
    ("sides", "shares", "victories"),
    [
        ([(0, 500.0), (1, 300.0)], [1, 0.6], [True, False]),
        ([(1, 299.0), (0, 500.0)], [0.598, 1], [False, True]),
        ([(0, 2.0), (0, 2.0)], [1, 1], [False, False]),
        ([(0, None), (1, None)], [1, 0], [True, False]),
        ([(0, 3.0), (1, None)], [1, 0], [True, False]),
        ([(0, 0.0), (0, 0.0)], [1, 1], [False, False]),
        ([(0, 10.0), (1, -5.0)], [1, 0], [True, False]),
        # If less is better, the winner's score is not the highest.
        ([(0, 70.0), (1, 74.0)], [1, 0], [True, False]),
        ([(0, 9.0), (1, 6.0), (2, 3.0)], [1, 2 / 3, 1 / 3], [True, False, False]),
    ],
)
def test_a_sides_share_is_of_the_winning_score_if_it_is_the_highest(
    sides: list[tuple[int, float | None]], shares: list[float], victories: list[bool]
) -> None:
    share, victory = outcomes(History.build([match(*sides)]))
    assert share.tolist() == shares
    assert victory.tolist() == victories


def test_even_sides_get_the_published_points_at_odds_of_four_tenths() -> None:
    assert points(match((0, 500.0), (1, 499.0))) == [1, -1]


def test_only_deserters_get_the_points_of_a_score_of_0() -> None:
    assert points(match((0, 500.0), (1, 0.0), quits="a1", size=2)) == [1, -1, -1, -1]


def test_only_matches_in_the_window_count() -> None:
    played = [match((0, 1.0), (1, 0.0), name=str(at), at=at * HOUR) for at in range(1, 4)]
    assert points(*played, window=Window(2 * HOUR, 3 * HOUR))[:2] == [0, 0]
    assert points(*played, window=Window(2 * HOUR, 3 * HOUR))[2] > 0
    assert points(*played, window=Window(2 * HOUR, 3 * HOUR))[4:] == [0, 0]


@pytest.mark.parametrize("name", list(SYSTEMS))
def test_a_matchs_points_are_the_same_alone_in_a_history_and_without_memory(
    name: str,
) -> None:
    """Live results are computed one by one, histories at once."""
    rng = np.random.default_rng(5)
    system = build(name, {})
    played = []
    for number in range(40):
        sizes = [sizes for sizes in SHAPES if properties_of(name).rates(sizes)]
        names = iter(rng.permutation([f"p{one}" for one in range(60)]).tolist())
        places = rng.integers(0, 2, len(sizes[number % len(sizes)])).tolist()
        sides = [
            Side(
                place - min(places),
                [Participant(next(names), quit=bool(rng.random() < 0.1)) for _ in range(size)],
                float(rng.integers(0, 500)),
            )
            for place, size in zip(places, sizes[number % len(sizes)], strict=True)
        ]
        played.append(Match(str(number), number * 90 * HOUR, sides))
    history = History.build(played)
    rated = replay(system, history)
    every = earned_points(PointSeason(), ALWAYS, system, history, rated.before)
    assert ((every.odds >= 0) & (every.odds <= 1)).all()

    table = system.newcomers(len(history.players))
    bounds = history.match_offsets.tolist()
    for number, one in enumerate(played):
        alone = History.build([one])
        rows = [history.players.index(player) for player in alone.players]
        now = replay(system, alone, table.take(np.array(rows)))
        mine = earned_points(PointSeason(), ALWAYS, system, alone, now.before)
        span = slice(bounds[number], bounds[number + 1])
        assert mine.odds.tobytes() == every.odds[span].tobytes()
        assert mine.points.tolist() == every.points[span].tolist()
        table.put(np.array(rows), now.states)


@given(st.lists(st.lists(st.integers(-50, 50), min_size=1, max_size=6), min_size=1, max_size=6))
@settings(max_examples=examples(12))
def test_a_table_is_the_same_after_writing_and_reading_it(rows: list[list[int]]) -> None:
    typed = "\n".join(
        f"{number / len(rows)}: "
        + ", ".join(f"{step / len(steps)} = {one}" for step, one in enumerate(steps))
        for number, steps in enumerate(rows)
    )
    table = parse_table(typed)
    assert parse_table(format_table(table)) == table
    assert table_from_json(table_as_json(table)) == table


def test_the_published_tables_can_be_typed() -> None:
    for preset in PRESETS.values():
        assert parse_table(format_table(preset)).rules == preset.rules
    assert format_table(CONQUEST).splitlines()[1] == "0.2: 0 = -1, 0.6 = 0, 0.8 = 1, 1 = 2"


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("", "must begin at 0"),
        ("0: 0 = 1\n0.5", "line 2: write odds, shares and points"),
        ("0: 0 = one", "line 1: odds and shares must be numbers"),
        ("0: 0 = 1.5", "points whole numbers"),
        ("0: 0 = 1, 2 = 2", "must be at most 1"),
        ("0: 0 = 1\nnan: 0 = 1", "numbers from 0 to 1"),
        ("0: 0 = 99999", "points must be from -10000 to 10000"),
        ("\n".join(f"{n / 60}: 0 = 1" for n in range(60)), "at most 50 odds"),
    ],
)
def test_an_invalid_table_is_rejected_with_its_line(typed: str, message: str) -> None:
    with pytest.raises(PointsError, match=message):
        parse_table(typed)


def test_a_seasons_rules_include_its_points() -> None:
    given = {
        "points": {"counts": True, "table": "own", "starts": "2026-03-01T10:00+02:00"},
        "point_table": table_as_json(parse_table("0: 0 = -2, 1 = 5")),
    }
    rules = read_rules(given)
    assert rules.points.table.rules[0].checkpoints[1].points == 5
    assert rules.points.ladder.starts == "2026-03-01T08:00:00+00:00"
    assert read_rules(rules.to_json()) == rules
    assert not read_rules({}).points.ladder.counts


@pytest.mark.parametrize(
    ("given", "where", "message"),
    [
        ({"points": {"table": "own"}}, "point_table", "must be a list such as"),
        ({"points": {"grace": "40d"}}, "points.grace", "must be from 0s to 30d"),
        ({"points": {"starts": "2026-03-01"}}, "points.starts", "a time with its UTC offset"),
        ({"points": {"starts": "0001-01-01T00:00+05:00"}}, "points.starts", "a time with"),
        (
            {"points": {"starts": "2026-03-01T10:00Z", "ends": "2026-03-01T10:00Z"}},
            "points.ends",
            "must be after the points begin",
        ),
        (
            {
                "points": {"table": "own"},
                "point_table": [{"odds": 0, "checkpoints": [{"score_ratio": 0, "points": 2.5}]}],
            },
            "point_table",
            "must be a list such as",
        ),
    ],
)
def test_invalid_rules_are_rejected(given: dict[str, object], where: str, message: str) -> None:
    with pytest.raises(ParameterError) as refused:
        read_rules(given)
    assert message in refused.value.problems[where]


def test_no_match_may_start_in_the_grace_period_only() -> None:
    on = Ladder(counts=True)
    assert PointSeason(on).grace(now=9 * HOUR, starts=0, ends=10 * HOUR) == 10 * HOUR
    assert PointSeason(on).grace(now=9 * HOUR - 1, starts=0, ends=10 * HOUR) is None
    assert PointSeason(on).grace(now=10 * HOUR, starts=0, ends=10 * HOUR) is None
    assert PointSeason(on).grace(now=9 * HOUR, starts=0, ends=None) is None
    assert PointSeason(Ladder()).grace(now=9 * HOUR, starts=0, ends=10 * HOUR) is None
    early = Ladder(counts=True, ends="1970-01-01T05:00Z")
    assert PointSeason(early).grace(now=5 * HOUR - 1, starts=0, ends=10 * HOUR) == 5 * HOUR
    assert PointSeason(early).grace(now=9 * HOUR, starts=0, ends=10 * HOUR) is None
