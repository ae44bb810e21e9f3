"""Olga runs seasons: rules that a season keeps, a next one to open, dates to correct."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest

from league.models import Arena, Season
from league.services.clock import database_now
from league.services.results import confirm
from tests.cast import NOW, beats
from tests.league.admin_steps import (
    arena_page,
    errors_of,
    form_on,
    messages_of,
    open_season_page,
    send,
    staff,
)

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Player

__all__ = ["staff"]


def rated(arena: Arena, winner: Player, loser: Player) -> None:
    """A result of today, reported and confirmed."""
    match = beats(winner, loser, arena, now=database_now())
    confirm(match.pk, by=loser, now=database_now())


def test_a_season_without_rated_results_takes_the_new_rules(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    response = send(staff, arena_page(duel), {"glicko-2__rating_default": "1500"})
    assert "no rated result yet" in messages_of(response)
    assert Season.objects.get(arena=duel).rating_parameters["rating_default"] == 1500


def test_a_season_with_rated_results_keeps_the_rules_it_began_with(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(duel, alice, charlie)
    response = send(staff, arena_page(duel), {"glicko-2__rating_default": "1500"})
    assert "shows from the next season" in messages_of(response)
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


def test_two_answers_to_one_question_open_one_season(staff: Client, duel: Arena) -> None:
    answer = form_on(staff, open_season_page(duel))
    staff.post(open_season_page(duel), answer)
    second = staff.post(open_season_page(duel), answer)
    assert Season.objects.count() == 2
    assert "was opened in the meantime" in second.content.decode()


def test_a_season_that_would_overlap_a_planned_one_is_refused(staff: Client, duel: Arena) -> None:
    Season.objects.filter(arena=duel).update(ends_at=database_now() + timedelta(days=1))
    response = send(staff, open_season_page(duel), {})
    assert response.status_code == 200
    assert "overlaps" in response.content.decode()
    assert Season.objects.count() == 1


def test_a_name_of_another_season_is_refused(staff: Client, duel: Arena) -> None:
    assert send(staff, open_season_page(duel), {"name": "Season 1"}).status_code == 200
    assert Season.objects.count() == 1


@pytest.fixture
def two_seasons(staff: Client, duel: Arena) -> list[Season]:
    """The seasons of ``duel``, newest first, as its page lists them."""
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
