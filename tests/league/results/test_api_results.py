"""Results through the API: reports, answers and decisions, by token and by session."""

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from rest_framework.test import APIClient

from league.models import Arena, Match, Player, Rating, RatingEvent
from league.services.core.clock import database_now
from league.services.results.reports.live import StartingSide, start
from tests.support.api_steps import by_token, fields_at_fault, win
from tests.support.cast import beats, put_in_order

REPORTS = "/api/v1/arenas/duel/reports/"


def action(match: Match | int, verb: str) -> str:
    return f"/api/v1/matches/{match if isinstance(match, int) else match.pk}/{verb}/"


@pytest.fixture
def reported_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    return beats(alice, charlie, duel)


@pytest.fixture
def live(duel: Arena, alice: Player, charlie: Player) -> Match:
    sides = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    return start(duel, sides, now=database_now())


def test_alice_reports_by_token_charlie_confirms_and_the_leaderboard_shows_it(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    report = win(alice, charlie)
    report["sides"][0] |= {
        "score": 3,
        "participants": [{"player": alice.pk, "seconds": 61.5, "profession": "Ranger"}],
    }
    report["sides"][1] |= {"score": 0.5, "participants": [{"player": charlie.pk, "quit": True}]}

    made = by_token(alice).post(REPORTS, report, format="json")

    assert made.status_code == 201, made.json()
    match = made.json()
    assert match["status"] == "reported"
    assert match["reported_by"] == {"id": alice.pk, "name": "Alice"}
    winner, loser = match["sides"]
    assert (winner["place"], winner["score"], loser["score"]) == (0, 3.0, 0.5)
    assert winner["participants"] == [
        {
            "player": {"id": alice.pk, "name": "Alice"},
            "seconds": 61.5,
            "quit": False,
            "profession": "Ranger",
        }
    ]
    assert loser["participants"][0]["quit"] is True

    confirmed = by_token(charlie).post(action(match["id"], "confirm"))

    assert confirmed.status_code == 200
    assert confirmed.json()["status"] == "rated"
    assert confirmed.json()["settlement"] == "captain"
    events = {event["player"]["name"]: event for event in confirmed.json()["events"]}
    assert events["Alice"]["why"]["expected"] == 0.5
    rating = Rating.objects.get(player=alice)
    assert events["Alice"]["rating_after"] == rating.rating  # to the last bit
    put_in_order()
    board = APIClient().get("/api/v1/arenas/duel/leaderboard/").json()
    assert [row["player"]["name"] for row in board["results"]] == ["Alice", "Charlie"]
    assert board["results"][0]["rating"] == rating.rating


def test_charlie_disputes_and_olga_corrects_the_result(
    reported_match: Match, charlie: Player, olga: Player
) -> None:
    disputed = by_token(charlie).post(
        action(reported_match, "dispute"), {"reason": "I won."}, format="json"
    )
    assert disputed.status_code == 200
    assert disputed.json()["status"] == "disputed"
    assert disputed.json()["dispute_reason"] == "I won."

    decision = {
        "verdict": "corrected",
        "reason": "The recording shows it.",
        "placings": [{"place": 1, "score": 0}, {"place": 0, "score": 2}],
    }
    decided = by_token(olga).post(action(reported_match, "decision"), decision, format="json")

    assert decided.status_code == 200, decided.json()
    body = decided.json()
    assert (body["status"], body["settlement"]) == ("rated", "staff")
    assert [side["place"] for side in body["sides"]] == [1, 0]
    assert body["decisions"][0]["reason"] == "The recording shows it."
    assert Rating.objects.get(player=charlie).rating > 1200


def test_a_game_server_starts_a_match_and_a_captain_reports_its_end(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    server = eve.user
    assert server
    server.user_permissions.add(Permission.objects.get(codename="add_match"))
    starting = {
        "sides": [
            {"captain": alice.pk, "players": [alice.pk]},
            {"captain": charlie.pk, "players": [charlie.pk]},
        ]
    }
    started = by_token(eve).post("/api/v1/arenas/duel/live-matches/", starting, format="json")
    assert started.status_code == 201, started.json()
    assert started.json()["status"] == "live"
    assert [side["place"] for side in started.json()["sides"]] == [None, None]

    again = by_token(eve).post("/api/v1/arenas/duel/live-matches/", starting, format="json")
    assert again.status_code == 409
    assert again.json()["code"] == "in_live_match"

    end = {
        "sides": [
            {"place": 1, "participants": [{"player": alice.pk, "quit": True, "seconds": 20}]},
            {"place": 0, "score": 5},
        ]
    }
    ended = by_token(charlie).post(action(started.json()["id"], "report"), end, format="json")
    assert ended.status_code == 200, ended.json()
    body = ended.json()
    assert body["status"] == "reported"
    assert body["reported_by"]["name"] == "Charlie"
    assert body["sides"][0]["participants"][0]["quit"] is True
    assert body["sides"][1]["score"] == 5.0


def test_eve_cannot_answer_matches_of_others(
    duel: Arena, reported_match: Match, live: Match, eve: Player, alice: Player, charlie: Player
) -> None:
    client = by_token(eve)
    for address, body, code in [
        (REPORTS, win(alice, charlie), "not_a_captain"),
        (action(reported_match, "confirm"), {}, "not_a_captain"),
        (action(reported_match, "dispute"), {"reason": "No."}, "not_playing"),
        (action(reported_match, "decision"), {"verdict": "voided", "reason": "No."}, "not_staff"),
        (action(live, "report"), {"sides": [{"place": 0}, {"place": 1}]}, "not_a_captain"),
        ("/api/v1/arenas/duel/live-matches/", {}, "not_a_game_server"),
    ]:
        answer = client.post(address, body, format="json")
        assert answer.status_code == 403, (address, answer.json())
        assert answer.json()["code"] == code
    assert not RatingEvent.objects.exists()


def test_a_result_that_is_settled_or_void_cannot_be_answered_again(
    reported_match: Match, live: Match, charlie: Player, olga: Player
) -> None:
    client = by_token(charlie)
    assert client.post(action(reported_match, "confirm")).status_code == 200
    late = client.post(action(reported_match, "confirm"))
    assert late.status_code == 409
    assert late.json()["code"] == "rated"
    early = client.post(action(live, "confirm"))
    assert (early.status_code, early.json()["code"]) == (409, "live")
    void = {"verdict": "voided", "reason": "The server broke."}
    assert by_token(olga).post(action(live, "decision"), void, format="json").status_code == 200
    gone = client.post(action(live, "confirm"))
    assert (gone.status_code, gone.json()["code"]) == (409, "void")
    assert RatingEvent.objects.count() == 2


def test_a_friend_who_does_not_play_cannot_be_captain_of_a_victims_side(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    report = win(alice, charlie)
    report["sides"][1]["captain"] = eve.pk
    answer = by_token(alice).post(REPORTS, report, format="json")
    assert answer.status_code == 400
    assert answer.json()["code"] == "captain"
    assert not Match.objects.exists()


def test_a_session_needs_its_csrf_token_to_write(reported_match: Match, charlie: Player) -> None:
    browser = Client(enforce_csrf_checks=True)
    assert charlie.user
    browser.force_login(charlie.user)
    bare = browser.post(action(reported_match, "confirm"), content_type="application/json")
    assert bare.status_code == 403
    assert fields_at_fault(bare) == set()

    browser.get("/api/v1/docs/")  # sets the cookie
    token = browser.cookies["csrftoken"].value
    sent = browser.post(
        action(reported_match, "confirm"),
        content_type="application/json",
        headers={"X-CSRFToken": token},
    )
    assert sent.status_code == 200
