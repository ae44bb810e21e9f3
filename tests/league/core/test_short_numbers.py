"""Lists and read-only pages of the admin show no number as the computer stores it."""

import re

import pytest
from django.contrib import admin
from django.db.models import FloatField
from django.test import Client
from django.urls import reverse

from league.admin.core.base import ReadOnly
from league.admin.core.floats import in_short
from league.models import Arena, Player, PointEntry, Rating, RatingEvent
from tests.support.admin_steps import staff
from tests.support.season_steps import win

__all__ = ["staff"]

RAW = re.compile(r">\s*-?\d+\.(?:0|\d{5,})\s*<")
"""A number such as 3.0 or 1504.86432138861, alone in a cell."""


@pytest.mark.parametrize(
    ("value", "wanted"),
    [
        (3.0, "3"),
        (1504.86432138861, "1504.86"),
        (0.0020196562745901396, "0.002"),
        (0.05999453959299412, "0.06"),
        (-0.00001, "0"),
        (-12.5, "-12.5"),
        (100.0, "100"),
        (None, None),
    ],
)
def test_a_number_is_short(value: float | None, wanted: str | None) -> None:
    assert in_short(value) == wanted


def test_every_read_only_list_of_numbers_is_one_that_shortens_them() -> None:
    raw = [
        f"{model.__name__}.{name}"
        for model, one in admin.site._registry.items()
        for name in one.list_display
        if isinstance(name, str)
        and any(field.name == name for field in model._meta.fields)
        and isinstance(model._meta.get_field(name), FloatField)
        and not isinstance(one, ReadOnly)
    ]
    assert raw == []


def test_ratings_and_points_are_short(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    match = win(duel, alice, bob)
    season = duel.seasons.get()
    point = PointEntry.objects.create(
        player=alice,
        season=season,
        match=match,
        odds=0.0020196562745901396,
        score_ratio=0.0,
        victory=True,
        deserted=False,
        points=3,
        at=match.played_at,
    )
    for row in (Rating.objects.get(player=alice), RatingEvent.objects.get(player=alice), point):
        name = row._meta.model_name
        for route, args in (("changelist", []), ("change", [row.pk])):
            page = staff.get(reverse(f"admin:league_{name}_{route}", args=args))
            assert page.status_code == 200
            assert RAW.findall(page.content.decode()) == [], (name, route)
