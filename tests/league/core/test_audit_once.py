"""What a page saves is in the staff log once, also where a service notes it itself."""

from typing import Any

import pytest
from django.contrib import admin
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.models import (
    AccessToken,
    Announcement,
    Arena,
    ArenaText,
    Flag,
    Player,
    PlayerReport,
    Roster,
    StaffAction,
)
from tests.support.admin_steps import send, staff
from tests.support.app_steps import an_app
from tests.support.cast import NOW
from tests.support.result_steps import user_of
from tests.support.team_steps import team_of

__all__ = ["staff"]

Kind = StaffAction.Kind

CHANGES: dict[str, tuple[dict[str, Any], str]] = {
    "announcement": ({"text": "Rain today."}, Kind.ANNOUNCED),
    "app": ({"sends_back_to": "https://board.example/"}, Kind.CHANGED),
    "arena": ({"name": "Duels"}, Kind.CHANGED),
    "arenatext": ({"rules": "Be kind to all."}, Kind.CHANGED),
    "flag": ({"note": "Nothing in it."}, Kind.CHANGED),
    "player": ({"name": "Alicia"}, Kind.RENAMED),
    "playerreport": ({"note": "Nothing in it."}, Kind.CASE),
    "roster": ({"name": "Larks"}, Kind.CHANGED),
    "team": ({"name": "Day Owls"}, Kind.CHANGED),
    "user": ({"roles": ["referee"], "user_permissions": []}, Kind.ROLE),
}
"""A change on each page that saves in a way of its own, and how the log calls it."""


ONLY_ADDED = {AccessToken}
"""Models whose rows nobody changes, so that their pages save new ones only."""


def rows(duel: Arena, alice: Player, bob: Player, olga: Player) -> dict[str, Model]:
    """Return a row for each of these pages."""
    return {
        "announcement": Announcement.objects.create(text="Sun.", starts_at=NOW, by=user_of(olga)),
        "app": an_app()[0],
        "arena": duel,
        "arenatext": ArenaText.objects.create(arena=duel, rules="Be kind."),
        "flag": Flag.objects.create(
            kind=Flag.Kind.DODGING,
            season=duel.seasons.get(),
            player=alice,
            evidence={"dodges": 9, "offered": 10},
            raised_at=NOW,
        ),
        "player": alice,
        "playerreport": PlayerReport.objects.create(
            reporter=bob, reported=alice, reason="cheating", text="So.", at=NOW, latest_at=NOW
        ),
        "roster": Roster.objects.create(arena=duel, name="Owls", captain=alice),
        "team": team_of(alice),
        "user": user_of(alice),
    }


def test_every_page_that_saves_in_a_way_of_its_own_is_tried_here() -> None:
    own = {
        model._meta.model_name
        for model, pages in admin.site._registry.items()
        if model._meta.app_label == "league"
        and model not in ONLY_ADDED
        and any(
            {"save_model", "save_related"} & vars(one).keys()
            for one in type(pages).__mro__
            if one.__module__.startswith("league.admin.")
        )
    }
    assert own == CHANGES.keys()


@pytest.mark.parametrize("name", CHANGES)
def test_it_is_noted_once(
    staff: Client, duel: Arena, alice: Player, bob: Player, olga: Player, name: str
) -> None:
    row = rows(duel, alice, bob, olga)[name]
    given, kind = CHANGES[name]
    page = reverse(f"admin:league_{name}_change", args=[row.pk])
    assert send(staff, page, given).status_code == 302
    noted = [(action.kind, action.after) for action in StaffAction.objects.all()]
    assert [one for one, _after in noted] == [kind], noted


def test_a_new_token_of_a_game_server_is_noted_once(
    staff: Client, duel: Arena, olga: Player
) -> None:
    page = reverse("admin:league_accesstoken_add")
    given = {"name": "Arena 1", "user": user_of(olga).pk, "arenas": [duel.pk]}
    assert send(staff, page, given).status_code == 201
    assert [action.kind for action in StaffAction.objects.all()] == [Kind.CREATED]
