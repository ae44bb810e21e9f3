"""Two editors of one page: the second learns what the first changed, and keeps their text."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import Group
from django.db.models import Model
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from league.admin.moderation.resolving import ResolvedWithNote
from league.admin.site.pages import OnePage
from league.models import (
    Announcement,
    App,
    Arena,
    ArenaQueue,
    ArenaText,
    Discipline,
    DiscordBoard,
    LeagueLogo,
    LeagueSettings,
    Maintenance,
    PenaltyReason,
    Player,
    PlayerReport,
    ReservedWord,
    Roster,
    RosterMember,
    User,
)
from league.services.competitions.running import starting
from tests.support.admin_steps import FormReader, arena_page, errors_of, form_on, send, staff
from tests.support.app_steps import an_app
from tests.support.cast import NOW
from tests.support.competition_steps import competition
from tests.support.pictures import upload
from tests.support.result_steps import user_of
from tests.support.team_steps import team_of
from tests.support.webhook_steps import listens

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


def test_the_time_of_the_first_save_is_in_the_reader_s_zone_and_seasons_in_the_arena_s(
    staff: Client, duel: Arena
) -> None:
    staff.cookies["timezone"] = "Asia/Kolkata"
    mine = form_on(staff, arena_page(duel))
    send(staff, arena_page(duel), {"description": "Theirs."})
    response = staff.post(arena_page(duel), {**mine, "description": "Mine.", **SAVE})
    [saved] = re.findall(
        r"saved this page on <time [^>]*>([^<]*)</time>", response.content.decode()
    )
    assert saved.endswith(" IST")
    assert mine["seasons-0-starts_at_1"] == f"{duel.seasons.get().starts_at:%H:%M:%S}"


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


def test_a_field_that_was_fixed_meanwhile_shows_what_the_second_editor_wrote(
    staff: Client, duel: Arena, olga: Player
) -> None:
    one = competition(duel)
    url = reverse("admin:league_competition_change", args=[one.pk])
    mine = {**form_on(staff, url), "format": "swiss", "name": "Trophy"}
    starting.open_for_entries(one.pk, by=user_of(olga), now=NOW)
    response = staff.post(url, {**mine, **SAVE})
    assert [(each.kind, each.what, each.mine) for each in response.context["meanwhile"]] == [
        ("fixed", "Format", "Swiss")
    ]
    assert again(staff, url, response).status_code == 302
    one.refresh_from_db()
    assert (one.format, one.name) == ("table", "Trophy")


SETTINGS = reverse("admin:league_leaguesettings_changelist")
MAINTENANCE = reverse("admin:league_maintenance_changelist")


def test_the_settings_of_the_league_tell_of_another_logo(staff: Client) -> None:
    mine = {**form_on(staff, SETTINGS), "accent": "#8c1f1b"}
    theirs = {"name": "City", "upload": upload()}
    assert staff.post(SETTINGS, {**form_on(staff, SETTINGS), **theirs}).status_code == 302
    response = staff.post(SETTINGS, {**mine, "no_logo": "on", "upload": upload()})
    assert told(response) == [
        ("", "Logo", "none", "an image", ""),
        ("", "Name of the league", "Laurel", "City", ""),
    ]
    assert "olga saved this page" in response.content.decode()
    assert "Choose the file again." in response.content.decode()
    assert again(staff, SETTINGS, response, no_logo="").status_code == 302
    row = LeagueSettings.objects.get()
    assert (row.name, row.accent, row.logo) == ("City", "#8c1f1b", LeagueLogo.objects.get())


def test_a_new_message_does_not_turn_maintenance_on_again(staff: Client) -> None:
    on = {"message": "Disk", "until": ""}
    assert staff.post(MAINTENANCE, on).status_code == 302
    mine = {**form_on(staff, MAINTENANCE), "message": "Network"}
    assert staff.post(MAINTENANCE, {**form_on(staff, MAINTENANCE), "off": "1"}).status_code == 302
    response = staff.post(MAINTENANCE, mine)
    assert told(response) == [("", "Maintenance", "on", "off", "")]
    assert Maintenance.objects.get().since is None
    assert again(staff, MAINTENANCE, response).status_code == 302
    assert Maintenance.objects.get().since is not None


def test_two_moderators_who_resolve_one_report_both_read_both_notes(
    staff: Client, alice: Player, bob: Player
) -> None:
    now = timezone.now()
    report = PlayerReport.objects.create(
        reporter=alice, reported=bob, reason="abuse", text="Insults", at=now, latest_at=now
    )
    url = reverse("admin:league_playerreport_change", args=[report.pk])
    mine = form_on(staff, url)
    assert send(staff, url, {"note": "A joke."}).status_code == 302
    response = staff.post(url, {**mine, "note": "Warned.", **SAVE}, follow=True)
    page = response.content.decode()
    assert "“A joke.”" in page
    assert "“Warned.”" in page
    report.refresh_from_db()
    assert report.note == "A joke."


def test_every_form_of_ours_tells(staff: Client, alice: Player, owls: Roster, duel: Arena) -> None:
    quads = Arena.objects.create(name="Quads", slug="quads")
    now = timezone.now()
    an_app()
    rows: dict[Any, tuple[str, str, str]] = {
        App.objects.get(): ("sends_back_to", "https://theirs.example/", "https://mine.example/"),
        duel: ("description", "Theirs", "Mine"),
        ArenaQueue.objects.create(arena=quads): ("ready_window", "1m", "2m"),
        Discipline.objects.create(): ("stack_duration", "5h", "6h"),
        alice: ("level", "3", "4"),
        alice.user: ("first_name", "Al", "Alice"),
        owls: ("name", "Eagles", "Hawks"),
        team_of(alice, "Wolves", "WLV"): ("name", "Bears", "Lynxes"),
        ReservedWord.objects.create(name="umpire"): ("name", "touchjudge", "judge"),
        competition(duel): ("name", "Cup", "Trophy"),
        Announcement.objects.create(text="Soon", starts_at=now, by=user_of(alice)): (
            "text",
            "Now",
            "Later",
        ),
        ArenaText.objects.create(arena=duel, rules="Be kind."): ("rules", "Be fair.", "Be nice."),
        Group.objects.create(name="Casters"): ("name", "Hosts", "Guests"),
        LeagueSettings.objects.create(): ("name", "City", "Town"),
        Maintenance.objects.create(): ("message", "Disk", "Network"),
        listens(alice, "https://1.1.1.1/"): ("name", "Robot", "Program"),
        DiscordBoard.objects.create(arena=duel, channel="1" * 18): ("channel", "2" * 18, "3" * 18),
    }
    assert {type(row) for row in rows} == set(forms_of_ours(staff))
    for row, (field, theirs, mine) in rows.items():
        names = row._meta
        page = f"admin:{names.app_label}_{names.model_name}"
        alone = isinstance(admin.site._registry[type(row)], OnePage)
        url = reverse(
            f"{page}_changelist" if alone else f"{page}_change", args=[] if alone else [row.pk]
        )
        first = form_on(staff, url)
        response = send(staff, url, {field: theirs})
        assert response.status_code == 302, (url, response.context.get("errors"))
        response = staff.post(url, {**first, field: mine, **SAVE})
        assert response.status_code == 200, url
        changes = response.context["meanwhile"]
        assert any(one.mine for one in changes), url
        assert form_on(staff, url)[field] != mine, url
        assert again(staff, url, response).status_code == 302, url


def forms_of_ours(staff: Client) -> Iterator[type[Model]]:
    """Yield the models whose rows somebody can change on a page of ours, more than once."""
    request = RequestFactory().get("/")
    request.user = User.objects.get(pk=staff.session[SESSION_KEY])
    for model, one in admin.site._registry.items():
        is_once = isinstance(one, ResolvedWithNote)
        if is_once or not type(one).__module__.startswith("league."):
            continue
        if isinstance(one, OnePage) or one.has_change_permission(request, model()):
            yield model
