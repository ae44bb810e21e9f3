"""The coordinates of rating charts."""

import re
from datetime import UTC, datetime, timedelta
from itertools import pairwise, zip_longest
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from league.services.results.records.profiles import NO_MATCH, Point
from league.web.rating.charts import (
    EPOCH,
    LETTER,
    MOST_POINTS,
    MOST_TIMES,
    NARROW_PLOT,
    WIDE_PLOT,
    Judged,
    Mark,
    rating_chart,
    thin_out,
)
from league.web.rating.plots import HEIGHT, WIDTH

START = datetime(2020, 1, 1, tzinfo=UTC)


def history(ratings: list[float], days: float = 1, deviation: float | None = 50) -> list[Point]:
    return [
        Point(START + timedelta(days=days * number), rating, deviation, number)
        for number, rating in enumerate(ratings)
    ]


def test_no_match_no_chart() -> None:
    assert rating_chart([], UTC) is None


def test_higher_ratings_are_drawn_higher_and_later_ones_further_right() -> None:
    chart = rating_chart(history([1500, 1600, 1400]), UTC)
    assert chart is not None
    assert [dot.at for dot in chart.dots] == [0, 50, 100]
    first, highest, lowest = (dot.height for dot in chart.dots)
    assert 0 < highest < first < lowest < HEIGHT
    assert chart.line.startswith(f"M0.0 {first:.1f}L{WIDTH / 2:.1f} {highest:.1f}L")
    assert chart.band.endswith("Z")


def test_a_single_match_and_a_rating_that_never_moves_can_be_drawn() -> None:
    for ratings in ([1500.0], [1500.0] * 5):
        chart = rating_chart(history(ratings, deviation=None), UTC)
        assert chart is not None
        assert chart.band == ""
        assert all(0 < dot.height < HEIGHT for dot in chart.dots)


def test_a_long_history_keeps_its_ends_its_highest_and_its_lowest() -> None:
    ratings = [1500 + (number * 7919 % 400) for number in range(5000)]
    ratings[1234], ratings[4321] = 2500, 500
    kept = thin_out(history([float(rating) for rating in ratings]))
    assert len(kept) <= MOST_POINTS
    assert (kept[0].match_id, kept[-1].match_id) == (0, 4999)
    assert {1234, 4321} <= {point.match_id for point in kept}


@pytest.mark.parametrize(
    ("days", "first_label"),
    [(0.01, "00:00"), (1, "2 Jan"), (30, "Jan 2020"), (400, "2020"), (40_000 / 9, "2020")],
)
def test_the_time_axis_has_round_marks_for_a_day_or_a_century(
    days: float, first_label: str
) -> None:
    chart = rating_chart(history([1500.0 + n for n in range(10)], days=days), UTC)
    assert chart is not None
    labels = [mark.label for mark in chart.times]
    assert len(labels) <= MOST_TIMES
    if days > 0.1:
        assert labels[0] == first_label
        assert len(labels) >= 3


def test_marks_fall_on_the_readers_midnight() -> None:
    chart = rating_chart(history([1.0, 2.0], days=730), ZoneInfo("Asia/Tokyo"))
    assert chart is not None
    assert chart.times[0].label == "Jul 2020"


@given(
    st.lists(
        st.tuples(
            st.floats(-1e6, 1e6), st.one_of(st.none(), st.floats(0, 1e4)), st.integers(0, 60_000)
        ),
        min_size=1,
        max_size=400,
    )
)
def test_whatever_was_played_its_drawing_stays_in_the_box(
    games: list[tuple[float, float | None, int]],
) -> None:
    points = [
        Point(START + timedelta(days=day), rating, deviation, number)
        for number, (rating, deviation, day) in enumerate(games)
    ]
    chart = rating_chart(points, UTC)
    assert chart is not None
    assert len(chart.dots) <= MOST_POINTS
    assert len(chart.times) <= MOST_TIMES
    assert not re.search("nan|inf|e", chart.line + chart.band)
    for dot in chart.dots:
        assert 0 <= dot.at <= 100
        assert 0 <= dot.height <= HEIGHT
    for mark in chart.levels:
        assert 0 <= mark.at <= HEIGHT
    assert len(chart.levels) <= 6
    assert all(0 <= mark.at <= 100 for mark in chart.times)
    check_room([mark for mark in chart.times if mark.is_narrow], NARROW_PLOT)
    check_room(chart.times, WIDE_PLOT)


def check_room(marks: list[Mark], width: int) -> None:
    """Check that no labels of a time axis overlap, where each is in the middle of its mark."""
    for one, other in pairwise(marks):
        halves = LETTER * (len(one.label) + len(other.label)) / 2
        assert (other.at - one.at) / 100 * width >= halves


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(0, 2000), st.integers(1000, 2000)),
        min_size=1,
        max_size=60,
    ),
    st.dictionaries(st.integers(0, 3), st.text("Season 2026", max_size=30)),
)
def test_every_match_of_every_season_is_a_point_and_names_never_overlap(
    games: list[tuple[int, int, int]], names: dict[int, str]
) -> None:
    points = [
        Point(START + timedelta(days=day), rating, None, number, season_id=season)
        for number, (season, day, rating) in enumerate(games)
    ]
    chart = rating_chart(points, UTC, seasons=names)
    assert chart is not None
    assert sorted(dot.point for dot in chart.dots) == sorted(points)
    assert [dot.at for dot in chart.dots] == sorted(dot.at for dot in chart.dots)
    seasons = {season for season, _day, _rating in games}
    assert chart.line.count("M") == chart.area.count("Z") == len(seasons)
    assert len(chart.seasons) == len(seasons) - 1
    for mark, end in zip_longest(chart.seasons, [mark.at for mark in chart.seasons][1:]):
        room = (end if end is not None else 100) - mark.at
        width = NARROW_PLOT if mark.is_narrow else WIDE_PLOT
        assert not mark.label or LETTER * len(mark.label) <= room / 100 * width


def test_ranks_are_drawn_from_the_first_at_the_top_and_held_until_the_next_match() -> None:
    chart = rating_chart(history([12, 3, 7], deviation=None), UTC, lowest_first=True)
    assert chart is not None
    lowest, highest, middle = (dot.height for dot in chart.dots)
    assert 0 < highest < middle < lowest < HEIGHT
    first, *others = chart.levels
    assert (first.label, [mark.label for mark in others]) == ("1", ["5", "10"])
    assert 0 < first.at < min(highest, *(mark.at for mark in others))
    assert chart.line.startswith(
        f"M0.0 {lowest:.1f}L{WIDTH / 2:.1f} {lowest:.1f}L{WIDTH / 2:.1f} {highest:.1f}L"
    )


@given(st.lists(st.integers(1, 10_000), min_size=1, max_size=50))
def test_whoever_climbs_or_falls_their_ranks_stay_in_the_box(ranks: list[int]) -> None:
    chart = rating_chart(
        history([float(rank) for rank in ranks], deviation=None), UTC, lowest_first=True
    )
    assert chart is not None
    assert all(0 <= dot.height <= HEIGHT for dot in chart.dots)
    assert all(0 <= mark.at <= HEIGHT for mark in chart.levels)
    assert len(chart.levels) <= 7


def test_the_chart_of_a_first_match_starts_where_the_player_started() -> None:
    first = history([1560])[0]
    start = first._replace(rating=1500.0, deviation=350.0, match_id=NO_MATCH)
    chart = rating_chart([first], ZoneInfo("Asia/Tokyo"), start=start)
    assert chart is not None
    begun, ended = chart.dots
    assert (begun.at, ended.at) == (0, 50)
    assert begun.point.rating == 1500
    assert begun.height > ended.height
    assert chart.count == 1
    assert [mark.label for mark in chart.times] == ["00:00", "06:00", "12:00", "18:00"]
    assert chart.times[1].moment == "2020-01-01T06:00:00+09:00"
    longer = rating_chart(history([1560.0] * 5, days=100), UTC, start=start)
    assert longer is not None
    assert [dot.at for dot in longer.dots][:2] == [0, pytest.approx(100 / 41, abs=0.01)]


def test_the_line_in_hindsight_runs_through_the_days_that_have_been_computed() -> None:
    points = history([1500, 1520, 1540, 1510])
    day = (START - EPOCH).days
    hindsight = {day: Judged(1700, 60), day + 1: Judged(1710, 55), day + 2: Judged(1690, 50)}
    start = points[0]._replace(match_id=NO_MATCH)
    chart = rating_chart(points, UTC, start=start, hindsight=hindsight)
    assert chart is not None
    assert [dot.judged for dot in chart.dots] == [None, *hindsight.values(), None]
    assert chart.judged == (hindsight[day], hindsight[day + 2])
    assert chart.hindsight.count("L") == 2
    corners = [tuple(map(float, one.split())) for one in re.split("[ML]", chart.hindsight)[1:]]
    assert [x for x, _ in corners] == [dot.at * WIDTH / 100 for dot in chart.dots[1:4]]
    first, highest, lowest = (y for _, y in corners)
    assert 0 < highest < first < lowest < min(dot.height for dot in chart.dots)


def test_a_single_point_in_hindsight_is_no_line() -> None:
    hindsight = {(START - EPOCH).days: Judged(1700, 60)}
    chart = rating_chart(history([1500, 1520]), UTC, hindsight=hindsight)
    assert chart is not None
    assert (chart.hindsight, chart.judged) == ("", None)
    assert all(dot.judged is None for dot in chart.dots)
