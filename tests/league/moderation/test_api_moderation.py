"""Programs report players and appeal against penalties."""

from datetime import timedelta
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

from league.models import Appeal, Arena, Player, PlayerReport, Scope
from league.services.dishonor.bans import ban
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import beats
from tests.support.result_steps import user_of


def report(client: APIClient, pk: int, **more: Any) -> Any:
    body = {"reason": "insults", "text": "Rude."} | more
    return send(client, f"/api/v1/players/{pk}/report/", body)


def test_a_report_reaches_the_moderators(duel: Arena, alice: Player, charlie: Player) -> None:
    match, mine = beats(alice, charlie, duel), by_token(alice)
    sent = report(mine, charlie.pk, match=match.pk)
    assert (sent.status_code, sent.json()) == (202, {})
    found = PlayerReport.objects.get()
    assert (found.reporter, found.reported, found.match) == (alice, charlie, match)
    assert (found.reason, found.text) == ("insults", "Rude.")


def test_a_report_of_a_merged_player_is_about_who_stays(alice: Player, bob: Player) -> None:
    gone = Player.objects.create(name="Gone", merged_into=bob)
    assert report(by_token(alice), gone.pk).status_code == 202
    assert PlayerReport.objects.get().reported == bob


def test_wrong_reports_are_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    match, mine = beats(alice, charlie, duel), by_token(alice)
    assert fields_at_fault(report(mine, bob.pk, match=match.pk)) == {"match"}
    assert fields_at_fault(report(mine, bob.pk, match=10**9)) == {"match"}
    assert fields_at_fault(report(mine, bob.pk, reason="boring")) == {"reason"}
    assert fields_at_fault(report(mine, bob.pk, text=" ")) == {"text"}
    assert report(mine, alice.pk).status_code == 400
    assert report(mine, 10**9).status_code == 404
    assert report(by_token(alice, Scope.REPORT), bob.pk).status_code == 403
    assert not PlayerReport.objects.exists()


def test_a_penalty_is_appealed_against_once_and_by_its_player(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    now = timezone.now()
    until = now + timedelta(days=9)
    award = ban(bob, arena=duel, by=user_of(olga), reason="Insults.", until=until, now=now)
    address, body = f"/api/v1/dishonor/penalties/{award.pk}/appeal/", {"text": "It was a joke."}
    assert send(by_token(alice), address, body).status_code == 404
    mine = by_token(bob)
    assert fields_at_fault(send(mine, address, {"text": ""})) == {"text"}
    assert send(mine, address, body).status_code == 202
    assert Appeal.objects.get().text == "It was a joke."
    assert send(mine, address, body).status_code == 409
