"""The log of staff actions: what the admin saves and deletes, with before and after, for good."""

import re
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.db import DatabaseError, connection, transaction
from django.db.models import Model
from django.test import Client
from django.urls import reverse

from league.models import (
    AccessToken,
    Announcement,
    Arena,
    ArenaText,
    Flag,
    PenaltyReason,
    Player,
    PlayerReport,
    ReservedWord,
    Roster,
    RosterMember,
    StaffAction,
    User,
)
from league.models.reach import ARENA_ORGANISER
from league.services.announcements import announcing
from league.services.dishonor import bans
from league.services.merging import merging
from league.services.people import roles
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.decisions import decide
from tests.support.admin_steps import arena_page, browser_of, opened_form, send, staff
from tests.support.app_steps import an_app
from tests.support.cast import NOW, PASSWORD, beats
from tests.support.result_steps import user_of
from tests.support.team_steps import team_of

__all__ = ["staff"]

Kind = StaffAction.Kind


def test_saving_a_page_without_changes_is_not_recorded(staff: Client, duel: Arena) -> None:
    send(staff, arena_page(duel), {})
    assert not StaffAction.objects.exists()


def test_line_breaks_as_browsers_send_them_are_no_change(staff: Client, duel: Arena) -> None:
    Arena.objects.update(description="One.\nTwo.")
    shown = opened_form(staff, arena_page(duel))
    lines = {name: text.replace("\n", "\r\n") for name, text in shown.items() if "\n" in text}
    assert len(lines) > 2
    send(staff, arena_page(duel), {**lines, "is_open": ""})
    assert list(StaffAction.objects.get().after or {}) == ["Open"]


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


# What a page saves is in the staff log once, also where a service notes it itself.


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


# The staff log names the arena of an action, so that it is filtered, and organisers see theirs.


LOG = reverse("admin:league_staffaction_changelist")


@pytest.fixture
def log(duel: Arena, teams: Arena, alice: Player, bob: Player, charlie: Player, boss: User) -> None:
    """Let staff act in two arenas, and merge a player who played in one."""
    for player, arena in ((alice, duel), (bob, teams)):
        reason = f"Insults in {arena}"
        bans.ban(player, arena=arena, by=boss, reason=reason, until=None, now=NOW)
        bans.lift(player, by=boss, reason=f"Over in {arena}", now=NOW)
        news = Announcement(text=f"News of {arena}", arena=arena, starts_at=NOW)
        announcing.announce(news, by=boss, now=NOW)
    announcing.announce(Announcement(text="To all", starts_at=NOW), by=boss, now=NOW)
    twin = Player.objects.create(name="Twin")
    confirm(beats(twin, charlie, duel).pk, by=charlie, now=NOW)
    merging.merge(alice, twin, account=None, by=boss, reason="One in Duel", now=NOW)


OF_DUEL = ["Insults in Duel", "Over in Duel", "News of Duel", "One in Duel"]


def reasons(client: Client, query: str = "") -> list[str]:
    rows = client.get(LOG + query).context["cl"].queryset.order_by("pk")
    return [action.reason for action in rows]


@pytest.mark.usefixtures("log")
def test_the_log_is_filtered_by_arena(staff: Client, duel: Arena) -> None:
    assert reasons(staff, f"?arena={duel.pk}") == OF_DUEL
    assert len(reasons(staff)) == 8
    assert "By arena" in staff.get(LOG).text
    assert all(
        action.details["arena"] == "Duel"
        for action in StaffAction.objects.filter(details__arena_id=duel.pk)
    )
    assert staff.get(LOG + "?arena=x").status_code == 200


@pytest.mark.usefixtures("log")
def test_an_arena_organiser_reads_what_was_done_in_their_arena(duel: Arena, dora: Player) -> None:
    roles.give(user_of(dora), [ARENA_ORGANISER], [duel])
    client = browser_of(User.objects.get(player=dora))
    assert reasons(client) == OF_DUEL
    assert "Teams" not in client.get(LOG).text


def test_durations_and_times_of_the_log_are_written_for_people(staff: Client, duel: Arena) -> None:
    send(
        staff,
        arena_page(duel),
        {
            "confirmation_window": "90s",
            "seasons-0-ends_at_0": "1.10.2099",
            "seasons-0-ends_at_1": "20:30",
        },
    )
    action = StaffAction.objects.get()
    staff.cookies["timezone"] = "Europe/Berlin"
    page = staff.get(reverse("admin:league_staffaction_change", args=[action.pk])).content.decode()
    assert "<td>2 days</td><td>1 minute 30 seconds</td>" in page
    assert re.search(r"<td>1 Oct 2099, \d\d:30 CEST</td>", page)
