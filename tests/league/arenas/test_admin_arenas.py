"""Olga sets up arenas. Each parameter has a typed field, and wrong values are refused beside it."""

import math
import re
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils.html import escape

from league.admin.core.fields import declared_fields
from league.models import Arena, Format, Player, Season, User
from league.services.core.clock import database_now
from ratings.registry import SYSTEMS
from ratings.seasons.rules import SEASON_RULES
from ratings.tunables.declarations import Declaration
from tests.support.admin_steps import (
    arena_page,
    browser_of,
    errors_of,
    form_on,
    open_season_page,
    send,
    staff,
)
from tests.support.effort import spread
from tests.support.season_steps import win

__all__ = ["staff"]

ADD = "/admin/league/arena/add/"
VERSIONS = apps.get_model("league", "HistoricalArena")
NEW = {"name": "Blitz", "slug": "blitz"}


def read(arena: Arena) -> Arena:
    return Arena.objects.get(pk=arena.pk)


@pytest.mark.parametrize("system", SYSTEMS)
def test_olga_adds_an_arena_for_each_system_and_its_first_season_begins(
    staff: Client, system: str
) -> None:
    sides = {"sides_max": "4"} if SYSTEMS[system].against_two_sides else {}
    response = send(staff, ADD, {**NEW, **sides, "rating_system": system})
    assert errors_of(response) == {}
    arena = Arena.objects.get(slug="blitz")
    assert arena.rating_system == system
    assert arena.rating_parameters == SYSTEMS[system].Parameters().to_json()
    season = arena.current_season(database_now())
    assert season is not None
    assert season.name == "Season 1"
    assert season.opened_at is not None
    assert season.starts_at == season.opened_at.replace(hour=0, minute=0, second=0, microsecond=0)
    assert season.ends_at is None
    assert (season.rating_system, season.rating_parameters) == (system, arena.rating_parameters)


def test_where_modes_are_added_it_says_that_they_share_a_rating(staff: Client) -> None:
    warning = "All modes share one rating; for a rating per mode, set up an arena each."
    draft = Arena.objects.create(name="Draft", slug="draft", is_draft=True)
    for address in (
        reverse("admin:league_arena_add"),
        reverse("admin:league_arena_change", args=[draft.pk]),
        reverse("admin:league_arena_step", args=[draft.pk, "format"]),
    ):
        assert warning in staff.get(address).content.decode()


def test_a_new_arena_is_offered_with_the_defaults_of_the_model(staff: Client) -> None:
    form = form_on(staff, ADD)
    assert form["rating_system"] == "glicko-2"
    assert form["confirmation_window"] == "2d"
    assert form["sides_min"] == "2"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_parameter_is_a_field_with_its_unit_range_default_and_source(
    staff: Client, system: str
) -> None:
    form = staff.get(f"{ADD}?with=system-{system}").context["adminform"].form
    for declaration in declared_fields(SYSTEMS[system].Parameters):
        field = form[f"{system}__{declaration.name}"]
        help_text = str(field.help_text)
        assert field.label == declaration.label
        assert declaration.name in help_text
        assert escape(declaration.source) in help_text
        if declaration.kind not in {"choice", "boolean"}:
            assert declaration.allowed in help_text
            assert str(field.value()) in help_text
        if declaration.unit != "time":
            assert declaration.unit in str(field)


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_value_out_of_range_is_refused_beside_its_field_with_the_range(
    staff: Client, system: str
) -> None:
    filled = {**form_on(staff, ADD), **NEW, "rating_system": system}
    form = type(staff.get(ADD).context["adminform"].form)
    wrong = {
        f"{system}__{declaration.name}": (declaration.allowed, wrong_values(declaration))
        for declaration in declared_fields(SYSTEMS[system].Parameters)
        if declaration.kind not in {"choice", "boolean"}
    }
    for turn in range(max(len(values) for _allowed, values in wrong.values())):
        given = {name: values[turn % len(values)] for name, (_allowed, values) in wrong.items()}
        errors = form({**filled, **given}).errors
        assert set(errors) == set(wrong), given
        for name, (allowed, _values) in wrong.items():
            assert allowed in errors[name][0], given[name]
    assert errors_of(staff.post(ADD, {**filled, **given})) == errors
    assert not Arena.objects.exists()


def wrong_values(declaration: Declaration) -> list[str]:
    if declaration.kind == "numbers":
        return ["much", "0", "1, x", "nan", "1e999"]
    values = ["", "much", "nan", "-1e999"]
    if declaration.minimum is not None:
        excluded = declaration.exclusive_minimum
        values.append(repr(declaration.minimum if excluded else declaration.minimum - 1))
    if declaration.maximum is not None:
        excluded = declaration.exclusive_maximum
        values.append(repr(declaration.maximum if excluded else declaration.maximum + 1))
    if declaration.kind == "duration":
        values += ["3 fortnights", "-3d"]
    return values


def test_a_choice_that_is_not_offered_is_refused_beside_its_field(staff: Client) -> None:
    wrong = {**NEW, "rating_system": "elo", "elo__team_strength": "loudest"}
    errors = errors_of(send(staff, ADD, wrong))
    assert list(errors) == ["elo__team_strength"]
    assert "mean, sum, max, min" in errors["elo__team_strength"][0]


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
    assert errors_of(send(staff, arena_page(duel), changes)) == {}
    arena: Any = read(duel)
    assert arena.system().parameters.deviation_period == seconds
    assert arena.confirmation_window == timedelta(seconds=seconds)


@pytest.mark.parametrize("typed", ["59s", "31d", "", "soon", "-1d", "nan", "1e300", "2 0:00"])
def test_a_confirmation_window_out_of_range_is_refused_with_the_range(
    staff: Client, duel: Arena, typed: str
) -> None:
    errors = errors_of(send(staff, arena_page(duel), {"confirmation_window": typed}))
    assert list(errors) == ["confirmation_window"]
    if typed:
        assert "from 1m to 30d" in errors["confirmation_window"][0]


def test_fields_of_other_systems_are_ignored(staff: Client, duel: Arena) -> None:
    garbage = {"elo__T": "garbage", "elo__max_gain": "-1", "elo__team_strength": "loudest"}
    assert errors_of(send(staff, arena_page(duel), garbage)) == {}
    assert read(duel).rating_parameters == SYSTEMS["glicko-2"].Parameters().to_json()


def test_bounds_the_wrong_way_round_are_told_beside_the_lower_one(
    staff: Client, duel: Arena
) -> None:
    errors = errors_of(send(staff, arena_page(duel), {"glicko-2__rating_default": "50"}))
    assert list(errors) == ["glicko-2__rating_default"]
    assert "100" in errors["glicko-2__rating_default"][0]


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"sides_min": "3", "sides_max": "2"}, "sides_min"),
        ({"team_size_min": "3", "team_size_max": "2"}, "team_size_min"),
        ({"sides_max": "10001"}, "sides_max"),
        ({"sides_max": "1" + "0" * 30}, "sides_max"),
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
    assert list(errors_of(send(staff, arena_page(duel), changes))) == [field]


def test_a_taken_address_is_refused(staff: Client, duel: Arena) -> None:
    assert list(errors_of(send(staff, ADD, {**NEW, "slug": duel.slug}))) == ["slug"]


def test_saving_an_untouched_page_keeps_every_number_to_the_last_bit(staff: Client) -> None:
    awkward = {"T": 400 / math.log(10), "max_gain": 0.1 + 0.2, "mean": 1e-300}
    arena = Arena(name="Odd", slug="odd", rating_system="elo", rating_parameters=awkward)
    arena.full_clean()
    arena.save()
    before = arena.rating_parameters
    assert errors_of(send(staff, arena_page(arena), {})) == {}
    after = read(arena).rating_parameters
    assert {name: repr(value) for name, value in after.items()} == {
        name: repr(value) for name, value in before.items()
    }
    assert after["max_gain"].hex() == (0.1 + 0.2).hex()


def test_a_form_that_leaves_parameters_out_leaves_them_as_they_are(
    staff: Client, duel: Arena
) -> None:
    send(staff, arena_page(duel), {"glicko-2__rating_default": "1500"})
    left_out = "glicko-2__rating_default"
    assert errors_of(send(staff, arena_page(duel), {}, without=left_out)) == {}
    assert read(duel).rating_parameters["rating_default"] == 1500


def test_a_change_of_system_brings_its_own_parameters_only(staff: Client, duel: Arena) -> None:
    changes = {"rating_system": "elo", "elo__max_gain": "24"}
    assert errors_of(send(staff, arena_page(duel), changes)) == {}
    arena = read(duel)
    assert arena.rating_system == "elo"
    assert arena.rating_parameters == {**SYSTEMS["elo"].Parameters().to_json(), "max_gain": 24.0}


# Who may, and what they did


def helper_with(*permissions: str) -> Client:
    user = User.objects.create_user("frank", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=permissions))
    return browser_of(user)


def test_staff_with_view_permission_see_the_parameters_and_change_nothing(duel: Arena) -> None:
    frank = helper_with("view_arena")
    page = frank.get(arena_page(duel)).content.decode()
    assert "Deviation: period of inactivity" in page
    assert 'name="rating_system"' not in page
    assert "Open a new season" not in page
    assert frank.post(arena_page(duel), {"name": "Mine"}).status_code == 403
    assert frank.get(open_season_page(duel)).status_code == 403
    assert frank.post(open_season_page(duel), {}).status_code == 403
    assert frank.get(ADD).status_code == 403
    assert Season.objects.count() == 1


def test_opening_a_season_needs_the_right_to_add_seasons(duel: Arena) -> None:
    frank = helper_with("view_arena", "change_arena")
    assert frank.get(arena_page(duel)).status_code == 200
    assert frank.post(open_season_page(duel), {}).status_code == 403


def test_the_history_tells_who_changed_which_parameter(staff: Client, duel: Arena) -> None:
    changes = {"glicko-2__rating_default": "1500", "description": "One against one."}
    send(staff, arena_page(duel), changes)
    history = staff.get(reverse("admin:league_arena_history", args=[duel.pk])).content.decode()
    assert "olga" in history
    assert "Rating: default" in history
    assert """<del>1200</del> <span class="arrow">→</span> <ins>1500</ins>""" in history
    assert "Deviation" not in history


def test_an_old_version_is_read_but_not_brought_back(staff: Client, duel: Arena) -> None:
    send(staff, arena_page(duel), {"description": "Changed."})
    first = VERSIONS.objects.earliest()
    url = reverse("admin:league_arena_simple_history", args=[duel.pk, first.pk])
    page = staff.get(url)
    assert page.status_code == 200
    assert "Revert" not in page.content.decode()
    shown = re.findall(r'class="[^"]*section-([\w-]+)', page.content.decode())
    named = {"format", "results", "limits", "rating", "shown", f"system-{duel.rating_system}"}
    assert set(shown) == named | SEASON_RULES.keys() - {"challenges"}
    assert staff.post(url, form_on(staff, arena_page(duel))).status_code == 405
    assert read(duel).description == "Changed."


def test_an_arena_that_history_needs_is_not_deleted_and_the_page_says_why(
    staff: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    win(duel, alice, charlie)
    url = reverse("admin:league_arena_delete", args=[duel.pk])
    page = staff.get(url).content.decode()
    assert "cannot be deleted" in page
    assert "1 rated result" in page
    assert (
        "the league keeps: 1 rated result."
        in staff.post(url, {"post": "yes", "_reason": "No."}).text
    )
    chosen = {"action": "delete_selected", "_selected_action": [duel.pk], "post": "yes"}
    assert staff.post(reverse("admin:league_arena_changelist"), chosen).status_code == 200
    assert Arena.objects.filter(pk=duel.pk).exists()


@pytest.mark.parametrize("system", spread([*SYSTEMS], 5))
@pytest.mark.parametrize(
    "shape",
    [
        {"team_size_min": "2", "team_size_max": "5"},
        {"sides_max": "3"},
        {"sides_min": "2", "sides_max": "200", "team_size_max": "100"},
        {"format": Format.FREE_FOR_ALL, "sides_max": "8"},
    ],
)
def test_a_system_that_cannot_rate_the_format_is_refused_beside_its_field(
    staff: Client, system: str, shape: dict[str, str]
) -> None:
    errors = errors_of(send(staff, ADD, {**NEW, "rating_system": system, **shape}))
    assert set(errors) <= {"rating_system"}
    assert Arena.objects.filter(slug="blitz").exists() != bool(errors)


def test_the_list_names_the_size_of_sides(staff: Client, duel: Arena, teams: Arena) -> None:
    Arena.objects.filter(pk=teams.pk).update(team_size_min=5, team_size_max=5)
    text = staff.get(reverse("admin:league_arena_changelist")).text
    assert ">One against one</td>" in text
    assert ">Teams of 5</td>" in text


def test_the_form_reads_the_running_season_once(staff: Client, duel: Arena) -> None:
    """For the preview of divisions and for the example of a shown rating."""
    address = reverse("admin:league_arena_change", args=[duel.pk])
    with CaptureQueriesContext(connection) as asked:
        assert "A newcomer’s rating of" in staff.get(address).text
    assert sum("clock_timestamp" in each["sql"] for each in asked) == 1


@pytest.mark.parametrize("system", ["codeforces", "topcoder"])
def test_systems_of_large_contests_are_refused_for_two_sides_with_the_reason(
    staff: Client, duel: Arena, system: str
) -> None:
    reason = SYSTEMS[system].against_two_sides
    assert errors_of(send(staff, arena_page(duel), {"rating_system": system})) == {
        "rating_system": [reason]
    }
    assert errors_of(send(staff, ADD, {**NEW, "rating_system": system}))["rating_system"] == [
        reason
    ]


@pytest.mark.parametrize("system", ["codeforces", "topcoder"])
def test_an_arena_that_is_rated_by_one_of_them_can_still_be_changed(
    staff: Client, duel: Arena, system: str
) -> None:
    duel.rating_system, duel.rating_parameters = system, {}
    duel.full_clean()
    duel.save()
    assert errors_of(send(staff, arena_page(duel), {"description": "As ever."})) == {}
    duel.refresh_from_db()
    assert (duel.rating_system, duel.description) == (system, "As ever.")
