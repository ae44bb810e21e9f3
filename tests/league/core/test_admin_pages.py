"""Every page of the admin obeys the strict content policy."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.apps import apps
from django.contrib import admin
from django.urls import reverse

from league.models import Arena, Player, RatingEvent, Roster
from league.services.results.reports.answers import confirm
from tests.support.admin_steps import errors_of, send, staff
from tests.support.cast import NOW, beats
from tests.support.strict_pages import assert_strict

if TYPE_CHECKING:
    from django.test import Client


__all__ = ["staff"]


VERSIONS = apps.get_model("league", "HistoricalArena")


admin.autodiscover()
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
        "league.entrant",
        "league.fixture",
        "league.flag",
        "league.playerclaim",
        "league.playerreport",
        "league.appeal",
        "league.leaguesettings",
        "league.maintenance",
        "league.job",
        "league.trial",
        "league.fileimport",
        "league.webhookdelivery",
        "league.email",
        "league.bouncingaddress",
        "league.team",
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


def test_the_front_page_lists_all_models_in_the_order_of_staffs_work(staff: Client) -> None:
    groups = staff.get("/admin/").context["app_list"]
    assert [group["name"] for group in groups] == [
        "Arenas and matches",
        "Players",
        "Fair play",
        "Imports and trials",
        "The league",
        "Records",
        "Accounts",
        "Advanced",
    ]
    first, last = groups[0]["models"], groups[-1]["models"]
    assert [model["name"] for model in first][:3] == ["Arenas", "Queues", "Rules of arenas"]
    assert [model["name"] for model in last][:2] == ["Second factors", "API tokens"]
    listed = [model["object_name"] for group in groups for model in group["models"]]
    assert sorted(listed) == sorted(model.__name__ for model in admin.site._registry)
    assert 'href="/"' in staff.get("/admin/").content.decode()


@pytest.mark.parametrize("number", ["NaN", "abc"])
def test_a_forged_key_gets_a_message(staff: Client, number: str) -> None:
    forged = {"action": "merge_selected", "_selected_action": [number]}
    answer = staff.post(reverse("admin:league_player_changelist"), forged)
    assert answer.status_code == 400
    assert "text where a number belongs" in answer.text
    answer = staff.post(reverse("admin:league_announcement_add"), {"arena": number})
    assert errors_of(answer)["arena"] == [f"{number} was not found. Give the whole name."]


@pytest.mark.parametrize(
    "sent",
    [
        {"month": "9" * 23},
        {"month": "9999"},
        {"month": "9999-12"},
        {"month": "1"},
        {"q": "9" * 5000},
        {"arena": "9" * 5000},
    ],
)
def test_numbers_of_any_size_in_a_list_are_no_error_of_the_site(
    staff: Client, sent: dict[str, str]
) -> None:
    answer = staff.get(reverse("admin:league_staffaction_changelist"), sent)
    assert answer.status_code in {200, 302, 400}


def test_who_logs_out_reads_so(staff: Client) -> None:
    page = staff.post(reverse("admin:logout"))
    assert "You are logged out." in page.text
    assert "quality time" not in page.text
    assert staff.get(reverse("admin:index")).status_code == 302
