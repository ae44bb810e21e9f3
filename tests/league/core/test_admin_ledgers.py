"""The admin shows and exports the ledgers, and nobody can edit them."""

from __future__ import annotations

import csv
import io
import json
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import Permission
from django.urls import reverse

from league.models import Match, Player, Rating, RatingEvent, StaffAction, Status, User
from league.services.results.reports.answers import confirm, dispute
from league.services.results.staff.decisions import decide
from tests.support.admin_steps import browser_of, staff
from tests.support.cast import NOW, account, beats
from tests.support.web_steps import words

if TYPE_CHECKING:
    from typing import Any

    from django.test import Client
    from pytest_django import DjangoAssertNumQueries

    from league.models import Arena

__all__ = ["staff"]

LEDGERS = ["match", "rating", "ratingevent", "staffaction"]
EXPORTS = [*LEDGERS, "player"]


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


def test_a_match_page_shows_its_sides_and_leads_to_the_decision(staff: Client, past: Match) -> None:
    decision = reverse("match_decide", kwargs={"pk": past.pk})
    page = staff.get(reverse("admin:league_match_change", args=[past.pk])).content.decode()
    assert "Alice" in page
    assert "Charlie" in page
    assert "I won." in page
    assert decision in page
    assert decision in staff.get(list_of("match")).content.decode()
    rated = Match.objects.rated().earliest("pk")
    decision = reverse("match_decide", kwargs={"pk": rated.pk})
    page = staff.get(reverse("admin:league_match_change", args=[rated.pk])).content.decode()
    assert decision not in page


def test_matches_are_found_by_player_and_status(
    staff: Client, past: Match, duel: Arena, bob: Player, eve: Player
) -> None:
    theirs = beats(bob, eve, duel)
    assert shown(staff.get(list_of("match"), {"q": "ＢＯＢ"})) == [theirs]
    assert shown(staff.get(list_of("match"), {"status__exact": "disputed"})) == [past]
    both = {"q": "alice", "status__exact": "rated"}
    assert len(shown(staff.get(list_of("match"), both))) == 2


def test_the_front_page_counts_the_matches_that_wait_for_a_decision(
    staff: Client, past: Match
) -> None:
    page = staff.get("/admin/")
    assert "1 disputed result" in words(page)
    assert "?waits=disputes" in page.content.decode()
    Match.objects.filter(pk=past.pk).update(status=Status.VOID)
    assert "disputed result" not in words(staff.get("/admin/"))


def test_an_event_tells_why_in_the_words_of_its_rating_system(staff: Client, past: Match) -> None:
    page = staff.get(first_of("ratingevent")).content.decode()
    assert "Expected result: <b>0.5</b>" in page


# Taking tables away


def table(client: Client, model: str, **query: str) -> list[dict[str, str]]:
    response = client.get(reverse(f"admin:league_{model}_export"), query)
    assert response.status_code == 200
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert "attachment" in response["Content-Disposition"]
    return list(csv.DictReader(io.StringIO(response.getvalue().decode())))


@pytest.mark.parametrize("model", EXPORTS)
def test_every_list_can_be_exported_as_csv(staff: Client, past: Match, model: str) -> None:
    assert f"/{model}/export/" in staff.get(list_of(model)).content.decode()
    assert table(staff, model)


def test_exported_ratings_read_back_exactly(staff: Client, past: Match) -> None:
    rows = table(staff, "ratingevent")
    events = RatingEvent.objects.order_by("-pk")
    assert [float(row["rating_after"]) for row in rows] == [each.rating_after for each in events]
    assert rows[0]["player_name"] == events[0].player.name


def test_an_export_holds_what_the_list_shows(staff: Client, past: Match) -> None:
    rows = table(staff, "match", status__exact="disputed")
    assert [int(row["id"]) for row in rows] == [past.pk]


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


@pytest.mark.parametrize("path", ["", "league/arena/", "league/match/", "league/match/export/"])
def test_those_who_are_not_staff_are_sent_to_log_in(alice: Player, path: str) -> None:
    for client in (browser_of(None), browser_of(alice.user)):
        response = client.get(f"/admin/{path}")
        assert response.status_code == 302
        assert "login" in response["Location"]


@pytest.mark.parametrize("model", EXPORTS)
def test_staff_see_and_export_only_what_they_may_view(past: Match, model: str) -> None:
    frank = User.objects.create_user("frank", is_staff=True)
    client = browser_of(frank)
    assert client.get(list_of(model)).status_code == 403
    assert client.get(reverse(f"admin:league_{model}_export")).status_code == 403
    assert "disputed result" not in words(client.get("/admin/"))
    frank.user_permissions.add(Permission.objects.get(codename=f"view_{model}"))
    client = browser_of(frank)
    assert client.get(list_of(model)).status_code == 200
    assert table(client, model)


def test_the_link_to_a_decision_is_shown_to_staff_who_may_decide(past: Match) -> None:
    frank = User.objects.create_user("frank", is_staff=True)
    frank.user_permissions.add(Permission.objects.get(codename="view_match"))
    url = reverse("admin:league_match_change", args=[past.pk])
    assert "Decide this result" not in browser_of(frank).get(url).content.decode()
    frank.user_permissions.add(Permission.objects.get(codename="decide_match"))
    assert "Decide this result" in browser_of(frank).get(url).content.decode()


# Large tables


@pytest.mark.parametrize("model", EXPORTS)
def test_a_longer_list_takes_no_more_queries(
    staff: Client,
    past: Match,
    duel: Arena,
    model: str,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    grace, henry = account("Grace"), account("Henry")
    for _ in range(5):
        confirm(beats(grace, henry, duel).pk, by=henry, now=NOW)
    most = 15 if model == "staffaction" else 12  # the log: the reader, their cases, the arenas
    with django_assert_max_num_queries(most):
        staff.get(list_of(model))
    with django_assert_max_num_queries(most):
        staff.get(list_of(model), {"q": "e"})
    with django_assert_max_num_queries(7):
        table(staff, model)
