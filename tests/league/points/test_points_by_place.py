"""A season of races: points by place, entered by an organiser and added up by hand."""

from __future__ import annotations

import re
from collections import Counter
from datetime import timedelta
from random import Random
from typing import TYPE_CHECKING

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from league.models import Player
from league.services.arenas.presets import PRESETS
from league.services.arenas.starting import from_preset
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.seasons.opening import publish
from ratings.history import History, Match, Participant, Side
from ratings.points.history import earned_points, ranks_of
from ratings.points.rules import Ladder, Window
from ratings.points.tables import PointSeason
from ratings.registry import build
from ratings.replay import replay
from ratings.seasons.rules import SeasonRules, read_rules
from ratings.tunables.reading import ParameterError, read_parameters
from tests.league.transfer.test_evenings import form, page_of
from tests.support.admin_steps import staff
from tests.support.result_steps import user_of
from tests.support.web_steps import words

if TYPE_CHECKING:
    from django.test import Client

__all__ = ["staff"]

DRIVERS = ["Ann", "Bob", "Cy", "Dee", "Eve", "Flo", "Gil", "Hal", "Ida", "Jim", "Kim", "Lou"]
POINTS = [25, 18, 15, 12, 10, 8, 6, 4, 2, 1, 0, 0]
BY_PLACE = {"counts": True, "table": "places"}


def test_a_season_of_races_is_added_up(staff: Client, olga: Player) -> None:
    by, now = user_of(olga), database_now() - timedelta(days=1)
    arena = from_preset(PRESETS["racing"], name="Karts", slug="karts", by=by, now=now)
    publish(arena.pk, by=by, now=now)
    for name in DRIVERS:
        Player.objects.create(name=name)
    random, wanted = Random(3), Counter[str]()  # noqa: S311 - results, no secrets
    for _race in range(4):
        order = random.sample(DRIVERS, len(DRIVERS))
        for name, points in zip(order, POINTS, strict=True):
            wanted[name] += points
        sent = form([("", "", "")], order=" > ".join(order), save="1")
        done = staff.post(page_of(arena), sent)
        assert done.status_code == 302, words(done)
    page = staff.get(reverse("points", args=["karts"])).content.decode()
    rows = re.findall(
        r"<th scope=\"row\"><a[^>]*>(\w+)</a>.*?<strong>(\d+)</strong>", page, re.DOTALL
    )
    assert {name: int(points) for name, points in rows} == wanted
    assert [int(points) for _name, points in rows] == sorted(wanted.values(), reverse=True)
    assert "Points by place in each match." in page
    assert verify(arena.seasons.get()) == []
    overview = staff.get(arena.get_absolute_url()).content.decode()
    points, ratings = overview.index("Points of the season"), overview.index("Leaders by rating")
    assert points < ratings, "points decide who wins a season of races"
    best = wanted.most_common(1)[0][1]
    assert f"<strong>{best}</strong>" in overview[points:ratings]


@given(
    st.lists(st.lists(st.integers(0, 4), min_size=2, max_size=8), max_size=5),
    st.lists(st.integers(0, 10_000), min_size=1, max_size=6),
    st.booleans(),
)
def test_everybody_gets_the_points_of_their_place(
    races: list[list[int]], points: list[int], leaves: bool
) -> None:
    history = History.build(
        [
            Match(
                str(number),
                number,
                [
                    Side(place, [Participant(f"{at}", quit=leaves and at == 0)])
                    for at, place in enumerate(places)
                ],
            )
            for number, places in enumerate(races)
        ]
    )
    system = build("elo-mmr")
    ladder = read_parameters(Ladder, BY_PLACE | {"by_place": ", ".join(map(str, points))})
    before = replay(system, history).before
    found = earned_points(PointSeason(ladder), Window(0, 1 << 60), system, history, before)
    ranks = [sum(other < place for other in places) for places in races for place in places]
    assert ranks_of(history).tolist() == ranks
    firsts = [at == 0 for places in races for at in range(len(places))]
    assert found.points.tolist() == [
        0 if (leaves and first) or rank >= len(points) else points[rank]
        for rank, first in zip(ranks, firsts, strict=True)
    ]


@pytest.mark.parametrize("typed", ["", "25, x", "-1", "1" * 6, "1.5", ", ".join(["1"] * 101), "²"])
def test_points_by_place_are_whole_numbers(typed: str) -> None:
    with pytest.raises(ParameterError) as error:
        read_parameters(Ladder, BY_PLACE | {"by_place": typed})
    assert "by_place" in error.value.problems


def test_rules_without_points_by_place_are_as_the_release_before_reads_them() -> None:
    assert "by_place" not in SeasonRules().to_json()["points"]
    rules = read_rules({"points": BY_PLACE})
    assert read_rules(rules.to_json()) == rules
    assert rules.points.by_place == tuple(POINTS[:10])
