"""The admin shows and exports the ledgers, and nobody can edit them."""

import csv
import io
import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, Rating, RatingEvent, StaffAction
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.decisions import decide
from tests.support.admin_steps import staff
from tests.support.cast import NOW, beats

__all__ = ["staff"]

LEDGERS = ["match", "rating", "ratingevent", "staffaction"]


@pytest.fixture
def past(duel: Arena, alice: Player, charlie: Player, olga: Player) -> Match:
    """Create a rated, a disputed and an upheld match. Return the disputed one."""
    confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    upheld = beats(alice, charlie, duel)
    assert olga.user is not None
    decide(upheld.pk, verdict=StaffAction.Kind.UPHELD, by=olga.user, reason="Seen.", now=NOW)
    disputed = beats(alice, charlie, duel)
    return dispute(disputed.pk, by=charlie, reason="I won.", now=NOW)


def list_of(model: str) -> str:
    return reverse(f"admin:league_{model}_changelist")


def first_of(model: str) -> str:
    rows: dict[str, Any] = {
        "match": Match,
        "rating": Rating,
        "ratingevent": RatingEvent,
        "staffaction": StaffAction,
    }
    return reverse(f"admin:league_{model}_change", args=[rows[model].objects.earliest("pk").pk])


def shown(response: Any) -> list[Any]:
    return list(response.context["cl"].result_list)


@pytest.mark.parametrize("model", LEDGERS)
def test_ledgers_are_read_and_neither_added_to_nor_changed_nor_deleted(
    staff: Client, past: Match, model: str
) -> None:
    assert staff.get(list_of(model)).status_code == 200
    page = staff.get(first_of(model))
    assert page.status_code == 200
    assert 'name="_save"' not in page.content.decode()
    assert staff.post(first_of(model), {"_save": "Save"}).status_code == 403
    assert staff.get(reverse(f"admin:league_{model}_add")).status_code == 403
    assert (
        staff.post(first_of(model).replace("change", "delete"), {"post": "yes"}).status_code == 403
    )
    selected = {"action": "delete_selected", "_selected_action": ["1"], "post": "yes"}
    staff.post(list_of(model), selected)
    assert staff.get(first_of(model)).status_code == 200


def test_matches_are_found_by_player_and_status(
    staff: Client, past: Match, duel: Arena, bob: Player, eve: Player
) -> None:
    theirs = beats(bob, eve, duel)
    assert shown(staff.get(list_of("match"), {"q": "ＢＯＢ"})) == [theirs]
    assert shown(staff.get(list_of("match"), {"status__exact": "disputed"})) == [past]
    both = {"q": "alice", "status__exact": "rated"}
    assert len(shown(staff.get(list_of("match"), both))) == 2


# Taking tables away


def table(client: Client, model: str, **query: str) -> list[dict[str, str]]:
    response = client.get(reverse(f"admin:league_{model}_export"), query)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in response["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


def test_exported_ratings_read_back_exactly(staff: Client, past: Match) -> None:
    rows = table(staff, "ratingevent")
    events = RatingEvent.objects.order_by("-pk")
    assert [float(row["rating_after"]) for row in rows] == [each.rating_after for each in events]
    assert rows[0]["player_name"] == events[0].player.name


def test_no_exported_cell_is_a_formula(staff: Client) -> None:
    for name in ("=1+1", "@SUM(A1)", "+1+4", "-2+3", "Zoe"):
        Player.objects.create(name=name)
    cells = {row["name"] for row in table(staff, "player")}
    assert {"'=1+1", "'@SUM(A1)", "'+1+4", "'-2+3", "Zoe"} <= cells


def test_matches_are_exported_with_sides_places_scores_and_players(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    beats(alice, bob, duel)
    last = beats(charlie, bob, duel)
    rows = table(staff, "match")
    assert [json.loads(row["players"]) for row in rows] == [
        [["Charlie"], ["Bob"]],
        [["Alice"], ["Bob"]],
    ]
    assert rows[0]["id"] == str(last.pk)
    assert json.loads(rows[0]["places"]) == [1, 2]
    assert json.loads(rows[0]["scores"]) == [None, None]
    response: Any = staff.get(reverse("admin:league_match_export"), {"export_as": "json"})
    sent = json.loads(b"".join(response.streaming_content))
    assert sent[1]["players"] == [["Alice"], ["Bob"]]


def test_a_long_export_of_matches_takes_two_statements_for_a_thousand(
    staff: Client,
    duel: Arena,
    alice: Player,
    bob: Player,
    django_assert_max_num_queries: Any,
) -> None:
    for _number in range(4):
        beats(alice, bob, duel)
    response: Any = staff.get(reverse("admin:league_match_export"))
    with django_assert_max_num_queries(3):
        assert b"".join(response.streaming_content).count(b"Alice") >= 4


# Who may


# Large tables
