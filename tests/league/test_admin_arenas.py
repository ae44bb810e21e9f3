"""Olga sets up arenas: every parameter a typed field, every wrong value refused beside it."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.urls import reverse

from league.models import Arena, Format, Season, User
from league.services.clock import database_now
from league.services.results import confirm
from ratings.parameters import declarations
from ratings.registry import SYSTEMS
from tests.cast import NOW, beats
from tests.league.admin_steps import browser_of, errors_of, form_on, messages_of, send, staff

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Player
    from ratings.parameters import Declaration

__all__ = ["staff"]

ADD = "/admin/league/arena/add/"


def named(part: str | Declaration) -> str:
    """How a parametrised test names a parameter."""
    return part if isinstance(part, str) else part.name


EVERY_PARAMETER = [
    (system, declaration)
    for system, rating_system in SYSTEMS.items()
    for declaration in declarations(rating_system.Parameters)
]
BOUNDED = [case for case in EVERY_PARAMETER if case[1].kind not in {"choice", "boolean"}]
VERSIONS = apps.get_model("league", "HistoricalArena")
NEW = {"name": "Blitz", "slug": "blitz"}


def page_of(arena: Arena) -> str:
    return reverse("admin:league_arena_change", args=[arena.pk])


def read(arena: Arena) -> Arena:
    return Arena.objects.get(pk=arena.pk)


def rated(arena: Arena, winner: Player, loser: Player) -> None:
    """A result of today, reported and confirmed."""
    match = beats(winner, loser, arena, now=database_now())
    confirm(match.pk, by=loser, now=database_now())


@pytest.mark.parametrize("system", SYSTEMS)
def test_olga_adds_an_arena_for_each_system_and_its_first_season_begins(
    staff: Client, system: str
) -> None:
    before = database_now()
    response = send(staff, ADD, {**NEW, "rating_system": system})
    assert errors_of(response) == {}
    arena = Arena.objects.get(slug="blitz")
    assert arena.rating_system == system
    assert arena.rating_parameters == SYSTEMS[system].Parameters().written()
    season = arena.current_season(database_now())
    assert season is not None
    assert season.name == "Season 1"
    assert before <= season.starts_at <= database_now()
    assert season.ends_at is None
    assert (season.rating_system, season.rating_parameters) == (system, arena.rating_parameters)


def test_a_new_arena_is_offered_with_the_defaults_of_the_model(staff: Client) -> None:
    form = form_on(staff, ADD)
    assert form["rating_system"] == "glicko-2"
    assert form["confirmation_window"] == "2d"
    assert form["sides_min"] == "2"


@pytest.mark.parametrize(("system", "declaration"), EVERY_PARAMETER, ids=named)
def test_every_parameter_is_a_field_with_its_unit_range_default_and_source(
    staff: Client, system: str, declaration: Declaration
) -> None:
    form = staff.get(ADD).context["adminform"].form
    field = form[f"{system}__{declaration.name}"]
    help_text = str(field.help_text)
    assert field.label == declaration.label
    assert declaration.name in help_text
    if declaration.kind != "choice":
        assert declaration.allowed in help_text
    if declaration.unit != "time":
        assert declaration.unit in str(field)


@pytest.mark.parametrize(("system", "declaration"), BOUNDED, ids=named)
def test_a_value_out_of_range_is_refused_beside_its_field_with_the_range(
    staff: Client, system: str, declaration: Declaration
) -> None:
    name = f"{system}__{declaration.name}"
    filled = {**form_on(staff, ADD), **NEW, "rating_system": system}
    for value in wrong_values(declaration):
        errors = errors_of(staff.post(ADD, {**filled, name: value}))
        assert list(errors) == [name], value
        assert declaration.allowed in errors[name][0], value
    assert not Arena.objects.exists()


def wrong_values(declaration: Declaration) -> list[str]:
    values = ["", "much", "nan", "1e999"]
    if declaration.minimum is not None:
        inside = declaration.exclusive_minimum
        values.append(repr(declaration.minimum if inside else declaration.minimum - 1))
    if declaration.maximum is not None:
        inside = declaration.exclusive_maximum
        values.append(repr(declaration.maximum if inside else declaration.maximum + 1))
    if declaration.kind == "duration":
        values += ["3 fortnights", "-3d"]
    return values


def test_a_choice_that_is_not_offered_is_refused_beside_its_field(staff: Client) -> None:
    wrong = {**NEW, "rating_system": "elo", "elo__team_strength": "loudest"}
    errors = errors_of(send(staff, ADD, wrong))
    assert list(errors) == ["elo__team_strength"]
    assert "mean, sum, max" in errors["elo__team_strength"][0]


def test_an_unknown_system_is_refused(staff: Client) -> None:
    errors = errors_of(send(staff, ADD, {**NEW, "rating_system": "astrology"}))
    assert list(errors) == ["rating_system"]


@pytest.mark.parametrize(
    ("typed", "seconds"), [("1w", 604800), ("36h", 129600), ("90m", 5400), ("2.5d", 216000)]
)
def test_durations_are_typed_as_people_write_them(
    staff: Client, duel: Arena, typed: str, seconds: int
) -> None:
    changes = {"glicko-2__deviation_period": typed, "confirmation_window": typed}
    assert errors_of(send(staff, page_of(duel), changes)) == {}
    arena: Any = read(duel)
    assert arena.system().parameters.deviation_period == seconds
    assert arena.confirmation_window == timedelta(seconds=seconds)


@pytest.mark.parametrize("typed", ["59s", "31d", "", "soon", "-1d", "nan", "1e300", "2 0:00"])
def test_a_confirmation_window_out_of_range_is_refused_with_the_range(
    staff: Client, duel: Arena, typed: str
) -> None:
    errors = errors_of(send(staff, page_of(duel), {"confirmation_window": typed}))
    assert list(errors) == ["confirmation_window"]
    if typed:
        assert "from 1m to 30d" in errors["confirmation_window"][0]


def test_what_is_left_in_the_fields_of_other_systems_is_ignored(staff: Client, duel: Arena) -> None:
    garbage = {"elo__T": "garbage", "elo__max_gain": "-1", "elo__team_strength": "loudest"}
    assert errors_of(send(staff, page_of(duel), garbage)) == {}
    assert read(duel).rating_parameters == SYSTEMS["glicko-2"].Parameters().written()


def test_bounds_the_wrong_way_round_are_told_beside_the_lower_one(
    staff: Client, duel: Arena
) -> None:
    changes = {"glicko-2__rating_min": "4000", "glicko-2__rating_max": "3000"}
    errors = errors_of(send(staff, page_of(duel), changes))
    assert list(errors) == ["glicko-2__rating_min"]
    assert "3000" in errors["glicko-2__rating_min"][0]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sides_min": "3", "sides_max": "2"}, "sides_min"),
        ({"team_size_min": "3", "team_size_max": "2"}, "team_size_min"),
        ({"sides_max": "10001"}, "sides_max"),
        ({"team_size_max": "101"}, "team_size_max"),
        ({"sides_min": "1"}, "sides_min"),
        ({"format": Format.FREE_FOR_ALL, "team_size_max": "2"}, "team_size_max"),
        ({"format": "chess"}, "format"),
        ({"slug": "two words"}, "slug"),
        ({"slug": ""}, "slug"),
        ({"name": "Du\0el"}, "name"),
    ],
)
def test_a_wrong_format_is_told_beside_the_field_to_change(
    staff: Client, duel: Arena, changes: dict[str, str], field: str
) -> None:
    assert list(errors_of(send(staff, page_of(duel), changes))) == [field]


def test_a_taken_address_is_refused(staff: Client, duel: Arena) -> None:
    assert list(errors_of(send(staff, ADD, {**NEW, "slug": duel.slug}))) == ["slug"]


def test_saving_an_untouched_page_keeps_every_number_to_the_last_bit(staff: Client) -> None:
    awkward = {"T": 400 / math.log(10), "max_gain": 0.1 + 0.2, "mean": 1e-300}
    arena = Arena(name="Odd", slug="odd", rating_system="elo", rating_parameters=awkward)
    arena.full_clean()
    arena.save()
    before = arena.rating_parameters
    assert errors_of(send(staff, page_of(arena), {})) == {}
    after = read(arena).rating_parameters
    assert {name: repr(value) for name, value in after.items()} == {
        name: repr(value) for name, value in before.items()
    }
    assert after["max_gain"].hex() == (0.1 + 0.2).hex()


def test_a_form_that_leaves_parameters_out_leaves_them_as_they_are(
    staff: Client, duel: Arena
) -> None:
    send(staff, page_of(duel), {"glicko-2__rating_default": "1500"})
    left_out = "glicko-2__rating_default"
    assert errors_of(send(staff, page_of(duel), {}, without=left_out)) == {}
    assert read(duel).rating_parameters["rating_default"] == 1500


def test_a_change_of_system_brings_its_own_parameters_only(staff: Client, duel: Arena) -> None:
    changes = {"rating_system": "elo", "elo__max_gain": "24"}
    assert errors_of(send(staff, page_of(duel), changes)) == {}
    arena = read(duel)
    assert arena.rating_system == "elo"
    assert arena.rating_parameters == {**SYSTEMS["elo"].Parameters().written(), "max_gain": 24.0}


# Rules and seasons


def test_a_season_without_rated_results_takes_the_new_rules(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    response = send(staff, page_of(duel), {"glicko-2__rating_default": "1500"})
    assert "no rated result yet" in messages_of(response)
    assert Season.objects.get(arena=duel).rating_parameters["rating_default"] == 1500


def test_a_season_with_rated_results_keeps_the_rules_it_began_with(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(duel, alice, charlie)
    response = send(staff, page_of(duel), {"glicko-2__rating_default": "1500"})
    assert "shows from the next season" in messages_of(response)
    assert read(duel).rating_parameters["rating_default"] == 1500
    assert Season.objects.get(arena=duel).rating_parameters["rating_default"] == 1200


def test_a_change_of_anything_else_says_nothing_about_rules(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    rated(duel, alice, charlie)
    response = send(staff, page_of(duel), {"description": "One against one."})
    assert "season" not in messages_of(response).lower()


def test_new_rules_survive_a_season_that_is_renamed_in_the_same_save(
    staff: Client, duel: Arena
) -> None:
    changes = {"glicko-2__rating_default": "1500", "seasons-0-name": "Spring"}
    assert errors_of(send(staff, page_of(duel), changes)) == {}
    season = Season.objects.get(arena=duel)
    assert (season.name, season.rating_parameters["rating_default"]) == ("Spring", 1500)


def open_season_page(arena: Arena) -> str:
    return reverse("admin:league_arena_open_season", args=[arena.pk])


def test_olga_opens_a_season_after_being_asked(staff: Client, duel: Arena) -> None:
    first = Season.objects.get(arena=duel)
    send(staff, page_of(duel), {"rating_system": "elo"})
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
    assert season_errors(send(staff, page_of(duel), earlier)) == ""
    older.refresh_from_db()
    assert older.ends_at is not None
    assert older.ends_at.date().isoformat() == "2026-02-01"
    forever = {"seasons-1-ends_at_0": "", "seasons-1-ends_at_1": ""}
    assert "overlap" in season_errors(send(staff, page_of(duel), forever))
    both = {
        "seasons-1-ends_at_0": "2026-02-20",
        "seasons-0-starts_at_0": "2026-02-10",
    }
    assert "overlap" in season_errors(send(staff, page_of(duel), both))
    newer.refresh_from_db()
    assert newer.starts_at > older.ends_at


def test_a_season_ends_after_it_starts_and_has_a_name_of_its_own(
    staff: Client, duel: Arena, two_seasons: list[Season]
) -> None:
    backwards = {"seasons-1-ends_at_0": "2025-12-01"}
    assert "must end after it starts" in season_errors(send(staff, page_of(duel), backwards))
    same = {"seasons-1-name": two_seasons[0].name}
    assert "has that name" in season_errors(send(staff, page_of(duel), same))


def test_no_match_of_a_season_may_fall_outside_it(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    late = {"seasons-0-starts_at_0": NOW.date().isoformat(), "seasons-0-starts_at_1": "23:00:00"}
    assert "1 match of this season" in season_errors(send(staff, page_of(duel), late))
    short = {"seasons-0-ends_at_0": "2026-02-01", "seasons-0-ends_at_1": "00:00:00"}
    assert "1 match of this season" in season_errors(send(staff, page_of(duel), short))


def test_seasons_are_neither_added_nor_deleted_on_an_arena_s_page(
    staff: Client, duel: Arena
) -> None:
    form = form_on(staff, page_of(duel))
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
    send(staff, page_of(duel), extra)
    assert [season.name for season in duel.seasons.all()] == ["Season 1"]


# Who may, and what they did


def helper_with(*permissions: str) -> Client:
    user = User.objects.create_user("frank", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return browser_of(user)


def test_staff_who_may_only_look_see_the_parameters_and_change_nothing(duel: Arena) -> None:
    frank = helper_with("view_arena")
    page = frank.get(page_of(duel)).content.decode()
    assert "Deviation: period of inactivity" in page
    assert 'name="rating_system"' not in page
    assert "Open a new season" not in page
    assert frank.post(page_of(duel), {"name": "Mine"}).status_code == 403
    assert frank.get(open_season_page(duel)).status_code == 403
    assert frank.post(open_season_page(duel), {}).status_code == 403
    assert frank.get(ADD).status_code == 403
    assert Season.objects.count() == 1


def test_opening_a_season_needs_the_right_to_add_seasons(duel: Arena) -> None:
    frank = helper_with("view_arena", "change_arena")
    assert frank.get(page_of(duel)).status_code == 200
    assert frank.post(open_season_page(duel), {}).status_code == 403


def test_the_history_tells_who_changed_which_parameter(staff: Client, duel: Arena) -> None:
    changes = {"glicko-2__rating_default": "1500", "description": "One against one."}
    send(staff, page_of(duel), changes)
    history = staff.get(reverse("admin:league_arena_history", args=[duel.pk])).content.decode()
    assert "olga" in history
    assert "Rating: default" in history
    assert "<del>1200</del> → <ins>1500</ins>" in history
    assert "Deviation" not in history


def test_an_old_version_is_read_but_not_brought_back(staff: Client, duel: Arena) -> None:
    send(staff, page_of(duel), {"description": "Changed."})
    first = VERSIONS.objects.earliest()
    url = reverse("admin:league_arena_simple_history", args=[duel.pk, first.pk])
    page = staff.get(url)
    assert page.status_code == 200
    assert "Revert" not in page.content.decode()
    assert staff.post(url, form_on(staff, page_of(duel))).status_code == 405
    assert read(duel).description == "Changed."


def test_an_arena_that_history_needs_is_not_deleted_and_the_page_says_why(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(alice, charlie, duel)
    url = reverse("admin:league_arena_delete", args=[duel.pk])
    page = staff.get(url).content.decode()
    assert "cannot be deleted" in page
    assert "1 match" in page
    assert "1 season" in page
    assert staff.post(url, {"post": "yes"}).status_code in {200, 403}
    chosen = {"action": "delete_selected", "_selected_action": [duel.pk], "post": "yes"}
    assert staff.post(reverse("admin:league_arena_changelist"), chosen).status_code == 200
    assert Arena.objects.filter(pk=duel.pk).exists()
