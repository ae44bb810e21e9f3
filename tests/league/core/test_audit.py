"""The log of staff actions: what the admin saves and deletes, with before and after, for good."""

import pytest
from allauth.mfa.models import Authenticator
from django.db import DatabaseError, connection, transaction
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    PenaltyReason,
    Player,
    ReservedWord,
    Roster,
    RosterMember,
    StaffAction,
)
from league.services.dishonor import bans
from league.services.results.reports.answers import dispute
from league.services.results.staff.decisions import decide
from tests.support.admin_steps import arena_page, send, staff
from tests.support.cast import NOW, PASSWORD, beats
from tests.support.result_steps import user_of

__all__ = ["staff"]

Kind = StaffAction.Kind


def test_saving_a_page_without_changes_is_not_recorded(staff: Client, duel: Arena) -> None:
    send(staff, arena_page(duel), {})
    assert not StaffAction.objects.exists()


def test_rows_on_a_page_are_recorded_too(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    owls = Roster.objects.create(arena=duel, name="Owls", captain=alice)
    RosterMember.objects.create(roster=owls, player=alice)
    page = reverse("admin:league_roster_change", args=[owls.pk])
    send(staff, page, {"memberships-1-player": bob.pk})
    added = StaffAction.objects.get()
    [(label, was)] = (added.before or {}).items()
    assert "Bob" in label
    assert (was, (added.after or {})[label]) == ("–", "Bob")
    assert added.player_names() == ["Alice"]
    send(staff, page, {"memberships-1-DELETE": "on"})
    removed = StaffAction.objects.first()
    assert removed is not None
    assert list((removed.after or {}).values()) == ["deleted"]


def test_adding_and_deleting_are_recorded_with_the_values(staff: Client) -> None:
    send(staff, reverse("admin:league_reservedword_add"), {"name": "Referendum"})
    word = ReservedWord.objects.get(name="Referendum")
    created = StaffAction.objects.get()
    assert created.kind == Kind.CREATED
    assert (created.after or {})["Word"] == "Referendum"
    words = reverse("admin:league_reservedword_changelist")
    chosen = {"action": "delete_selected", "_selected_action": [word.pk]}
    assert 'name="_reason"' in staff.post(words, chosen).text
    without = staff.post(words, {**chosen, "post": "yes", "_reason": " "}, follow=True)
    assert "Give a reason for the staff log" in without.text
    assert ReservedWord.objects.filter(pk=word.pk).exists()
    staff.post(
        words,
        {**chosen, "post": "yes", "_reason": "Nobody means it."},
    )
    deleted = StaffAction.objects.first()
    assert deleted is not None
    assert (deleted.kind, deleted.reason) == (Kind.DELETED, "Nobody means it.")
    assert (deleted.before or {})["Word"] == "Referendum"


def test_a_row_is_deleted_with_a_reason_only(staff: Client, duel: Arena, alice: Player) -> None:
    owls = Roster.objects.create(arena=duel, name="Owls", captain=alice)
    page = reverse("admin:league_roster_delete", args=[owls.pk])
    assert 'name="_reason"' in staff.get(page).text
    assert "Give a reason for the staff log" in staff.post(page, {"post": "yes"}, follow=True).text
    assert Roster.objects.filter(pk=owls.pk).exists()
    staff.post(page, {"post": "yes", "_reason": "They play elsewhere."})
    assert not Roster.objects.exists()
    action = StaffAction.objects.get()
    assert (action.kind, action.reason) == (Kind.DELETED, "They play elsewhere.")
    assert action.arena_id == duel.pk


def test_no_secret_is_recorded(staff: Client, alice: Player) -> None:
    password = reverse("admin:auth_user_password_change", args=[user_of(alice).pk])
    other = "another correct horse"
    send(staff, password, {"password1": other, "password2": other, "usable_password": "true"})
    factor = Authenticator.objects.create(
        user=user_of(alice), type=Authenticator.Type.TOTP, data={"secret": "JBSWY3DP"}
    )
    staff.post(
        reverse("admin:mfa_authenticator_delete", args=[factor.pk]),
        {"post": "yes", "_reason": "Lost."},
    )
    deleted, changed = StaffAction.objects.all()
    assert (changed.kind, changed.player_names()) == (Kind.CHANGED, ["Alice"])
    assert deleted.kind == Kind.DELETED
    everything = " ".join(
        str(value)
        for action in (changed, deleted)
        for value in (action.before, action.after, action.details, action.reason)
    )
    for secret in (other, PASSWORD, "JBSWY3DP", "argon2", user_of(alice).password):
        assert secret not in everything


def test_a_rename_is_recorded_once_with_both_names(staff: Client, alice: Player) -> None:
    send(staff, reverse("admin:league_player_change", args=[alice.pk]), {"name": "Alicia"})
    action = StaffAction.objects.get()
    assert action.kind == Kind.RENAMED
    assert (action.before, action.after) == ({"Name": "Alice"}, {"Name": "Alicia"})


def test_decisions_and_bans_have_before_and_after(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="No.", now=NOW)
    decide(
        match.pk,
        verdict=Kind.CORRECTED,
        by=user_of(olga),
        reason="So.",
        now=NOW,
        placings=[(1, None), (0, None)],
    )
    action = StaffAction.objects.get()
    assert action.before == {"Side 1": "place 1", "Side 2": "place 2", "Status": "disputed"}
    assert action.after == {"Side 1": "place 2", "Side 2": "place 1", "Status": "rated"}
    bans.ban(alice, arena=duel, by=user_of(olga), reason="Insults.", until=None, now=NOW)
    banned = StaffAction.objects.first()
    assert banned is not None
    assert (banned.before or {})["Ban"] == "–"
    assert (banned.after or {})["Arena"] == "Duel"


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE league_staffaction SET reason = 'x'",
        "DELETE FROM league_staffaction",
        "TRUNCATE league_staffaction CASCADE",
        "TRUNCATE league_match CASCADE",
    ],
)
def test_the_log_is_neither_changed_nor_emptied(olga: Player, statement: str) -> None:
    StaffAction.objects.create(actor=user_of(olga), kind=Kind.CHANGED, reason="So.", at=NOW)
    with connection.cursor() as cursor:  # or PostgreSQL refuses to empty it for another reason
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    with (
        pytest.raises(DatabaseError, match="is a ledger"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(statement)
    assert StaffAction.objects.count() == 1


def test_the_log_is_searched_filtered_and_exported(
    staff: Client, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    decide(match.pk, verdict=Kind.VOIDED, by=user_of(olga), reason="A bet.", now=NOW)
    PenaltyReason.objects.create(arena=duel, name="Insults", stacks=1)
    StaffAction.objects.create(
        actor=user_of(olga),
        kind=Kind.CHANGED,
        reason="Other.",
        details={"players": ["Eve"], "object": "Owls"},
        at=NOW,
    )
    log = reverse("admin:league_staffaction_changelist")
    for query, found, missing in (
        (f"?q={match.pk}", "A bet.", "Other."),
        ("?q=Eve", "Other.", "A bet."),
        ("?q=bet", "A bet.", "Other."),
        ("?kind__exact=changed", "Other.", "A bet."),
        (f"?actor={user_of(olga).pk}", "A bet.", "nothing like this"),
        ("?month=2026", "A bet.", "nothing like this"),
    ):
        page = staff.get(log + query).content.decode()
        assert found in page, query
        assert missing not in page, query
    sent = staff.get(reverse("admin:league_staffaction_export"))
    lines = b"".join(sent.streaming_content).decode()  # type: ignore[attr-defined] # streams
    assert "id,at,actor_username,kind,match,reason,before,after,details" in lines
    assert "Owls" in lines
    action = StaffAction.objects.get(kind=Kind.VOIDED)
    shown = staff.get(reverse("admin:league_staffaction_change", args=[action.pk]))
    table = shown.content.decode()
    assert "<td>waiting for confirmation</td><td>void</td>" in table
