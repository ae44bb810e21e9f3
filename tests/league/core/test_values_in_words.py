"""Settings in words: summaries of a form's sections and the staff log have no codes."""

import re

import pytest
from django.urls import reverse

from league.models import Arena, Player
from league.services.core.declared import length_in_words
from ratings.tunables.spans import parse_span
from tests.support.competition_steps import competition
from tests.support.web_steps import browser_of, words

UNITS = {
    "year": 31_536_000, "day": 86_400, "week": 604_800,
    "hour": 3_600, "minute": 60, "second": 1,
}  # fmt: skip


@pytest.mark.parametrize(
    "written",
    ["0s", "1s", "90s", "59m", "61m", "3601s", "25h", "90061s", "36h", "10d", "1w", "400d",
     "9000h", "8761h", "250ms", "1.5s", "0.5d"],
)  # fmt: skip
def test_a_length_in_words_is_as_long_as_what_is_written(written: str) -> None:
    said, span = length_in_words(written), parse_span(written)
    if said == written:  # words would leave a part out
        assert written in {"3601s", "90061s", "8761h", "250ms", "1.5s"}
        return
    parts = re.findall(r"(\d+) (year|week|day|hour|minute|second)s?", said)
    assert sum(int(count) * UNITS[unit] for count, unit in parts) == span


def test_months_are_those_of_the_calendar() -> None:
    assert [length_in_words(one) for one in ("3 months", "1 year")] == ["3 months", "12 months"]


def test_a_competition_says_its_rules_in_words(duel: Arena, olga: Player) -> None:
    one = competition(
        duel, "table", dates={"default_after": "0s"}, table={"tie_breaks": "difference, direct"}
    )
    page = browser_of(olga).get(reverse("admin:league_competition_change", args=[one.pk]))
    said = words(page)
    assert re.search(r"Tie-breaks: Score difference, Direct encounter", said)
    assert not re.search(r": 0s[;.]|: difference, direct", said)
