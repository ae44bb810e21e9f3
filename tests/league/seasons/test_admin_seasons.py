"""Olga changes rules, opens the next season and corrects dates."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from league.models import Arena, Player, Season, StaffAction
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm
from league.services.seasons.ending import freeze
from league.services.seasons.opening import open_planned
from league.services.seasons.planning import plan_season
from tests.support.admin_steps import (
    arena_page,
    errors_of,
    form_on,
    messages_of,
    open_season_page,
    send,
    staff,
)
from tests.support.cast import NOW, beats
from tests.support.season_steps import NEXT, set_season_rules

__all__ = ["staff"]


def rated(arena: Arena, winner: Player, loser: Player) -> None:
    """Report and confirm a result of today."""
    match = beats(winner, loser, arena, now=database_now())
    confirm(match.pk, by=loser, now=database_now())


def test_a_season_without_rated_results_takes_the_new_rules(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    response = send(staff, arena_page(duel), {"glicko-2__rating_default": "1500"})
    assert "no rated results yet" in messages_of(response)
    assert Season.objects.get(arena=duel).rating_parameters["rating_default"] == 1500


def test_a_season_with_rated_results_keeps_the_rules_it_began_with(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(duel, alice, charlie)
    response = send(staff, arena_page(duel), {"glicko-2__rating_default": "1500"})
    assert "applies from the next season" in messages_of(response)
    assert Arena.objects.get(pk=duel.pk).rating_parameters["rating_default"] == 1500
    assert Season.objects.get(arena=duel).rating_parameters["rating_default"] == 1200


def test_a_change_of_anything_else_says_nothing_about_rules(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(duel, alice, charlie)
    response = send(staff, arena_page(duel), {"description": "One against one."})
    assert "season" not in messages_of(response).lower()


def test_new_rules_survive_a_season_that_is_renamed_in_the_same_save(
    staff: Client, duel: Arena
) -> None:
    changes = {"glicko-2__rating_default": "1500", "seasons-0-name": "Spring"}
    assert errors_of(send(staff, arena_page(duel), changes)) == {}
    season = Season.objects.get(arena=duel)
    assert (season.name, season.rating_parameters["rating_default"]) == ("Spring", 1500)


def test_olga_opens_a_season_after_being_asked(staff: Client, duel: Arena) -> None:
    first = Season.objects.get(arena=duel)
    send(staff, arena_page(duel), {"rating_system": "elo"})
    page = staff.get(open_season_page(duel))
    assert "Season 1" in page.content.decode()
    assert Season.objects.count() == 1
    send(staff, open_season_page(duel), {"name": "Summer"})
    second = duel.current_season(database_now())
    assert second is not None
    assert (second.name, second.rating_system) == ("Summer", "elo")
    first.refresh_from_db()
    assert first.ends_at == second.starts_at


def test_sending_the_form_twice_opens_one_season(staff: Client, duel: Arena) -> None:
    answer = form_on(staff, open_season_page(duel))
    of_another_page = form_on(staff, open_season_page(duel))
    staff.post(open_season_page(duel), answer)
    again = staff.post(open_season_page(duel), answer, follow=True)
    assert "It took effect once" in again.content.decode()
    second = staff.post(open_season_page(duel), of_another_page)
    assert Season.objects.count() == 2
    assert "was opened in the meantime" in second.content.decode()


@pytest.mark.parametrize("ends_in", [None, 1, 400], ids=["no end", "a day", "a year"])
def test_a_season_opens_now_and_the_running_one_ends_whenever_it_was_to_end(
    staff: Client, duel: Arena, ends_in: int | None
) -> None:
    end = ends_in and database_now() + timedelta(days=ends_in)
    Season.objects.filter(arena=duel).update(ends_at=end)
    shown = staff.get(open_season_page(duel)).content.decode()
    assert "<b>Season 1</b> ends when the new season starts." in shown
    assert "The archive would contain <b>0</b> players" in shown
    assert send(staff, open_season_page(duel), {}).status_code == 302
    first, second = duel.seasons.order_by("starts_at")
    assert (first.ends_at, second.ends_at) == (second.starts_at, None)
    assert duel.current_season(database_now()) == second
    did = StaffAction.objects.filter(kind=StaffAction.Kind.SEASON).order_by("pk")
    assert [(action.after or {}).get("State", "opened") for action in did] == ["ended", "opened"]


def test_a_season_planned_within_the_running_one_ends_it_then(staff: Client, duel: Arena) -> None:
    Season.objects.filter(arena=duel).update(ends_at=database_now() + timedelta(days=30))
    tomorrow = (database_now() + timedelta(days=1)).strftime("%Y-%m-%dT%H:%M")
    assert send(staff, open_season_page(duel), {"starts_at": tomorrow}).status_code == 302
    first, second = duel.seasons.order_by("starts_at")
    assert second.opened_at is None
    assert first.ends_at == second.starts_at > database_now()


def test_a_season_without_an_end_ends_when_the_planned_one_starts(
    staff: Client, duel: Arena
) -> None:
    planned = plan_season(duel, starts_at=database_now() + timedelta(days=20))
    assert send(staff, open_season_page(duel), {}).status_code == 302
    opened = duel.current_season(database_now())
    assert opened is not None
    assert opened.ends_at == planned.starts_at
    set_season_rules(duel, calendar={"length": "7d"})
    send(staff, open_season_page(duel), {})
    opened = duel.current_season(database_now())
    assert opened is not None
    assert opened.ends_at == opened.starts_at + timedelta(days=7)


def test_a_season_that_would_overlap_a_planned_one_is_refused(staff: Client, duel: Arena) -> None:
    plan_season(duel, starts_at=database_now() + timedelta(days=20))
    late = (database_now() + timedelta(days=30)).strftime("%Y-%m-%dT%H:%M")
    said = beside(staff, duel, ends_at=late)
    assert list(said) == ["ends_at"]
    assert "overlaps “Season 2”" in said["ends_at"]
    assert duel.seasons.get(name="Season 1").starts_at < database_now()


def test_a_name_of_another_season_is_refused(staff: Client, duel: Arena) -> None:
    assert "has that name" in beside(staff, duel, name="Season 1")["name"]


def test_dates_that_no_calendar_holds_are_refused(staff: Client, duel: Arena) -> None:
    """The last evening of the year 9999 in New York is in the year 10000 in UTC."""
    duel.time_zone = "America/New_York"
    set_season_rules(duel, calendar={"length": "3650d"})
    assert "from 1000 to 2999" in beside(staff, duel, starts_at="9999-12-31T23:00")["starts_at"]
    assert "from 1000 to 2999" in beside(staff, duel, ends_at="9999-12-31T23:00")["ends_at"]
    assert "from 1000 to 2999" in beside(staff, duel, starts_at="2995-01-01T00:00")["ends_at"]
    ancient = {"seasons-0-starts_at_0": "0001-01-01"}
    assert "from 1000 to 2999" in season_errors(send(staff, arena_page(duel), ancient))


def beside(staff: Client, arena: Arena, **typed: str) -> dict[str, str]:
    """Return the errors of the form that opens a season, which opened none."""
    before = Season.objects.count()
    response = send(staff, open_season_page(arena), typed)
    assert response.status_code == 200
    assert Season.objects.count() == before
    errors = response.context["form"].errors
    return {name: " ".join(problems) for name, problems in errors.items()}


@pytest.fixture
def two_seasons(staff: Client, duel: Arena) -> list[Season]:
    """Return the seasons of ``duel`` as its page lists them, newest first."""
    send(staff, open_season_page(duel), {})
    return list(duel.seasons.order_by("-starts_at"))


def season_errors(response: Any) -> str:
    if response.status_code == 302:
        return ""
    formset = response.context["inline_admin_formsets"][0].formset
    return f"{formset.errors} {formset.non_form_errors()}"


def test_dates_of_seasons_can_be_corrected_but_not_into_each_other(
    staff: Client, duel: Arena, two_seasons: list[Season]
) -> None:
    newer, older = two_seasons
    earlier = {"seasons-1-ends_at_0": "2026-02-01", "seasons-1-ends_at_1": "00:00:00"}
    assert season_errors(send(staff, arena_page(duel), earlier)) == ""
    older.refresh_from_db()
    assert older.ends_at is not None
    assert older.ends_at.date().isoformat() == "2026-02-01"
    forever = {"seasons-1-ends_at_0": "", "seasons-1-ends_at_1": ""}
    assert "overlap" in season_errors(send(staff, arena_page(duel), forever))
    both = {
        "seasons-1-ends_at_0": "2026-02-20",
        "seasons-0-starts_at_0": "2026-02-10",
    }
    assert "overlap" in season_errors(send(staff, arena_page(duel), both))
    newer.refresh_from_db()
    assert newer.starts_at > older.ends_at


def test_a_season_that_began_between_two_seconds_can_be_renamed_and_keeps_its_dates(
    staff: Client, duel: Arena, two_seasons: list[Season]
) -> None:
    odd = datetime(2026, 3, 1, 12, 0, 0, 123_456, tzinfo=UTC)
    Season.objects.filter(pk=two_seasons[1].pk).update(ends_at=odd)
    Season.objects.filter(pk=two_seasons[0].pk).update(starts_at=odd)
    assert season_errors(send(staff, arena_page(duel), {"seasons-0-name": "Summer"})) == ""
    two_seasons[0].refresh_from_db()
    assert (two_seasons[0].name, two_seasons[0].starts_at) == ("Summer", odd)


def test_dates_on_an_arena_s_page_are_on_the_arena_s_clocks(staff: Client, duel: Arena) -> None:
    """In Berlin half past two does not occur on 29 March 2026, and twice on 25 October."""
    duel.time_zone = "Europe/Berlin"
    duel.save()
    staff.cookies["timezone"] = "America/New_York"  # whatever Olga's own clock says
    assert form_on(staff, arena_page(duel))["seasons-0-starts_at_1"] == "01:00:00"

    def end(day: str, hour: str) -> str:
        typed = {"seasons-0-ends_at_0": day, "seasons-0-ends_at_1": hour}
        return season_errors(send(staff, arena_page(duel), typed))

    assert end("2026-03-29", "00:00:00") == ""
    assert duel.seasons.get().ends_at == datetime(2026, 3, 28, 23, tzinfo=UTC)
    assert "may not exist" in end("2026-03-29", "02:30:00")
    assert end("2026-10-25", "02:30:00") == ""
    assert duel.seasons.get().ends_at == datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
    second = datetime(2026, 10, 25, 1, 30, tzinfo=UTC)
    duel.seasons.update(ends_at=second)
    assert season_errors(send(staff, arena_page(duel), {"seasons-0-name": "Autumn"})) == ""
    assert (duel.seasons.get().name, duel.seasons.get().ends_at) == ("Autumn", second)


def test_the_dates_of_an_archived_season_stay_so_that_it_does_not_run_again(
    staff: Client, duel: Arena
) -> None:
    duel.seasons.update(ends_at=NEXT)
    season = duel.seasons.get()
    assert freeze(season.pk, now=NEXT + timedelta(days=3))
    later = {"seasons-0-ends_at_0": "2999-01-01", "seasons-0-name": "First"}
    assert season_errors(send(staff, arena_page(duel), later)) == ""
    season.refresh_from_db()
    assert (season.name, season.ends_at) == ("First", NEXT)
    assert duel.current_season(NEXT) is None


def test_olga_reads_that_a_planned_season_cannot_open_and_it_opens_once_the_rules_are_mended(
    staff: Client, duel: Arena
) -> None:
    planned = plan_season(duel, starts_at=NEXT)
    typed = {"season_start__full_reset_before": "2999-01-31T00:00Z"}
    said = messages_of(send(staff, arena_page(duel), typed))
    assert "“Season 2” is planned but cannot open like this" in said
    assert "before 31 Jan 2999, 00:00 UTC, which is after this season starts" in said
    assert not open_planned(planned.pk, now=NEXT)
    reason = "Choose an earlier time in the arena’s rules"
    assert reason in staff.get(arena_page(duel)).content.decode()
    page = staff.get(open_season_page(duel)).content.decode()
    assert "It cannot open now." in page
    assert reason in page
    said = messages_of(send(staff, arena_page(duel), {"season_start__full_reset_before": ""}))
    assert "will not open" not in said
    assert open_planned(planned.pk, now=NEXT)
    assert reason not in staff.get(arena_page(duel)).content.decode()


def test_a_season_ends_after_it_starts_and_has_a_name_of_its_own(
    staff: Client, duel: Arena, two_seasons: list[Season]
) -> None:
    backwards = {"seasons-1-ends_at_0": "2025-12-01"}
    assert "must end after it starts" in season_errors(send(staff, arena_page(duel), backwards))
    same = {"seasons-1-name": two_seasons[0].name}
    assert "has that name" in season_errors(send(staff, arena_page(duel), same))


def test_no_match_of_a_season_may_fall_outside_it(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    late = {"seasons-0-starts_at_0": NOW.date().isoformat(), "seasons-0-starts_at_1": "23:00:00"}
    assert "1 match of this season" in season_errors(send(staff, arena_page(duel), late))
    short = {"seasons-0-ends_at_0": "2026-02-01", "seasons-0-ends_at_1": "00:00:00"}
    assert "1 match of this season" in season_errors(send(staff, arena_page(duel), short))


def test_seasons_are_neither_added_nor_deleted_on_an_arena_s_page(
    staff: Client, duel: Arena
) -> None:
    form = form_on(staff, arena_page(duel))
    assert "seasons-0-DELETE" not in form
    assert "seasons-1-name" not in form
    extra = {
        "seasons-TOTAL_FORMS": "2",
        "seasons-1-name": "Hidden",
        "seasons-1-starts_at_0": "2025-01-01",
        "seasons-1-starts_at_1": "00:00:00",
        "seasons-1-ends_at_0": "2025-06-01",
        "seasons-1-ends_at_1": "00:00:00",
        "seasons-0-DELETE": "on",
    }
    send(staff, arena_page(duel), extra)
    assert [season.name for season in duel.seasons.all()] == ["Season 1"]
