"""Events of webhooks are written with what they report, and only for those who listen."""

import psycopg
import pytest
from django.db import connection, transaction

from league.models import Arena, Match, Player, Season, StaffAction, WebhookDelivery, WebhookEvent
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.changing import withdraw
from league.services.results.staff.decisions import decide
from league.services.results.staff.objections import object_to, reject
from league.services.seasons.ending import end, freeze_early
from tests.support.cast import NOW, arena, beats, beats_as_agreed
from tests.support.celery_steps import database_url
from tests.support.correction_steps import correct, undo
from tests.support.webhook_steps import listens, types_for

FAR = "https://receiver.example/"


def test_a_report_and_its_confirmation_are_noted(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    webhook = listens(olga, FAR)
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    assert types_for(webhook) == ["result.reported", "result.confirmed"]
    reported, confirmed = WebhookEvent.objects.order_by("pk")
    assert reported.subject == confirmed.subject == match.pk
    assert reported.facts["status"] == "reported"
    assert confirmed.facts == {"status": "rated", "revision": 1, "settlement": "captain"}


def test_nothing_is_noted_without_a_listener(duel: Arena, alice: Player, charlie: Player) -> None:
    beats(alice, charlie, duel)
    assert not WebhookEvent.objects.exists()


def test_each_webhook_is_told_only_what_it_chose_and_of_its_arena(
    duel: Arena, teams: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    chosen = listens(olga, FAR, "result.confirmed", arena=duel)
    elsewhere = listens(olga, FAR, arena=teams)
    everywhere = listens(olga, FAR)
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    assert types_for(chosen) == ["result.confirmed"]
    assert types_for(elsewhere) == []
    assert types_for(everywhere) == ["result.reported", "result.confirmed"]
    assert WebhookEvent.objects.count() == 2, "all webhooks share an event"


def test_what_is_rolled_back_is_not_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    webhook = listens(olga, FAR)
    with transaction.atomic():
        beats(alice, charlie, duel)
        assert types_for(webhook) == ["result.reported"]
        transaction.set_rollback(True)
    assert types_for(webhook) == []
    assert not Match.objects.exists()


def test_a_started_match_is_told(duel: Arena, alice: Player, charlie: Player, olga: Player) -> None:
    webhook = listens(olga, FAR)
    beats_as_agreed(alice, charlie, duel)
    assert types_for(webhook) == ["match.started", "result.reported"]


def test_a_dispute_and_its_decision_are_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    webhook = listens(olga, FAR)
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="I won.", now=NOW)
    assert olga.user
    decide(match.pk, by=olga.user, verdict=StaffAction.Kind.VOIDED, reason="Unclear.", now=NOW)
    assert types_for(webhook) == [
        "result.reported",
        "dispute.opened",
        "dispute.decided",
        "result.voided",
    ]


def test_an_objection_to_a_rated_result_is_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    confirm(match.pk, by=charlie, now=NOW)
    webhook = listens(olga, FAR)
    object_to(match.pk, by=charlie, reason="A mistake.", now=NOW)
    assert olga.user
    reject(match.pk, by=olga.user, reason="No.", now=NOW)
    assert types_for(webhook) == ["dispute.opened", "dispute.decided"]
    [opened, decided] = WebhookEvent.objects.order_by("pk")
    assert (opened.facts, decided.facts) == ({"objection": "open"}, {"objection": "rejected"})


def test_corrections_and_their_undoing_are_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    match = confirm(match.pk, by=charlie, now=NOW)
    webhook = listens(olga, FAR)
    assert olga.user
    done = correct(match, olga.user, [(1, None), (0, None)])
    assert types_for(webhook) == ["result.corrected"]
    voided = correct(Match.objects.get(), olga.user)
    assert types_for(webhook)[1:] == ["result.voided"]
    assert done.correction
    assert voided.correction
    undo(voided.correction, olga.user)
    assert types_for(webhook)[2:] == ["result.confirmed"]


def test_a_withdrawn_report_is_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    webhook = listens(olga, FAR)
    match = beats(alice, charlie, duel)
    withdraw(match.pk, by=alice, now=NOW)
    assert types_for(webhook) == ["result.reported", "result.voided"]


def test_seasons_are_told(olga: Player, db: None) -> None:
    webhook = listens(olga, FAR)
    made = arena("chess")
    assert types_for(webhook) == ["season.started"]
    season = Season.objects.get(arena=made)
    end(season.pk, now=NOW)
    assert types_for(webhook) == ["season.started"]
    freeze_early(season.pk, now=NOW)
    assert types_for(webhook) == ["season.started", "season.ended"]


@pytest.mark.django_db(transaction=True)
def test_a_webhook_that_is_being_deleted_neither_stops_a_result_nor_is_told(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    """The other transaction is a real one: it has deleted the webhook and has not committed."""
    webhook = listens(olga, FAR)
    with psycopg.connect(database_url()) as other:
        other.execute("DELETE FROM league_webhook WHERE id = %s", [webhook.pk])
        beats(alice, charlie, duel)
    assert Match.objects.count() == 1
    assert not WebhookDelivery.objects.exists()


def test_imported_results_are_not_told(duel: Arena, olga: Player) -> None:
    listens(olga, FAR)
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO league_match (arena_id, season_id, status, played_at, weight, information,"
            " dispute_reason, settlement, rated_order, mode, region)"
            " VALUES (%s, %s, 'rated', now(), 1, '{}', '', 'import', 1, '', '')",
            [duel.pk, Season.objects.get(arena=duel).pk],
        )
    assert not WebhookEvent.objects.exists()
