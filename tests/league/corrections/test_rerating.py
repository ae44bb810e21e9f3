"""Rating a season again: under its present rules, to repair it, or under others."""

from typing import Any

import pytest
from django.db import transaction
from django.urls import reverse
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from league import tasks
from league.models import (
    Arena,
    Correction,
    Job,
    Player,
    Rating,
    RatingEvent,
    Season,
    StaffAction,
    Standing,
    User,
)
from league.services.core.clock import moment
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.corrections import rerating
from league.services.corrections.rerating import rerate
from league.services.integrity import points, ratings, standings
from league.services.jobs import jobs
from league.services.seasons.opening import open_season
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, RANKED_AT_ONCE, arena
from tests.support.effort import examples
from tests.support.imported_histories import HOUR, START, import_matches, played, stored_history
from tests.support.point_steps import totals
from tests.support.season_steps import set_season_rules, win
from tests.support.web_steps import browser_of, words

NEXT = START + 400 * HOUR
FORMAT = {"sides_max": 4, "team_size_max": 3}
POINTS = {**RANKED_AT_ONCE, "points": {"counts": True}}


def again(season: Season, by: User, **rules: Any) -> rerating.Rerated:
    return rerate(season, by=by, reason="A new release", now=NOW, **rules)


def season_of(league: Arena) -> Season:
    return league.seasons.latest("starts_at")


def board(season: Season) -> list[tuple[Any, ...]]:
    """Return the order of the leaderboard. Divisions also depend on those held before."""
    update_pending(NOW)
    names = dict(season.ratings.values_list("player", "player__name"))
    rows = Standing.objects.filter(season_id=season.pk).values_list("key", "player_id", "active")
    return sorted((key, names[player], *others) for key, player, *others in rows)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (("glicko-2", {"update": "period"}), ("glicko-2", {"rating_default": 1400})),
        (("elo-mmr", {}), ("elo-mmr", {"history_limit": 2, "ignore_all_tied": True})),
        (("topcoder", {}), ("topcoder", {"ignore_all_tied": True})),
        (("glicko-2", {}), ("elo-mmr", {"history_limit": 2})),
        (("elo", {}), ("ladder", {})),
    ],
    ids=str,
)
@settings(
    max_examples=examples(2),
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],  # every example is rolled back
)
@given(data=st.data())
def test_a_season_rated_again_equals_one_played_under_those_rules(
    boss: User,
    old: tuple[str, dict[str, Any]],
    new: tuple[str, dict[str, Any]],
    data: st.DataObject,
) -> None:
    told = data.draw(played(new[0], start=NEXT), "told")
    before = data.draw(st.just([]) | played(new[0], "before ", most=2), "a season before")
    with transaction.atomic():
        one, other = (
            arena(
                slug, rating_system=old[0], rating_parameters=old[1], season_rules=POINTS, **FORMAT
            )
            for slug in ("one", "other")
        )
        for league in (one, other):
            import_matches(league, before)
            set_season_rules(league, start={"placement": "carry-over"})
        other.rating_system, other.rating_parameters = new
        other.save()
        for league in (one, other):
            open_season(league, starts_at=moment(NEXT))
            import_matches(league, told)
        done = again(season_of(one), boss, system=new[0], parameters=new[1])
        assert stored_history(season_of(one)) == stored_history(season_of(other))
        assert board(season_of(one)) == board(season_of(other))
        assert totals(one) == totals(other)
        check_season(season_of(one))
        assert RatingEvent.ever.filter(superseded_by=done.correction).count() == done.events
        assert again(season_of(one), boss).events == 0
        transaction.set_rollback(True)


def test_other_parameters_replace_explanations_also_where_no_rating_changes(
    boss: User, alice: Player, bob: Player
) -> None:
    league = arena("even", rating_system="elo")
    win(league, alice, bob)
    season = league.seasons.get()
    done = again(season, boss, parameters={**season.rating_parameters, "first_side": 100})
    assert (done.events, done.players) == (2, 0)
    assert again(season, boss).events == 0


def check_season(season: Season) -> None:
    season = Season.objects.get(pk=season.pk)
    assert ratings.verify(season) == []
    assert points.differences(season) == []
    update_pending(NOW)
    assert list(standings.differences(season, NOW)) == []


def test_a_season_from_an_earlier_release_is_repaired(
    boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    league = arena("old", rating_system="topcoder", season_rules=POINTS)
    for first, second in ((alice, bob), (bob, charlie), (charlie, alice)):
        win(league, first, second)
    # The release changed a rule, so its replay differs.
    season = league.seasons.get()
    season.rating_parameters = {**season.rating_parameters, "initial_rating": 1300}
    season.save()
    assert ratings.verify(season)
    job = jobs.ask(rerating.JOB, "Rate again", by=boss, now=NOW, season=season, reason="New")
    tasks.carry_out_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.DONE, job.refusal
    assert job.result
    assert job.result["players"] == 3
    check_season(season)
    action = StaffAction.objects.get(kind=StaffAction.Kind.RERATED)
    assert (action.reason, action.details["season_name"]) == ("New", str(season))
    assert action.player_names() == []
    assert Correction.objects.get().reason == "New"


def test_other_rules_are_recorded_with_what_they_replace(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    rules = {**season.rules, "points": {**season.rules["points"], "counts": True}}
    again(season, boss, rules=rules)
    assert set(totals(duel)) == {"Alice", "Bob"}
    action = StaffAction.objects.get()
    assert (action.before, action.after) == (
        {"Ladder points": "off"},
        {"Ladder points": "on"},
    )
    rules = {**season.rules, "points": {**season.rules["points"], "counts": False}}
    again(season, boss, rules=rules)
    assert totals(duel) == {}
    check_season(season)


def test_ratings_without_a_result_are_removed(
    duel: Arena, boss: User, alice: Player, bob: Player, charlie: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    Rating.objects.create(season=season, player=charlie, rating=3000, games=7)
    Rating.objects.filter(season=season, player=bob).delete()
    again(season, boss)
    assert set(season.ratings.values_list("player__name", flat=True)) == {"Alice", "Bob"}
    check_season(season)


def test_a_season_is_not_rated_again_without_reason_right_or_sense(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    assert alice.user
    with pytest.raises(Forbidden, match="Only staff"):
        again(season, alice.user)
    with pytest.raises(Refused, match="Give a reason"):
        rerate(season, by=boss, reason=" ", now=NOW)
    with pytest.raises(Refused, match="did you mean glicko"):
        again(season, boss, system="glico")
    with pytest.raises(Refused, match="is not a parameter"):
        again(season, boss, parameters={"speed": 1})
    with pytest.raises(Refused, match="is not part of a season's rules"):
        again(season, boss, rules={"speed": 1})
    with pytest.raises(Refused, match="ranks do not decay"):
        again(season, boss, system="ladder", rules={**season.rules, "decay": {"points": 10}})
    Season.objects.update(archived_at=NOW)
    with pytest.raises(Conflict, match="is archived"):
        again(season, boss)
    assert not StaffAction.objects.exists()
    assert Season.objects.get().rating_system == season.rating_system


def test_a_cancelled_job_changes_nothing(
    duel: Arena, boss: User, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season = duel.seasons.get()
    given: dict[str, Any] = {"reason": "New", "system": "elo"}
    job = jobs.ask(rerating.JOB, "Rate again", by=boss, now=NOW, season=season, **given)
    jobs.cancel(job, NOW)
    tasks.carry_out_job(job.pk)
    job.refresh_from_db()
    assert job.state == Job.State.CANCELLED
    assert Season.objects.get().rating_system == season.rating_system
    check_season(season)


def test_olga_rates_a_season_again_in_the_admin(
    duel: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    win(duel, alice, bob)
    season, staff = duel.seasons.get(), browser_of(olga)
    address = reverse("admin:league_arena_rerate", args=[duel.pk, season.pk])
    arena_page = staff.get(reverse("admin:league_arena_change", args=[duel.pk]))
    assert address in arena_page.content.decode()
    assert "The season’s 1 rated match is rated again" in words(staff.get(address))
    assert "Give a reason" in words(staff.post(address, {"reason": ""}))
    staff.post(address, {"reason": "A new release"})
    tasks.carry_out_jobs()
    done = staff.get(reverse("admin:league_arena_rerated", args=[Job.objects.get().pk]))
    assert "1 match was rated again. No rating changed." in words(done)
    Season.objects.update(archived_at=NOW)
    assert staff.get(address).status_code == 404
