"""Corrected forecasts of a season: stored apart, from nothing but the past, and shown."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.urls import reverse

from league.models import Match, Rating, Season, SeasonAccuracy
from league.services.core.clock import microseconds
from league.services.seasons import accuracy, calibration
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings.history import History, Participant, Side
from ratings.history import Match as Played
from ratings.lab.calibration import correct
from tests.support.admin_steps import staff
from tests.support.cast import NOW, OPENING, arena
from tests.support.web_steps import words

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Arena

__all__ = ["staff"]

pytestmark = pytest.mark.django_db

HOUR = 3_600_000_000
SURE = {"max_gain": 200}
"""An Elo that follows each result far too eagerly, so its forecasts are too certain."""


def played(matches: int, *, turned: int | None = None) -> History:
    """Return duels every three hours, of which the one numbered ``turned`` ended otherwise."""
    generator = np.random.default_rng(6)
    skill = generator.normal(0, 150, 10)
    found = []
    for number in range(matches):
        one, other = generator.permutation(10)[:2].tolist()
        chance = 1 / (1 + 10 ** ((skill[other] - skill[one]) / 400))
        won = (generator.random() < chance) != (number == turned)
        sides = [Side(0 if won else 1, [Participant(f"Player {one}")])]
        sides.append(Side(1 if won else 0, [Participant(f"Player {other}")]))
        found.append(Played(f"m{number}", microseconds(OPENING) + number * 3 * HOUR, sides))
    return History.build(found)


def season_with(matches: int, slug: str = "chess", turned: int | None = None) -> Season:
    made = arena(slug, rating_system="elo", rating_parameters=SURE)
    history = played(matches, turned=turned)
    import_history(made, ResultFile(history, [{} for _ in range(matches)], []), now=NOW)
    accuracy.measure_due(NOW)
    return made.seasons.get()


def page(season: Season) -> str:
    return reverse("admin:league_arena_forecasts", args=[season.arena_id, season.pk])


def test_forecasts_that_are_too_certain_would_be_better_with_a_slope() -> None:
    season = season_with(300)
    row = SeasonAccuracy.objects.get()
    assert row.calibration
    assert row.calibration["matches"] == 300
    assert row.losses["forecast"] == pytest.approx(row.log_loss)
    assert row.losses["corrected"] < row.losses["forecast"] - 0.01
    assert row.slope < 0.8
    assert row.calibration["slopes"][0] == [OPENING.date().isoformat(), 1.0]

    # By hand, from the matches as they are stored.
    matches = list(Match.objects.order_by("rated_order"))
    chance = np.array([match.forecast for match in matches]).ravel()
    places = np.array(
        [[side.place for side in match.sides.order_by("index")] for match in matches]
    ).ravel()
    days = np.array([(match.played_at - OPENING) // timedelta(days=1) for match in matches])
    by_hand = correct(chance, places, np.full(300, 2), days + OPENING.toordinal())
    wanted = -np.log(by_hand.chance[places == 0]).mean()
    assert row.losses["corrected"] == pytest.approx(wanted)
    assert calibration.calibrated(season) == row.calibration


def test_a_result_cannot_influence_its_own_forecast_nor_an_earlier_one() -> None:
    which = 150
    one, other = (
        calibration.calibrated(season_with(200, slug, turned))
        for slug, turned in (("chess", None), ("blitz", which))
    )
    assert one
    assert other
    day = (OPENING + timedelta(hours=3 * which)).date().isoformat()
    until = [[slope for slope in found["slopes"] if slope[0] <= day] for found in (one, other)]
    assert until[0] == until[1]
    assert len(until[0]) > 10
    assert one["slopes"] != other["slopes"]


def test_nothing_but_the_comparison_is_stored() -> None:
    season_with(60)
    kept = (
        list(Rating.objects.order_by("pk").values_list("rating", flat=True)),
        list(Match.objects.order_by("pk").values_list("forecast", flat=True)),
    )
    SeasonAccuracy.objects.all().delete()
    accuracy.measure_due(NOW)
    assert kept == (
        list(Rating.objects.order_by("pk").values_list("rating", flat=True)),
        list(Match.objects.order_by("pk").values_list("forecast", flat=True)),
    )


def test_earlier_seasons_under_the_same_system_teach_the_slope() -> None:
    old = season_with(120)
    old.ends_at = old.starts_at + timedelta(days=45)
    old.save()
    new = Season.objects.create(
        arena=old.arena,
        name="Season 2",
        starts_at=old.starts_at + timedelta(days=45),
        rating_system="elo",
        rating_parameters=SURE,
        opened_at=old.starts_at + timedelta(days=45),
    )
    assert calibration.before_it(new) == [old.pk]
    assert calibration.calibrated(new) is None
    late = Match.objects.filter(played_at__gte=new.starts_at).exclude(forecast=None)
    # As if these had been played in the new season.
    moved = list(Match.objects.order_by("-rated_order").values_list("pk", flat=True)[:20])
    assert not late.exists()
    Match.objects.filter(pk__in=moved).update(season=new)
    found = calibration.calibrated(new)
    assert found
    assert (found["matches"], found["earlier"]) == (20, 100)
    assert found["slopes"][0][1] < 1.0
    Season.objects.filter(pk=old.pk).update(rating_system="glicko-2")
    alone = calibration.calibrated(new)
    assert alone
    assert alone["earlier"] == 0
    assert alone["slopes"][0][1] == 1.0


def test_only_the_latest_matches_of_a_large_arena_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = season_with(60)
    monkeypatch.setattr(calibration, "MOST_MATCHES", 25)
    found = calibration.calibrated(season)
    assert found
    assert found["matches"] == 25
    latest = Match.objects.order_by("-rated_order").first()
    assert latest
    assert found["slopes"][-1][0] <= latest.played_at.date().isoformat()


def test_the_page_shows_both_with_their_reliability(staff: Client) -> None:
    season = season_with(200)
    row = SeasonAccuracy.objects.get()
    shown = words(staff.get(page(season)))
    assert "Corrected forecasts" in shown
    assert f"As forecast {row.losses['forecast']:.4f}" in shown
    assert f"Corrected {row.losses['corrected']:.4f}" in shown
    said = "Both are measured on the latest {} matches. The latest slope is"
    assert f"{said.format('200')} {row.slope:.2f}." in shown
    row.matches, row.calibration = 49_520, {**(row.calibration or {}), "matches": 49_520}
    row.save()
    many = words(staff.get(page(season)))
    assert said.format("49,520") in many
    assert "In 49,520 matches, the log loss" in many
    answer = staff.get(page(season)).content.decode()
    assert answer.count('<figure class="reliability">') == 2
    bins = (row.calibration or {})["bins"]
    assert answer.count("<circle") == len(bins["forecast"]) + len(bins["corrected"])


def test_the_page_leaves_it_out_before_anything_is_measured(staff: Client, duel: Arena) -> None:
    assert "Corrected forecasts" not in words(staff.get(page(duel.seasons.get())))


def test_a_forecast_of_the_impossible_does_not_stop_the_measuring() -> None:
    season = season_with(30)
    first = Match.objects.order_by("rated_order")[0]
    Match.objects.filter(pk=first.pk).update(forecast=[math.nan, math.nan])
    certain = Match.objects.order_by("rated_order")[1]
    Match.objects.filter(pk=certain.pk).update(forecast=[1.0, 0.0])
    found = calibration.calibrated(season)
    assert found
    assert found["matches"] == 29
    assert math.isfinite(found["loss"]["corrected"])
