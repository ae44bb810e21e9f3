"""Two editors of one page: the second learns what the first changed, and keeps their text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    ArenaQueue,
    Discipline,
    PenaltyReason,
    ReservedWord,
    Roster,
    RosterMember,
)
from tests.support.admin_steps import FormReader, arena_page, errors_of, form_on, send, staff

if TYPE_CHECKING:
    from django.test import Client

    from league.models import Player

__all__ = ["staff"]

SAVE = {"_save": "Save"}


def told(response: Any) -> list[tuple[str, str, str, str, str]]:
    """Return the row, field, and its values before, now and mine, for each change told."""
    assert response.status_code == 200, response.status_code
    changes = response.context["meanwhile"]
    return [(each.row, each.what, each.was, each.now, each.mine) for each in changes]


def again(staff: Client, url: str, response: Any, **more: Any) -> Any:
    """Send the form of the page that told of the changes, as it is."""
    reader = FormReader()
    reader.feed(response.content.decode())
    return staff.post(url, {**reader.values, **SAVE, **more})


def read(arena: Arena) -> Arena:
    return Arena.objects.get(pk=arena.pk)


def test_nobody_is_told_anything_if_nobody_else_saved(staff: Client, duel: Arena) -> None:
    assert errors_of(send(staff, arena_page(duel), {"description": "Mine."})) == {}
    assert read(duel).description == "Mine."


def test_different_fields_are_both_kept_once_the_second_editor_has_read_them(
    staff: Client, duel: Arena
) -> None:
    mine = form_on(staff, arena_page(duel))
    send(staff, arena_page(duel), {"season_decay__points": "70", "draws_allowed": ""})
    response = staff.post(arena_page(duel), {**mine, "description": "Mine.", **SAVE})
    assert told(response) == [
        ("", "Draws", "on", "off", ""),
        ("", "Decay: points", "0", "70", ""),
    ]
    assert read(duel).description == ""
    page = response.content.decode()
    assert "olga saved this page" in page
    assert "Mine." in page
    assert again(staff, arena_page(duel), response).status_code == 302
    stored = read(duel)
    assert (stored.description, stored.rules().decay.points) == ("Mine.", 70)
    assert not stored.draws_allowed


def test_the_same_field_keeps_the_second_editor_s_text(staff: Client, duel: Arena) -> None:
    mine = {**form_on(staff, arena_page(duel)), "description": "Mine."}
    send(staff, arena_page(duel), {"description": "Theirs."})
    response = staff.post(arena_page(duel), {**mine, **SAVE})
    assert told(response) == [("", "Description", "empty", "Theirs.", "Mine.")]
    assert read(duel).description == "Theirs."
    assert again(staff, arena_page(duel), response).status_code == 302
    assert read(duel).description == "Mine."


def test_the_second_editor_can_take_the_other_value(staff: Client, duel: Arena) -> None:
    mine = {**form_on(staff, arena_page(duel)), "description": "Mine.", "is_open": ""}
    send(staff, arena_page(duel), {"description": "Theirs."})
    response = staff.post(arena_page(duel), {**mine, **SAVE})
    assert again(staff, arena_page(duel), response, _theirs="description").status_code == 302
    assert read(duel).description == "Theirs."


def test_a_third_save_is_told_as_well(staff: Client, duel: Arena) -> None:
    mine = {**form_on(staff, arena_page(duel)), "description": "Mine."}
    send(staff, arena_page(duel), {"description": "Theirs."})
    response = staff.post(arena_page(duel), {**mine, **SAVE})
    send(staff, arena_page(duel), {"description": "Theirs, better."})
    response = again(staff, arena_page(duel), response)
    assert told(response) == [("", "Description", "Theirs.", "Theirs, better.", "Mine.")]


def test_the_same_change_by_both_needs_no_word(staff: Client, duel: Arena) -> None:
    mine = form_on(staff, arena_page(duel))
    send(staff, arena_page(duel), {"description": "Ours."})
    response = staff.post(arena_page(duel), {**mine, "description": "Ours.", **SAVE})
    assert response.status_code == 302


def test_wrong_input_beside_a_change_shows_both(staff: Client, duel: Arena) -> None:
    mine = {**form_on(staff, arena_page(duel)), "confirmation_window": "soon"}
    send(staff, arena_page(duel), {"description": "Theirs."})
    response = staff.post(arena_page(duel), {**mine, **SAVE})
    assert set(errors_of(response)) == {"__all__", "confirmation_window"}
    assert told(response) == [("", "Description", "empty", "Theirs.", "")]


def test_a_deleted_row_shows_what_the_second_editor_wrote(staff: Client) -> None:
    word = ReservedWord.objects.create(name="umpire")
    url = reverse("admin:league_reservedword_change", args=[word.pk])
    mine = {**form_on(staff, url), "name": "touchjudge"}
    word.delete()
    response = staff.post(url, {**mine, **SAVE})
    assert response.status_code == 410
    assert response.context["wrote"] == [("Word", "touchjudge")]
    assert "touchjudge" in response.content.decode()
    assert not ReservedWord.objects.filter(name="touchjudge").exists()


def test_rows_that_others_changed_added_and_removed(staff: Client, duel: Arena) -> None:
    reasons = [
        PenaltyReason.objects.create(arena=duel, name=name, stacks=1) for name in ("Late", "Rude")
    ]
    mine = form_on(staff, arena_page(duel))
    rows = {mine[f"penalty_reasons-{at}-id"]: f"penalty_reasons-{at}" for at in (0, 1)}
    late, rude = (rows[str(reason.pk)] for reason in reasons)
    PenaltyReason.objects.filter(pk=reasons[0].pk).update(stacks=4)
    reasons[1].delete()
    PenaltyReason.objects.create(arena=duel, name="Loud", stacks=2)
    mine |= {f"{rude}-stacks": "3", f"{late}-name": "Very late"}
    response = staff.post(arena_page(duel), {**mine, **SAVE})
    changes = response.context["meanwhile"]
    assert [(one.kind, one.row, one.was, one.now, one.mine) for one in changes] == [
        ("changed", "Late", "1", "4", ""),
        ("removed", "Rude", "", "", "Stacks: 3"),
        ("added", "Loud", "", "", ""),
    ]
    assert again(staff, arena_page(duel), response).status_code == 302
    stored = PenaltyReason.objects.filter(arena=duel).values_list("name", "stacks")
    assert sorted(stored) == [("Loud", 2), ("Very late", 4)]


def test_a_new_row_of_the_second_editor_stays(
    staff: Client, owls: Roster, bob: Player, charlie: Player
) -> None:
    url = reverse("admin:league_roster_change", args=[owls.pk])
    mine = form_on(staff, url)
    number = mine["memberships-INITIAL_FORMS"]
    RosterMember.objects.filter(roster=owls, player=bob).delete()
    mine |= {f"memberships-{number}-player": str(charlie.pk)}
    response = staff.post(url, {**mine, **SAVE})
    assert [one.kind for one in response.context["meanwhile"]] == ["removed"]
    assert again(staff, url, response).status_code == 302
    members = set(RosterMember.objects.filter(roster=owls).values_list("player", flat=True))
    assert charlie.pk in members
    assert bob.pk not in members


@pytest.mark.parametrize("token", ["", "forged", "eyJhIjoxfQ:1abc:def"])
def test_a_form_without_its_token_is_saved_as_sent(staff: Client, duel: Arena, token: str) -> None:
    mine = {**form_on(staff, arena_page(duel)), "description": "Mine.", "_loaded": token}
    assert staff.post(arena_page(duel), {**mine, **SAVE}).status_code == 302
    assert read(duel).description == "Mine."


@pytest.mark.parametrize("count", ["", "-1", "x", "99999", "5"])
def test_broken_counts_of_rows_are_no_fault(staff: Client, duel: Arena, count: str) -> None:
    PenaltyReason.objects.create(arena=duel, name="Late", stacks=1)
    mine = {**form_on(staff, arena_page(duel)), "penalty_reasons-INITIAL_FORMS": count}
    send(staff, arena_page(duel), {"description": "Theirs."})
    assert staff.post(arena_page(duel), {**mine, **SAVE}).status_code == 200


def test_every_form_of_ours_tells(staff: Client, alice: Player, owls: Roster, duel: Arena) -> None:
    teams = Arena.objects.create(name="Quads", slug="quads")
    rows: dict[Any, tuple[str, str, str]] = {
        ArenaQueue.objects.create(arena=teams): ("ready_window", "1m", "2m"),
        Discipline.objects.create(): ("decay", "parallel", "sequential"),
        alice: ("level", "3", "4"),
        alice.user: ("first_name", "Al", "Alice"),
        owls: ("name", "Eagles", "Hawks"),
        ReservedWord.objects.create(name="umpire"): ("name", "touchjudge", "judge"),
    }
    for row, (field, theirs, mine) in rows.items():
        names = row._meta
        url = reverse(f"admin:{names.app_label}_{names.model_name}_change", args=[row.pk])
        first = form_on(staff, url)
        assert errors_of(send(staff, url, {field: theirs})) == {}, url
        response = staff.post(url, {**first, field: mine, **SAVE})
        changes = response.context["meanwhile"]
        assert len(changes) == 1, url
        assert changes[0].kind == "changed"
