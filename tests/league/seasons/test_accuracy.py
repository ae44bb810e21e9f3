"""How well a season's matches were predicted, and would be with a correction."""

import math
from datetime import timedelta

import numpy as np
import pytest
from django.test import Client
from django.urls import reverse

from league import tasks
from league.models import Arena, Match, Player, Rating, Season, SeasonAccuracy
from league.services.integrity.points import differences
from league.services.seasons import accuracy
from ratings import registry
from ratings.lab import calibration
from ratings.lab.evaluation import evaluate
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, OPENING, account, arena
from tests.support.correction_steps import correct
from tests.support.other_rules_steps import play_duels
from tests.support.point_steps import with_points
from tests.support.season_steps import win
from tests.support.web_steps import words

__all__ = ["staff"]


def season_of(arena: Arena) -> Season:
    return arena.seasons.get()


SURE = {"max_gain": 200}
"""An Elo that follows each result far too eagerly, so its forecasts are too certain."""


def season_with(matches: int, slug: str = "chess", turned: int | None = None) -> Season:
    made = arena(slug, rating_system="elo", rating_parameters=SURE)
    play_duels(made, matches, turned=turned)
    accuracy.measure_due(NOW)
    return season_of(made)


def page(season: Season) -> str:
    return reverse("admin:league_arena_other_rules", args=[season.arena_id, season.pk])


def test_a_season_is_measured_by_the_forecasts_of_its_matches(
    alice: Player, bob: Player, charlie: Player
) -> None:
    made = arena("elo", rating_system="elo")
    win(made, alice, bob)
    win(made, alice, charlie)
    win(made, charlie, alice)
    assert accuracy.measure_due(NOW) == 1
    [found] = accuracy.accuracies([season_of(made)])
    first, second, third = (
        match.forecast[0] for match in Match.objects.order_by("rated_order") if match.forecast
    )
    assert first == 0.5
    assert found.log_loss == pytest.approx(-math.log(first * second * third) / 3)
    assert found.even_log_loss == pytest.approx(math.log(2))
    # Nobody was the favourite of the first match. Alice was of the others, and won one of them.
    assert (found.matches, found.decided, found.favourites) == (3, 3, 1.5)
    assert found.even_favourites == 1.5


@pytest.mark.parametrize("system", ["elo", "glicko-2", "trueskill"])
def test_it_says_what_an_evaluation_of_the_whole_history_says(system: str) -> None:
    made = arena("old", rating_system=system)
    played = play_duels(made, 300, draws=0.1)
    accuracy.measure_due(NOW)
    [found] = accuracy.accuracies([season_of(made)])
    whole = evaluate(registry.build(system, {}), played)
    assert found.log_loss == pytest.approx(whole.log_loss)
    assert 100 * found.favourites / found.decided == pytest.approx(whole.accuracy)
    assert found.log_loss < found.even_log_loss


def test_imported_matches_have_forecasts_unless_their_points_follow_from_the_ratings(
    duel: Arena,
) -> None:
    play_duels(duel, 10)
    assert not Match.objects.filter(forecast=None).exists()
    made = with_points()
    play_duels(made, 40)
    assert not Match.objects.filter(arena=made).exclude(forecast=None).exists()
    assert differences(season_of(made)) == []


def test_a_season_is_measured_again_after_a_result_or_a_correction(
    alice: Player, bob: Player
) -> None:
    made = arena("elo", rating_system="elo")
    assert accuracy.measure_due(NOW) == 0
    match = win(made, alice, bob)
    assert tasks.measure_forecasts() == 1
    assert tasks.measure_forecasts() == 0
    olga = account("Olga", superuser=True).user
    assert olga
    correct(match, olga)
    assert tasks.measure_forecasts() == 1
    assert accuracy.accuracies([season_of(made)]) == []
    assert tasks.measure_forecasts() == 0


def test_players_read_it_on_the_page_of_the_seasons(
    duel: Arena, alice: Player, bob: Player
) -> None:
    where = reverse("seasons", args=["duel"])
    assert "How well matches were predicted" not in words(Client().get(where))
    win(duel, alice, bob)
    accuracy.measure_due(NOW)
    assert (
        "How well matches were predicted Season Matches Won by the favourite Expected by chance "
        "Log loss Log loss of a coin toss Season 1 1 50 % 50 % 0.693 0.693"
    ) in words(Client().get(where))


def test_only_those_who_may_change_arenas_see_the_page(duel: Arena, alice: Player) -> None:
    assert browser_of(alice.user).get(page(season_of(duel))).status_code == 302
    helper = account("Hank")
    assert helper.user
    helper.user.is_staff = True
    helper.user.save()
    assert browser_of(helper.user).get(page(season_of(duel))).status_code == 403
    assert browser_of(helper.user).post(page(season_of(duel))).status_code == 403


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
    by_hand = calibration.correct(chance, places, np.full(300, 2), days + OPENING.toordinal())
    wanted = -np.log(by_hand.chance[places == 0]).mean()
    assert row.losses["corrected"] == pytest.approx(wanted)
    assert accuracy.measure(season)["calibration"] == row.calibration


def test_a_result_cannot_influence_its_own_forecast_nor_an_earlier_one() -> None:
    which = 150
    one, other = (
        accuracy.measure(season_with(200, slug, turned))["calibration"]
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
    assert accuracy.before_it(new) == [old.pk]
    assert accuracy.measure(new)["calibration"] is None
    late = Match.objects.filter(played_at__gte=new.starts_at).exclude(forecast=None)
    # As if these had been played in the new season.
    moved = list(Match.objects.order_by("-rated_order").values_list("pk", flat=True)[:20])
    assert not late.exists()
    Match.objects.filter(pk__in=moved).update(season=new)
    found = accuracy.measure(new)["calibration"]
    assert found
    assert (found["matches"], found["earlier"]) == (20, 100)
    assert found["slopes"][0][1] < 1.0
    Season.objects.filter(pk=old.pk).update(rating_system="glicko-2")
    alone = accuracy.measure(new)["calibration"]
    assert alone
    assert alone["earlier"] == 0
    assert alone["slopes"][0][1] == 1.0


def test_only_the_latest_matches_of_a_large_arena_are_read(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    season = season_with(60)
    monkeypatch.setattr(accuracy, "MOST_MATCHES", 25)
    found = accuracy.measure(season)["calibration"]
    assert found
    assert found["matches"] == 25
    latest = Match.objects.order_by("-rated_order").first()
    assert latest
    assert found["slopes"][-1][0] <= latest.played_at.date().isoformat()


def test_the_page_shows_both_with_their_reliability(staff: Client) -> None:
    season = season_with(200)
    row = SeasonAccuracy.objects.get()
    shown = words(staff.get(page(season)))
    assert "corrected forecasts" in shown
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
    assert "corrected forecasts" not in words(staff.get(page(duel.seasons.get())))


def test_a_forecast_of_the_impossible_does_not_stop_the_measuring() -> None:
    season = season_with(30)
    first = Match.objects.order_by("rated_order")[0]
    Match.objects.filter(pk=first.pk).update(forecast=[math.nan, math.nan])
    certain = Match.objects.order_by("rated_order")[1]
    Match.objects.filter(pk=certain.pk).update(forecast=[1.0, 0.0])
    found = accuracy.measure(season)["calibration"]
    assert found
    assert found["matches"] == 29
    assert math.isfinite(found["loss"]["corrected"])
