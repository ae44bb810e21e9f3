"""Scores of halves and other decimals are added exactly, wherever a table is shown."""

import csv
from datetime import timedelta
from decimal import Decimal
from fractions import Fraction

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings
from hypothesis import strategies as st

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import progress
from league.services.competitions.outcomes import Outcome as Ended
from league.services.competitions.pages import FixtureLine
from league.services.competitions.standings.competition_tables import exact, read_tables
from league.services.competitions.standings.entrant_rounds import Outcome, PointsRules, Result
from league.services.competitions.standings.tables import table
from tests.support.competition_steps import START, begun, crowd, fixture_of, play
from tests.support.effort import examples

WEEK = timedelta(days=7)
RESULTS = {
    "AD": (4.5, 3.5),
    "CB": (4.5, 3.5),
    "DB": (4.5, 3.5),
    "AC": (4.5, 3.5),
    "CD": (5.5, 2.5),
    "BA": (5.5, 2.5),
}
SUMS = {"A": (11.5, 12.5), "B": (12.5, 11.5), "C": (13.5, 10.5), "D": (10.5, 13.5)}


@pytest.fixture
def quarters(duel: Arena, olga: Player) -> Competition:
    """Return a table of four whose results are halves."""
    players = dict(zip("ABCD", crowd(4), strict=True))
    rules = {"tie_breaks": "difference, for"}
    one = begun(duel, olga, [*players.values()], table=rules)
    for week in range(3):
        progress.sweep(START + week * WEEK)
        for pair, (first, second) in RESULTS.items():
            winner, loser = players[pair[0]], players[pair[1]]
            fixture = fixture_of(one, winner, loser)
            if fixture.round.number == week + 1 and fixture.home:
                at_home = fixture.home.player == winner
                play(fixture, winner, score=(first, second) if at_home else (second, first))
    names = {player: letter for letter, player in players.items()}
    for entrant in one.entrants.with_people():
        entrant.name = names[entrant.player]
        entrant.save()
    return one


def test_half_points_are_summed_exactly(quarters: Competition, client: Client) -> None:
    [table] = read_tables(quarters)
    assert {
        line.entrant.name: tuple(map(float, (line.row.for_, line.row.against)))
        for line in table.lines
    } == SUMS
    ordered = [(line.entrant.name, *line.tie_breaks) for line in table.lines]
    assert ordered == [
        ("C", "3", "13.5"),
        ("A", "-1", "11.5"),
        ("B", "1", "12.5"),
        ("D", "-3", "10.5"),
    ]


def test_pages_files_and_the_api_show_half_points(quarters: Competition, client: Client) -> None:
    page = client.get(quarters.get_absolute_url()).content.decode()
    assert all(f"{scored}–{conceded}" in page for scored, conceded in SUMS.values())
    [shown] = client.get(reverse("api:table", args=[quarters.pk])).json()
    read = {line["name"]: (line["scored"], line["conceded"]) for line in shown["lines"]}
    assert read == SUMS
    slug = quarters.season.arena.slug
    file = client.get(reverse("competition_file", args=[slug, quarters.pk, "table", "csv"]))
    text = b"".join(file) if file.streaming else file.content
    rows = csv.DictReader(text.decode("utf-8-sig").splitlines())
    assert {row["name"]: (float(row["for"]), float(row["against"])) for row in rows} == SUMS
    progress.sweep(START + 3 * WEEK)
    quarters.refresh_from_db()
    assert quarters.final
    kept = quarters.final["boards"][0]["lines"]
    assert {line["name"]: (line["for"], line["against"]) for line in kept} == SUMS


@settings(max_examples=examples(25))
@given(
    st.lists(
        st.tuples(*[st.integers(0, 10**9)] * 2, st.sampled_from([1, 2, 4, 5, 10, 100, 1000])),
        min_size=1,
        max_size=20,
    )
)
def test_any_decimals_add_up(numbers: list[tuple[int, int, int]]) -> None:
    scores = [(one / divisor, other / divisor) for one, other, divisor in numbers]
    results = [
        Result(number, 1, 2, Outcome.HOME, scores=(exact(one), exact(other)))
        for number, (one, other) in enumerate(scores, start=1)
    ]
    first = next(
        line for line in table([1, 2], results, PointsRules(), ["for"]) if line.entrant == 1
    )
    mine, theirs = (sum((Decimal(str(pair[at])) for pair in scores), Decimal()) for at in (0, 1))
    assert (first.for_, first.against) == (Fraction(mine), Fraction(theirs))


@pytest.mark.parametrize(
    ("scores", "text"),
    [((4.5, 3.5), "4.5–3.5"), ((1234567.5, 0.0), "1234567.5–0"), ((10.0, 2.0), "10–2")],
)
def test_a_score_is_shown_whole(scores: tuple[float, float], text: str) -> None:
    assert FixtureLine(Fixture(), Ended("home", *scores)).score == text
