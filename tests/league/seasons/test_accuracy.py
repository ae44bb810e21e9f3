"""How well a season's matches were predicted, and which largest gain would have done better."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np
import pytest
from django.db import connection
from django.test import Client
from django.urls import reverse

from league import tasks
from league.models import Anchor, Match, Rating, Season, SeasonAccuracy
from league.services.core.clock import microseconds
from league.services.integrity.points import differences
from league.services.seasons import accuracy
from league.services.seasons.anchors import follow
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings import registry
from ratings.history import History, Participant, Side
from ratings.history import Match as Played
from ratings.lab.evaluation import evaluate
from ratings.lab.gains import gains_around
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, OPENING, account, arena
from tests.support.correction_steps import correct
from tests.support.point_steps import with_points
from tests.support.season_steps import win
from tests.support.web_steps import words

if TYPE_CHECKING:
    from league.models import Arena, Player

__all__ = ["staff"]

pytestmark = pytest.mark.django_db


def season_of(arena: Arena) -> Season:
    return arena.seasons.get()


def history(matches: int = 300, players: int = 12, seed: int = 5) -> History:
    """Return duels between players of lasting skills, some of them drawn."""
    generator = np.random.default_rng(seed)
    skill = generator.normal(0, 300, players)
    played = []
    for number in range(matches):
        one, other = generator.permutation(players)[:2]
        chance = 1 / (1 + 10 ** ((skill[other] - skill[one]) / 400))
        places = (0, 0) if generator.random() < 0.1 else (0, 1)
        if places == (0, 1) and generator.random() > chance:
            places = (1, 0)
        played.append(
            Played(
                f"m{number}",
                microseconds(OPENING) + number * 3_600_000_000,
                tuple(
                    Side(place, (Participant(f"Player {who}"),))
                    for place, who in zip(places, (one, other), strict=True)
                ),
            )
        )
    return History.build(played)


def imported(arena: Arena, matches: int = 300) -> History:
    played = history(matches)
    import_history(arena, ResultFile(played, [{} for _ in range(len(played))], []), now=NOW)
    return played


def page(season: Season) -> str:
    return reverse("admin:league_arena_forecasts", args=[season.arena_id, season.pk])


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
    played = imported(made)
    accuracy.measure_due(NOW)
    [found] = accuracy.accuracies([season_of(made)])
    whole = evaluate(registry.build(system, {}), played)
    assert found.log_loss == pytest.approx(whole.log_loss)
    assert 100 * found.favourites / found.decided == pytest.approx(whole.accuracy)
    assert found.log_loss < found.even_log_loss


def test_imported_matches_have_forecasts_unless_their_points_follow_from_the_ratings(
    duel: Arena,
) -> None:
    imported(duel, 10)
    assert not Match.objects.filter(forecast=None).exists()
    made = with_points()
    imported(made, 40)
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
        "Log loss Log loss of a coin toss Season 1 1 50% 50% 0.693 0.693"
    ) in words(Client().get(where))


def test_the_suggested_gain_would_have_predicted_the_season_best(staff: Client) -> None:
    made = arena("elo", rating_system="elo", rating_parameters={"max_gain": 400})
    played, season = imported(made), season_of(made)
    before = list(Rating.objects.order_by("pk").values_list("rating", flat=True))
    accuracy.measure_due(NOW)
    assert "Try other largest gains" in staff.get(page(season)).content.decode()
    staff.post(page(season))
    tasks.compute_gains()
    row = SeasonAccuracy.objects.get()
    assert row.asked_at is None
    losses = dict(map(tuple, row.gains or []))
    assert list(losses) == gains_around(400)
    by_hand = {
        gain: evaluate(registry.build("elo", {"max_gain": gain}), played).log_loss
        for gain in gains_around(400)
    }
    assert losses == pytest.approx(by_hand)
    best = min(by_hand, key=lambda gain: by_hand[gain])
    assert row.best_gain == best < 200
    assert f"Suggested: {best:g} instead of 400." in words(staff.get(page(season)))
    # Trying is not changing.
    assert list(Rating.objects.order_by("pk").values_list("rating", flat=True)) == before
    assert season_of(made).rating_parameters["max_gain"] == 400


def test_asking_twice_computes_once_and_nothing_is_asked_of_other_systems(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    season = season_of(duel)
    win(duel, alice, bob)
    told = staff.post(page(season), follow=True)
    assert "Try other largest gains" not in told.content.decode()
    assert accuracy.waiting() == []
    elo = arena("elo", rating_system="elo")
    for _ in range(2):
        accuracy.ask_for_gains(season_of(elo), NOW)
    assert accuracy.waiting() == [season_of(elo).pk]
    assert tasks.compute_gains() == 1
    assert tasks.compute_gains() == 0
    assert "Nothing has been played" in staff.get(page(season_of(elo))).content.decode()


def test_anchors_stay_where_they_are_with_every_gain(alice: Player, bob: Player) -> None:
    made = arena("elo", rating_system="elo", rating_parameters={"max_gain": 400})
    Anchor.objects.create(arena=made, player=bob, rating=1500)
    follow(made, NOW)
    for _again in range(5):
        win(made, alice, bob)
    accuracy.measure_due(NOW)
    [found] = accuracy.accuracies([season_of(made)])
    accuracy.ask_for_gains(season_of(made), NOW)
    tasks.compute_gains()
    losses = dict(map(tuple, SeasonAccuracy.objects.get().gains or []))
    assert losses[400] == pytest.approx(found.log_loss)


def test_a_season_that_another_worker_computes_is_left_to_it() -> None:
    season = season_of(arena("elo", rating_system="elo"))
    accuracy.ask_for_gains(season, NOW)
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(accuracy.TRY_TURN, [season.pk])
        assert tasks.compute_gains() == 0
        assert accuracy.waiting() == [season.pk]
    finally:
        other.close()
    assert tasks.compute_gains() == 1


def test_a_long_replay_does_not_end_the_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    season = season_of(arena("elo", rating_system="elo"))
    accuracy.ask_for_gains(season, NOW)
    real, limits = accuracy.losses, []

    def losses(of: Season) -> list[list[float]]:
        with connection.cursor() as cursor:
            cursor.execute("SHOW idle_in_transaction_session_timeout")
            limits.append(cursor.fetchone())
        return real(of)

    monkeypatch.setattr(accuracy, "losses", losses)
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = '1min'")
    assert tasks.compute_gains() == 1
    assert limits == [("0",)]


def test_a_season_that_fails_does_not_hold_up_the_others(staff: Client) -> None:
    broken = season_of(arena("elo", rating_system="elo"))
    whole = season_of(arena("chess", rating_system="elo"))
    for season in (broken, whole):
        accuracy.ask_for_gains(season, NOW)
    Season.objects.filter(pk=broken.pk).update(rating_parameters={"max_gain": "much"})
    assert tasks.compute_gains() == 2
    assert accuracy.waiting() == []
    assert SeasonAccuracy.objects.get(season=whole).gains == []
    Season.objects.filter(pk=broken.pk).update(rating_parameters={})
    assert "Something went wrong. See the log" in words(staff.get(page(broken)))


def test_only_those_who_may_change_arenas_see_the_page(duel: Arena, alice: Player) -> None:
    assert browser_of(alice.user).get(page(season_of(duel))).status_code == 302
    helper = account("Hank")
    assert helper.user
    helper.user.is_staff = True
    helper.user.save()
    assert browser_of(helper.user).get(page(season_of(duel))).status_code == 403
    assert browser_of(helper.user).post(page(season_of(duel))).status_code == 403


def test_gains_are_tried_around_the_current_one() -> None:
    assert gains_around(32) == [4, 8, 11, 16, 22, 32, 45, 64, 90, 130, 260]
    assert max(gains_around(1_000_000)) == 1_000_000
    assert 33.3 in gains_around(33.3)
