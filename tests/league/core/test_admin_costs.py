"""The pages of the admin take a constant, small number of statements."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, Player, RatingEvent
from league.services.seasons import end_previews
from tests.support.admin_steps import arena_page, form_on, send, staff
from tests.support.cast import account
from tests.support.season_steps import win

__all__ = ["staff"]

MOST = 23
MOST_TO_SAVE = 35
LISTS = [
    "match",
    "player",
    "rating",
    "ratingevent",
    "pointentry",
    "staffaction",
    "user",
    "roster",
    "arena",
]


def statements(staff: Client, address: str) -> int:
    staff.get(address)  # what a process reads once
    with CaptureQueriesContext(connection) as found:
        assert staff.get(address).status_code == 200
    return len(found)


def pages(duel: Arena, player: Player) -> list[str]:
    match, user = duel.matches.earliest("pk"), player.user
    assert user
    return [
        reverse("admin:index"),
        *(reverse(f"admin:league_{model}_changelist") for model in LISTS),
        reverse("admin:league_arena_change", args=[duel.pk]),
        reverse("admin:league_arena_end_season", args=[duel.pk, duel.seasons.get().pk]),
        reverse("admin:league_match_change", args=[match.pk]),
        reverse("admin:league_ratingevent_change", args=[RatingEvent.objects.earliest("pk").pk]),
        reverse("admin:league_player_change", args=[player.pk]),
        reverse("admin:league_player_delete", args=[player.pk]),
        reverse("admin:league_player_file", args=[player.pk]),
        reverse("admin:league_user_change", args=[user.pk]),
        reverse("admin:league_user_delete", args=[user.pk]),
    ]


def test_no_important_page_takes_more_statements_with_more_rows(
    staff: Client,
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(end_previews, "MOST_GAMES", 1)  # as in a large season
    win(duel, alice, bob)
    before = {address: statements(staff, address) for address in pages(duel, alice)}
    assert {address: count for address, count in before.items() if count > MOST} == {}
    for name in ("Gina", "Hana", "Ivan"):
        account(name)
        for opponent in (bob, charlie):
            win(duel, alice, opponent)
    after = {address: statements(staff, address) for address in pages(duel, alice)}
    assert {
        address: (before[address], n) for address, n in after.items() if n > before[address]
    } == {}


def test_the_page_that_deletes_an_account_without_a_history_takes_few_statements(
    staff: Client,
) -> None:
    user = account("Gina").user
    assert user
    Player.objects.filter(user=user).update(user=None)
    assert statements(staff, reverse("admin:league_user_delete", args=[user.pk])) <= MOST


def test_saving_an_arena_takes_few_statements(staff: Client, duel: Arena) -> None:
    send(staff, arena_page(duel), {"description": "Read once."})  # what a process reads once
    typed = form_on(staff, arena_page(duel)) | {"description": "New.", "_save": "Save"}
    with CaptureQueriesContext(connection) as found:
        assert staff.post(arena_page(duel), typed).status_code == 302
    assert len(found) <= MOST_TO_SAVE
