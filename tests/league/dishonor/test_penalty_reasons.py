"""Penalties for the further reasons that an arena declares."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.db import IntegrityError, transaction
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import (
    ANOTHER_REASON,
    Amnesty,
    Arena,
    DishonorAward,
    Flag,
    Match,
    Notice,
    PenaltyReason,
    Player,
    StaffAction,
    User,
)
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.dishonor.abandons import clear
from league.services.dishonor.amnesties import Incident, grant
from league.services.dishonor.discipline import status_of
from league.services.integrity.queue import breaches
from league.services.results.staff import conduct
from tests.support.admin_steps import arena_page, errors_of, send, staff
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW, account, beats
from tests.support.result_steps import user_of
from tests.support.strict_pages import assert_strict
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]


LATER = NOW + timedelta(hours=1)


@pytest.fixture
def insults(duel: Arena) -> PenaltyReason:
    return PenaltyReason.objects.create(arena=duel, name="Insults", stacks=7)


@pytest.fixture
def server(db: None) -> APIClient:
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    return by_token(Player(name="", user=user))


@pytest.fixture
def live(server: APIClient, duel: Arena, alice: Player, charlie: Player) -> int:
    """Alice and Charlie play a match of the game server."""
    sides = [{"captain": player.pk, "players": [player.pk]} for player in (alice, charlie)]
    answer = server.post("/api/v1/arenas/duel/live-matches/", {"sides": sides}, format="json")
    return int(answer.json()["id"])


def penalise_page(player: Player) -> str:
    return reverse("admin:league_player_penalise", args=[player.pk])


def sends(
    client: APIClient,
    match: int,
    player: Player,
    what: str = "penalties",
    body: dict[str, Any] | None = None,
) -> Any:
    sent = {"player": player.pk, "reason": "Insults", "note": "Many."} | (body or {})
    return client.post(f"/api/v1/matches/{match}/{what}/", sent, format="json")


def test_olga_declares_reasons_on_the_page_of_the_arena(staff: Client, duel: Arena) -> None:
    row = {
        "penalty_reasons-TOTAL_FORMS": "1",
        "penalty_reasons-0-name": " Insults  again",
        "penalty_reasons-0-stacks": "7",
    }
    assert errors_of(send(staff, arena_page(duel), row)) == {}
    assert str(duel.penalty_reasons.get()) == "Insults again"
    for name, stacks, said in [
        ("queuedodge", "1", "is a name of the league’s own rules"),
        ("Delay", "-1", "greater than or equal to 0"),
        ("Delay", "2000000000", "less than or equal to 1000000000"),
        ("Insults again", "1", "Please correct the duplicate"),
        ("Insults  again", "1", "Please correct the duplicate"),
    ]:
        answer = send(
            staff,
            arena_page(duel),
            {
                "penalty_reasons-TOTAL_FORMS": "2",
                "penalty_reasons-1-name": name,
                "penalty_reasons-1-stacks": stacks,
            },
        )
        assert answer.status_code == 200
        assert said in words(answer)
    assert duel.penalty_reasons.count() == 1


def test_olga_penalises_bob_who_is_told_and_reads_why(
    staff: Client, insults: PenaltyReason, bob: Player
) -> None:
    assert "Penalise…" in words(staff.get(reverse("admin:league_player_change", args=[bob.pk])))
    assert_strict(staff, penalise_page(bob))
    assert "Duel: Insults (7 stacks)" in words(staff.get(penalise_page(bob)))
    answer = send(staff, penalise_page(bob), {"reason": str(insults.pk), "note": "Bad <b>."})
    assert answer["Location"] == reverse("admin:league_player_change", args=[bob.pk])
    award = DishonorAward.objects.get()
    assert (award.offence, award.stacks, award.ends_at) == ("Insults", 7, None)
    assert award.action is not None
    assert (award.action.kind, award.action.actor) == (StaffAction.Kind.PENALISED, staff_user())
    assert status_of(bob, award.at).stacks == 7
    assert status_of(bob, award.at).in_timeout
    insults.delete()  # what was given stays
    said = words(browser_of(bob).get(reverse("dishonor")))
    assert "Insults 7 stacks" in said
    assert "“Bad <b>.”" in said
    told = words(browser_of(bob).get(reverse("inbox")))
    assert "You were given 7 stacks of dishonor in Duel for “Insults”: “Bad <b>.”" in told
    shown = by_token(bob).get("/api/v1/dishonor/penalties/").json()["results"]
    assert [(one["offence"], one["reason"]) for one in shown] == [("Insults", "Bad <b>.")]
    ledger = reverse("admin:league_dishonoraward_changelist")
    assert "Insults" in words(staff.get(ledger, {"offence": ANOTHER_REASON}))
    assert "0 penalties" in words(staff.get(ledger, {"offence": "Abandon"}))
    assert breaches(NOW) == []


def staff_user() -> User:
    return User.objects.get(username="olga")


def test_a_form_without_a_reason_or_note_and_a_strange_match_are_refused(
    staff: Client, insults: PenaltyReason, bob: Player, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, arena=insults.arena)
    for changes, field in [
        ({"note": "Bad."}, "reason"),
        ({"reason": str(insults.pk), "note": " "}, "note"),
        ({"reason": str(insults.pk), "note": "Bad.", "match": "99999"}, "match"),
        ({"reason": str(insults.pk), "note": "Bad.", "match": str(match.pk)}, "match"),
        ({"reason": str(insults.pk), "note": "Bad.", "match": "9" * 30}, "match"),
    ]:
        assert field in send(staff, penalise_page(bob), changes).context["form"].errors
    assert not DishonorAward.objects.exists()


def test_a_penalty_is_given_once_and_never_by_whom_it_concerns(
    insults: PenaltyReason, olga: Player, alice: Player, charlie: Player
) -> None:
    match, by = beats(alice, charlie, arena=insults.arena), user_of(olga)
    again: dict[str, Any] = {"by": by, "note": "Bad.", "now": LATER}
    conduct.impose_as_staff(alice, insults, **again, match_id=match.pk)
    with pytest.raises(Conflict, match="already been penalised"):
        conduct.impose_as_staff(alice, insults, **again, match_id=match.pk)
    conduct.impose_as_staff(alice, insults, **again)
    with pytest.raises(Conflict, match="already been penalised"):
        conduct.impose_as_staff(alice, insults, **again)
    assert DishonorAward.objects.count() == 2
    with pytest.raises(Forbidden, match="themselves"):
        conduct.impose_as_staff(olga, insults, **again)
    with pytest.raises(Forbidden, match="permission"):
        conduct.impose_as_staff(alice, insults, by=user_of(charlie), note="Bad.", now=LATER)
    user_of(charlie).user_permissions.add(Permission.objects.get(codename="penalise_player"))
    with pytest.raises(Forbidden, match="You played in this match"):
        conduct.impose_as_staff(
            alice,
            insults,
            by=User.objects.get(pk=user_of(charlie).pk),
            note="Bad.",
            now=LATER,
            match_id=match.pk,
        )


def test_an_organiser_who_just_met_a_player_has_to_name_the_match(
    insults: PenaltyReason, olga: Player, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, arena=insults.arena)
    user_of(charlie).user_permissions.add(Permission.objects.get(codename="penalise_player"))
    by = User.objects.get(pk=user_of(charlie).pk)
    now = match.played_at + conduct.MET
    with pytest.raises(Forbidden, match="You played in a match with Alice in the last 7 days"):
        conduct.impose_as_staff(alice, insults, by=by, note="Bad.", now=now - timedelta(minutes=1))
    elsewhere = beats(alice, eve, arena=insults.arena)
    conduct.impose_as_staff(alice, insults, by=by, note="Bad.", now=LATER, match_id=elsewhere.pk)
    # Nobody else can decide: the staff log says so.
    User.objects.filter(pk=user_of(olga).pk).update(is_active=False)
    alone = conduct.impose_as_staff(alice, insults, by=by, note="Bad.", now=LATER)
    later = conduct.impose_as_staff(alice, insults, by=by, note="Bad.", now=now)
    logged = [award.action and award.action.details.get("own_match") for award in (alone, later)]
    assert logged == [True, None]


def test_the_game_server_of_a_live_match_penalises_its_players_once_each(
    server: APIClient, live: int, insults: PenaltyReason, charlie: Player, eve: Player
) -> None:
    assert server.get("/api/v1/arenas/duel/").json()["penalty_reasons"] == [
        {"name": "Insults", "stacks": 7}
    ]
    made = sends(server, live, charlie)
    assert made.status_code == 201, made.json()
    assert (made.json()["offence"], made.json()["stacks"]) == ("Insults", 7)
    again = sends(server, live, charlie)
    assert (again.status_code, again.json()["id"]) == (200, made.json()["id"])
    assert Notice.objects.get(player=charlie).kind == "penalised"
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"player": eve.pk}, "player"),
        ({"reason": "Abandon"}, "reason"),
        ({"note": ""}, "note"),
    ]
    for changes, field in wrong:
        refused = sends(server, live, charlie, body=changes)
        assert (refused.status_code, fields_at_fault(refused)) == (400, {field})
    other = User.objects.create(username="other")
    other.user_permissions.add(Permission.objects.get(codename="add_match"))
    stranger = by_token(Player(name="", user=other))
    assert sends(stranger, live, charlie).json()["code"] == "not_its_server"
    assert sends(by_token(charlie), live, charlie).json()["code"] == "not_a_game_server"
    # The result neither gives nor takes another one, and a late penalty is for staff.
    body = {"sides": [{"place": 0}, {"place": 1}]}
    assert server.post(f"/api/v1/matches/{live}/report/", body, format="json").status_code == 200
    PenaltyReason.objects.create(arena=insults.arena, name="Delay", stacks=1)
    assert sends(server, live, charlie, body={"reason": "Delay"}).status_code == 409
    assert DishonorAward.objects.get().match_id == live
    assert breaches(NOW) == []


def test_a_captains_report_penalises_nobody_and_staff_read_it(
    staff: Client, insults: PenaltyReason, alice: Player, charlie: Player, eve: Player
) -> None:
    match = beats(alice, charlie, arena=insults.arena)
    browser, page = browser_of(charlie), reverse("match_conduct", args=[match.pk])
    assert "Report a player’s conduct" in words(browser.get(match.get_absolute_url()))
    assert "Report a player’s conduct" not in words(browser_of(eve).get(match.get_absolute_url()))
    assert browser_of(eve).get(page).status_code == 403
    assert_strict(browser, page)
    assert "Your report penalises nobody." in words(browser.get(page))
    said = {"player": alice.pk, "reason": "Insults", "note": "In chat."}
    assert browser.post(page, {**said, "player": charlie.pk}).status_code == 400
    assert browser.post(page, said)["Location"] == match.get_absolute_url()
    assert browser.post(page, said).status_code == 409
    assert not DishonorAward.objects.exists()
    assert not Notice.objects.filter(kind="penalised").exists()
    flag = Flag.objects.get()
    assert (flag.kind, flag.player, flag.other) == (Flag.Kind.CONDUCT, alice, charlie)
    shown = words(staff.get(reverse("admin:league_flag_change", args=[flag.pk])))
    assert f"Charlie reports Alice for this in match {match.pk}: Insults. “In chat.”" in shown
    answer = sends(by_token(charlie), match.pk, alice, "conduct")
    assert (answer.status_code, answer.json()["code"]) == (409, "reported")
    answer = sends(by_token(alice), match.pk, charlie, "conduct")
    assert answer.status_code == 202
    assert sends(by_token(alice), match.pk, alice, "conduct").status_code == 400
    assert sends(by_token(eve), match.pk, alice, "conduct").status_code == 403
    olga = User.objects.get(username="olga")
    Flag.objects.update(resolved_at=LATER, resolved_by=olga, note="Told off.")
    assert "have already reported Alice for this." in words(browser.post(page, said))


def test_reports_of_conduct_are_limited_and_need_a_result(
    insults: PenaltyReason, live: int, charlie: Player, alice: Player
) -> None:
    with pytest.raises(Conflict, match="with the result"):
        conduct.report(live, alice.pk, "Insults", by=charlie, note="Bad.", now=NOW)
    Match.objects.filter(pk=live).update(status="void")
    for number in range(conduct.MOST_REPORTS + 1):
        other = account(f"Other {number}")
        match = beats(other, charlie, arena=insults.arena)
        if number < conduct.MOST_REPORTS:
            conduct.report(match.pk, other.pk, "Insults", by=charlie, note="Bad.", now=NOW)
            continue
        with pytest.raises(LimitReached, match="Wait a day"):
            conduct.report(match.pk, other.pk, "Insults", by=charlie, note="Bad.", now=NOW)


def test_an_amnesty_can_cover_them_and_voiding_a_match_does_not(
    insults: PenaltyReason, olga: Player, alice: Player, charlie: Player
) -> None:
    match, by = beats(alice, charlie, arena=insults.arena), user_of(olga)
    award = conduct.impose_as_staff(
        alice, insults, by=by, note="Bad.", now=LATER, match_id=match.pk
    )
    assert award.action is not None
    clear(match.pk, award.action, void=True)
    assert not Amnesty.objects.exists()
    when = LATER - timedelta(minutes=1), LATER + timedelta(minutes=1)
    assert grant(Incident(*when), by=by, reason="Error.", now=LATER) == 0
    covered = Incident(*when, offences=(ANOTHER_REASON,))
    assert grant(covered, by=by, reason="Error.", now=LATER) == 1
    assert status_of(alice, LATER).stacks == 0


def test_the_database_keeps_penalties_without_an_author_out(
    insults: PenaltyReason, bob: Player
) -> None:
    with (
        pytest.raises(IntegrityError, match="given_by_somebody"),
        transaction.atomic(),
    ):
        DishonorAward.objects.create(
            player=bob, arena=insults.arena, at=NOW, offence="Insults", stacks=1
        )


def test_an_unknown_reason_names_those_of_the_arena(insults: PenaltyReason, teams: Arena) -> None:
    with pytest.raises(Refused, match="Its reasons are “Insults”"):
        conduct.reason_of(insults.arena, "insults")
    with pytest.raises(Refused, match="declares no reasons"):
        conduct.reason_of(teams, "Insults")
