"""Ratings in hindsight are those of the library on a season's matches, computed once a night."""

from datetime import datetime, timedelta

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.urls import reverse

from league import tasks
from league.models import Arena, HindsightCurve, Player, RatingEvent, Season, SeasonHindsight
from league.services.core.clock import microseconds
from league.services.demo import requests, seeding
from league.services.seasons import ending, hindsight
from league.services.transfer.files.result_files import ResultFile
from league.services.transfer.histories.imports import import_history
from ratings.hindsight import SCALE, whole_history
from ratings.history import History, Participant, Side
from ratings.history import Match as Played
from ratings.registry import SYSTEMS
from tests.support.cast import NOW, OPENING, arena
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import correct
from tests.support.merge_steps import merged
from tests.support.season_steps import FROZEN, ended, win
from tests.support.web_steps import browser_of, words

TONIGHT = NOW + timedelta(days=1)
COMPARABLE = {"codeforces", "elo", "fermi", "glicko", "glicko-2", "laurel"}


def history(matches: int = 120, size: int = 1, first: int | None = 0) -> History:
    """Return matches between two sides of players with lasting skills, some of them drawn."""
    generator = np.random.default_rng(5)
    skill = generator.normal(0, 300, 10)
    played = []
    for number in range(matches):
        who = generator.permutation(10)[: 2 * size]
        sides = who[:size], who[size:]
        lead = skill[sides[0]].mean() - skill[sides[1]].mean()
        places = (0, 1) if generator.random() < 1 / (1 + 10 ** (-lead / 400)) else (1, 0)
        if generator.random() < 0.1:
            places = (0, 0)
        played.append(
            Played(
                f"m{number}",
                microseconds(OPENING) + number * 9 * 3_600_000_000,
                tuple(
                    Side(place, tuple(Participant(f"Player {one}") for one in side))
                    for place, side in zip(places, sides, strict=True)
                ),
                weight=float(generator.choice([1.0, 0.5])),
                first=first if number % 3 else None,
            )
        )
    return History.build(played)


def imported(where: Arena, played: History) -> Season:
    import_history(where, ResultFile(played, [{} for _ in range(len(played))], []), now=NOW)
    return where.seasons.get()


def curves(season: Season) -> dict[str, HindsightCurve]:
    """Return the stored curves by the name of the player."""
    rows = HindsightCurve.objects.filter(season=season).select_related("player")
    return {row.player.name: row for row in rows}


def day_of(at: datetime) -> int:
    return microseconds(at) // 86_400_000_000


@pytest.mark.parametrize(
    ("system", "parameters", "first_side", "scale"),
    [
        ("glicko-2", {"first_side": 60}, 60.0, 1.0),
        ("elo", {}, 0.0, 1.0),
        ("fermi", {"T": 2.0, "first_side": 0.7}, 0.7, 2.0 / SCALE),
        ("laurel", {}, 50.0, 1.0),
    ],
)
def test_the_curves_are_those_of_the_library_at_the_mean_of_the_ratings(
    system: str, parameters: dict[str, float], first_side: float, scale: float
) -> None:
    played = history()
    season = imported(arena("old", rating_system=system, rating_parameters=parameters), played)
    assert hindsight.compute_due(NOW) == 1
    stored = curves(season)
    expected = whole_history(played, mean=0.0, first_side=first_side / scale)
    assert set(stored) == set(played.players)
    shifts = []
    for name, curve in stored.items():
        of = expected.of(name)
        assert curve.days == of.day.tolist()
        assert curve.deviations == pytest.approx((scale * of.deviation).tolist())
        shifts += (np.array(curve.ratings) - scale * of.rating).tolist()
    assert shifts == pytest.approx([shifts[0]] * len(shifts), abs=1e-6)
    events = RatingEvent.objects.filter(season=season).select_related("player", "match")
    then = [
        stored[one.player.name].ratings[stored[one.player.name].days.index(day_of(at))]
        for one in events
        if (at := one.match.played_at)
    ]
    assert len(then) == 2 * len(played)
    assert np.mean(then) == pytest.approx(np.mean([one.rating_after for one in events]))
    assert SeasonHindsight.objects.get().players == 10


def test_staff_read_the_rank_error_of_the_ratings_by_those_in_hindsight(olga: Player) -> None:
    season = imported(arena("old", rating_system="elo"), history())
    staff = browser_of(olga)
    address = reverse("admin:league_arena_other_rules", args=[season.arena_id, season.pk])
    assert "rank error" not in words(staff.get(address))
    hindsight.compute_due(NOW)
    truth = {name: curve.ratings[-1] for name, curve in curves(season).items()}
    rated = {row.player.name: row.rating for row in season.ratings.select_related("player")}

    def rank(name: str, ratings: dict[str, float]) -> int:
        return sorted(ratings.values(), reverse=True).index(ratings[name])

    squares = sum((rank(name, truth) - rank(name, rated)) ** 2 for name in truth)
    assert squares > 0
    text = words(staff.get(address))
    assert f"the rank error of 10 players is {squares}: the sum" in text
    assert f"A typical distance is {(squares / 10) ** 0.5:.1f} ranks." in text


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_only_ratings_on_a_logistic_scale_can_be_compared(system: str) -> None:
    season = imported(arena("old", rating_system=system), history(12, first=None))
    assert hindsight.compute_due(NOW) == 1
    assert bool(curves(season)) == (system in COMPARABLE)


@pytest.mark.parametrize(
    ("system", "parameters", "compared"),
    [
        ("glicko-2", {}, True),
        ("elo", {"team_strength": "sum"}, False),
        ("glicko", {"team_strength": "max"}, False),
        ("laurel", {}, False),
    ],
)
def test_of_teams_only_those_as_strong_as_their_average_member_can_be_compared(
    system: str, parameters: dict[str, str], compared: bool
) -> None:
    where = arena("old", rating_system=system, rating_parameters=parameters, team_size_max=2)
    season = imported(where, history(12, size=2, first=None))
    hindsight.compute_due(NOW)
    assert bool(curves(season)) is compared


def test_a_free_for_all_and_a_draft_have_none(
    melee: Arena, duel: Arena, alice: Player, bob: Player
) -> None:
    win(melee, alice, bob)
    win(duel, alice, bob)
    Arena.objects.filter(pk=duel.pk).update(is_draft=True)
    assert hindsight.compute_due(TONIGHT) == 1
    assert not HindsightCurve.objects.exists()
    Arena.objects.filter(pk=duel.pk).update(is_draft=False)
    assert hindsight.compute_due(TONIGHT) == 1
    assert HindsightCurve.objects.count() == 2


def test_an_arena_of_two_sides_that_once_had_more_has_none(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    played = Played(
        "m",
        microseconds(OPENING),
        tuple(Side(place, (Participant(name),)) for place, name in enumerate("ABC")),
    )
    imported(melee, History.build([played]))
    Arena.objects.filter(pk=melee.pk).update(sides_max=2)
    assert hindsight.compute_due(TONIGHT) == 1
    assert not HindsightCurve.objects.exists()


def test_a_season_with_too_many_matches_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hindsight, "MOST_MATCHES", 11)
    imported(arena("large"), history(12))
    small = imported(arena("small"), history(11))
    assert hindsight.compute_due(NOW) == 2
    assert {curve.season for curve in HindsightCurve.objects.all()} == {small}


def test_a_season_is_computed_once_a_night_if_it_has_changed(
    duel: Arena, alice: Player, bob: Player
) -> None:
    assert tasks.compute_hindsight() == 0
    win(duel, alice, bob)
    assert hindsight.compute_due(NOW) == 1
    assert hindsight.compute_due(NOW) == 0
    win(duel, alice, bob, now=NOW + timedelta(hours=1))
    assert hindsight.compute_due(NOW + timedelta(hours=2)) == 0
    assert hindsight.compute_due(NOW.replace(hour=3) + timedelta(days=1)) == 0
    assert hindsight.compute_due(NOW.replace(hour=4, minute=1) + timedelta(days=1)) == 1
    assert hindsight.compute_due(NOW + timedelta(days=9)) == 0


def test_a_season_that_opened_today_waits_for_the_night(
    duel: Arena, alice: Player, bob: Player
) -> None:
    duel.seasons.update(opened_at=NOW - timedelta(hours=2))
    win(duel, alice, bob)
    assert hindsight.compute_due(NOW) == 0
    assert hindsight.compute_due(TONIGHT) == 1


def test_an_archived_season_is_computed_a_last_time(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = ended(duel)
    ending.freeze_due(FROZEN)
    ending.freeze(season.pk, now=FROZEN)
    assert hindsight.compute_due(FROZEN) == 1
    assert len(curves(season)) == 2
    assert hindsight.compute_due(FROZEN + timedelta(days=100)) == 0


def test_a_correction_makes_a_season_due(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    first = win(duel, alice, bob)
    win(duel, bob, alice, now=NOW + timedelta(days=1))
    hindsight.compute_due(TONIGHT)
    season, before = duel.seasons.get(), curves(duel.seasons.get())
    assert olga.user
    correct(first, olga.user)
    assert hindsight.compute_due(TONIGHT + timedelta(days=1)) == 1
    assert [len(one.days) for one in before.values()] == [2, 2]
    assert [len(one.days) for one in curves(season).values()] == [1, 1]


def test_voiding_the_only_match_leaves_nothing(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    match = win(duel, alice, bob)
    hindsight.compute_due(NOW)
    assert olga.user
    correct(match, olga.user)
    assert hindsight.compute_due(TONIGHT) == 1
    assert not HindsightCurve.objects.exists()
    assert SeasonHindsight.objects.get().players == 0


def test_one_broken_season_does_not_stop_the_others(
    duel: Arena, alice: Player, bob: Player, caplog: pytest.LogCaptureFixture
) -> None:
    win(duel, alice, bob)
    hindsight.compute_due(NOW)
    win(duel, alice, bob, now=NOW + timedelta(hours=1))
    parameters = duel.seasons.get().rating_parameters
    duel.seasons.update(rating_parameters={"rating_default": "none"})
    other = imported(arena("other"), history(12))
    assert hindsight.compute_due(TONIGHT) == 1
    assert "could not be computed" in caplog.text
    assert len(curves(other)) == 10
    row = SeasonHindsight.objects.get(season__arena=duel)
    assert (row.at, row.tried_at, row.players) == (NOW, TONIGHT, 2)
    duel.seasons.update(rating_parameters=parameters)
    assert hindsight.compute_due(TONIGHT) == 0
    assert hindsight.compute_due(TONIGHT + timedelta(days=1)) == 1


def test_a_season_that_another_worker_computes_is_left_to_it(
    duel: Arena, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    other = connection.copy()
    try:
        other.set_autocommit(False)
        with other.cursor() as cursor:
            cursor.execute(hindsight.TRY_TURN, [season.pk])
        assert hindsight.compute_due(NOW) == 0
    finally:
        other.close()
    assert hindsight.compute_due(NOW) == 1
    assert not hindsight.compute(season.pk, NOW), "that another worker has just computed"


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_one_computes() -> None:
    season = imported(arena("old"), history())
    answers = all_at_once([lambda: hindsight.compute_due(TONIGHT)] * 2)
    assert sorted(map(str, answers)) == ["0", "1"]
    assert len(curves(season)) == 10


def test_a_merged_player_leaves_their_curve_until_both_are_computed_as_one(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    win(duel, alice, bob)
    win(duel, charlie, bob, now=NOW + timedelta(days=1))
    hindsight.compute_due(TONIGHT)
    assert olga.user
    merged(alice, charlie, olga.user)
    season = duel.seasons.get()
    assert {name: len(one.days) for name, one in curves(season).items()} == {"Alice": 1, "Bob": 2}
    assert hindsight.compute_due(TONIGHT + timedelta(days=1)) == 1
    assert {name: len(one.days) for name, one in curves(season).items()} == {"Alice": 2, "Bob": 2}


def test_a_player_without_matches_takes_over_the_curve_of_the_one_who_is_merged(
    duel: Arena, alice: Player, bob: Player, eve: Player, olga: Player
) -> None:
    win(duel, alice, bob)
    hindsight.compute_due(NOW)
    assert olga.user
    merged(eve, alice, olga.user)
    assert set(curves(duel.seasons.get())) == {"Eve", "Bob"}


def test_the_demo_asks_for_what_charts_show(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(seeding, "missing", lambda: ["chess"])
    monkeypatch.setattr(seeding, "seed", lambda *_: seeding.Seeded(["Chess club"], None))
    for task in (tasks.note_days, tasks.compute_hindsight):
        monkeypatch.setattr(
            task, "apply_async", lambda *_, name=task.name, **__: asked.append(name)
        )
    call_command("demo")
    assert asked == ["league.tasks.note_days", "league.tasks.compute_hindsight"]


def test_a_requested_demo_asks_for_what_charts_show(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []
    monkeypatch.setattr(requests, "waiting", lambda: [1])
    monkeypatch.setattr(requests, "carry_out", lambda *_: None)
    for task in (tasks.note_days, tasks.compute_hindsight):
        monkeypatch.setattr(task, "delay", lambda name=task.name: asked.append(name))
    tasks.create_requested_demo()
    assert asked == ["league.tasks.note_days", "league.tasks.compute_hindsight"]
