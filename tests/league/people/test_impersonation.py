"""Staff see the site as a player: read-only, for half an hour, and on record."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Notice, Player, StaffAction, User
from league.services.core.clock import database_now
from league.services.people import roles
from league.web.people import impersonation
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import beats
from tests.support.result_steps import user_of

__all__ = ["staff"]


def page_for(player: Player) -> str:
    return reverse("admin:league_user_see_as", args=[user_of(player).pk])


def see_as(client: Client, player: Player, reason: str = "A lost button.") -> Any:
    return client.post(page_for(player), {"reason": reason})


@pytest.fixture
def seeing(staff: Client, alice: Player) -> Client:
    """Olga sees the site as Alice."""
    assert see_as(staff, alice).status_code == 302
    return staff


def test_the_site_is_shown_as_the_player_sees_it_with_a_banner(
    seeing: Client, alice: Player
) -> None:
    page = seeing.get(reverse("waiting")).content.decode()
    assert "You see the site as <strong>Alice</strong>" in page
    assert alice.get_absolute_url() in page
    action = StaffAction.objects.get()
    assert (action.kind, action.reason) == (StaffAction.Kind.IMPERSONATED, "A lost button.")
    assert (str(action.actor), action.player_names()) == ("olga", ["Alice"])


def test_ending_it_leads_back_to_the_account(seeing: Client, alice: Player) -> None:
    answer = seeing.post(reverse("impersonation_end"))
    assert answer["Location"] == reverse("admin:league_user_change", args=[user_of(alice).pk])
    assert "You see the site as <strong>" not in seeing.get(reverse("home")).content.decode()
    assert seeing.get(reverse("admin:index")).status_code == 200


def test_nothing_can_be_sent(seeing: Client, duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(charlie, alice, duel)
    for address in (
        reverse("match_confirm", args=[match.pk]),
        reverse("api:match-confirm", args=[match.pk]),
        reverse("account_logout"),
        reverse("inbox_read"),
    ):
        assert seeing.post(address).status_code == 403, address
    match.refresh_from_db()
    assert match.status == "reported"


def test_no_notice_is_read_and_no_last_log_in_changes(
    seeing: Client, duel: Arena, alice: Player, charlie: Player
) -> None:
    beats(charlie, alice, duel)
    notice = Notice.objects.filter(player=alice).first()
    assert notice is not None
    before = User.objects.get(player=alice).last_login
    for address in (reverse("inbox"), reverse("notice", args=[notice.pk])):
        seeing.get(address)
    assert Notice.objects.filter(pk=notice.pk, seen_at=None).exists()
    assert User.objects.get(player=alice).last_login == before
    browser_of(user_of(alice)).get(reverse("notice", args=[notice.pk]))
    assert not Notice.objects.filter(pk=notice.pk, seen_at=None).exists()


def test_pages_with_secrets_and_the_admin_are_closed(seeing: Client) -> None:
    for address in (
        reverse("settings"),
        reverse("mail_settings"),
        reverse("my_data"),
        reverse("my_data_file"),
        reverse("account_email"),
        reverse("mfa_index"),
        reverse("api:tokens"),
        reverse("admin:index"),
    ):
        assert seeing.get(address).status_code == 403, address
    assert seeing.get(reverse("dishonor")).status_code == 200


def test_it_ends_after_half_an_hour_even_in_the_middle_of_a_form(
    seeing: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    later = database_now() + timedelta(minutes=31)
    monkeypatch.setattr(impersonation, "database_now", lambda: later)
    refused = seeing.post(reverse("inbox_read"))
    assert refused.status_code == 403
    assert "the thirty minutes are over" in refused.content.decode()
    page = seeing.get(reverse("home")).content.decode()
    assert "You see the site as <strong>" not in page


def test_it_ends_when_the_player_becomes_staff_or_the_permission_goes(
    seeing: Client, alice: Player, olga: Player
) -> None:
    roles.give(user_of(alice), ["referee"], [])
    assert "You see the site as <strong>" not in seeing.get(reverse("home")).content.decode()


def test_nobody_sees_the_site_as_staff_or_without_the_permission(
    staff: Client, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    roles.give(user_of(alice), ["editor"], [])
    assert see_as(staff, alice).status_code == 403
    roles.give(user_of(bob), ["referee"], [])
    client = browser_of(User.objects.get(player=bob))
    assert see_as(client, charlie).status_code == 403
    roles.give(user_of(bob), ["moderator"], [])
    moderator = browser_of(User.objects.get(player=bob))
    assert see_as(moderator, charlie).status_code == 302
    assert StaffAction.objects.get().player_names() == ["Charlie"]


def test_a_reason_is_needed(staff: Client, alice: Player) -> None:
    answer = see_as(staff, alice, reason="")
    assert "Give a reason." in answer.content.decode()
    assert "seen_as" not in staff.session
