"""Every page of the admin obeys the strict content policy."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.conf import settings
from django.contrib import admin
from django.urls import reverse

from league.models import Arena, Player, RatingEvent, Roster
from league.services.results.answers import confirm
from ratings.registry import SYSTEMS
from tests.support.admin_steps import send, staff
from tests.support.cast import NOW, beats
from tests.support.strict_pages import assert_strict

if TYPE_CHECKING:
    from django.test import Client


__all__ = ["staff"]


VERSIONS = apps.get_model("league", "HistoricalArena")


LISTED = sorted(model._meta.label_lower for model in admin.site._registry)


@pytest.mark.parametrize("label", LISTED)
def test_every_list_and_every_form_keeps_to_the_policy(staff: Client, label: str) -> None:
    app, model = label.split(".")
    assert_strict(staff, reverse(f"admin:{app}_{model}_changelist"))
    may_add = label not in {
        "league.match",
        "league.rating",
        "league.ratingevent",
        "league.pointentry",
        "league.staffaction",
        "league.dishonoraward",
        "league.ticket",
        "league.proposal",
        "league.tick",
        "league.challenge",
        "league.arrangement",
        "league.flag",
        "league.playerclaim",
        "league.email",
        "league.bouncingaddress",
        "axes.accessattempt",
        "axes.accesslog",
        "axes.accessfailurelog",
    }
    assert_strict(staff, reverse(f"admin:{app}_{model}_add"), 200 if may_add else 403)


def test_every_page_about_a_row_keeps_to_the_policy(
    staff: Client, duel: Arena, owls: Roster, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    event = RatingEvent.objects.earliest("pk")
    send(staff, reverse("admin:league_arena_change", args=[duel.pk]), {"description": "New."})
    old = VERSIONS.objects.earliest().pk
    assert alice.user is not None
    for url in (
        "/admin/",
        "/admin/password_change/",
        reverse("admin:app_list", args=["league"]),
        reverse("admin:league_arena_change", args=[duel.pk]),
        reverse("admin:league_arena_open_season", args=[duel.pk]),
        reverse("admin:league_arena_history", args=[duel.pk]),
        reverse("admin:league_arena_simple_history", args=[duel.pk, old]),
        reverse("admin:league_arena_delete", args=[duel.pk]),
        reverse("admin:league_match_change", args=[match.pk]),
        reverse("admin:league_ratingevent_change", args=[event.pk]),
        reverse("admin:league_player_change", args=[alice.pk]),
        reverse("admin:league_player_history", args=[alice.pk]),
        reverse("admin:league_player_delete", args=[alice.pk]),
        reverse("admin:league_roster_change", args=[owls.pk]),
        reverse("admin:league_roster_delete", args=[owls.pk]),
        reverse("admin:league_user_change", args=[alice.user.pk]),
        reverse("admin:auth_user_password_change", args=[alice.user.pk]),
    ):
        assert_strict(staff, url)


def test_the_style_sheet_shows_each_system_s_parameters_when_it_is_chosen(staff: Client) -> None:
    """The parameters of a system without its line in the style sheet would stay hidden."""
    sheet = (Path(settings.BASE_DIR) / "static" / "css" / "core" / "admin.css").read_text()
    form = staff.get("/admin/league/arena/add/").context["adminform"]
    offered = [value for value, _label in form.form.fields["rating_system"].choices]
    fieldsets = [fieldset for fieldset in form if "rating-system " in fieldset.classes]
    assert len(fieldsets) == len(offered) == len(SYSTEMS)
    for number, (system, fieldset) in enumerate(zip(offered, fieldsets, strict=True), start=1):
        assert f"rating-system-{number}" in fieldset.classes.split()
        assert all(name.startswith(f"{system}__") for name in fieldset.fields)
        shows = f"option:nth-child({number}):checked) .rating-system-{number}"
        assert f"{shows}," in sheet or f"{shows} {{" in sheet


def test_the_front_page_lists_the_league_in_the_order_of_its_work(staff: Client) -> None:
    groups = staff.get("/admin/").context["app_list"]
    assert [group["name"] for group in groups] == ["League", "Accounts and access"]
    assert [model["name"] for model in groups[0]["models"]] == [
        "Arenas",
        "Queues",
        "Matches",
        "Flags",
        "Players",
        "Rosters",
        "Ratings",
        "Rating events",
        "Challenges",
        "Dates",
        "Tickets",
        "Proposed matches",
        "Ticks",
        "Penalties",
        "Amnesties",
        "Dishonor rules",
        "Staff actions",
        "Emails",
        "Bouncing addresses",
    ]
    assert [model["name"] for model in groups[1]["models"]][:2] == ["Users", "Groups"]
    assert 'href="/"' in staff.get("/admin/").content.decode()
