"""Organisers enter results that count at once."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, DishonorAward, Match, Player, Rating, Roster, StaffAction, Status
from league.services.core.clock import database_now
from league.services.core.errors import Forbidden, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm_expired
from league.services.results.reports.live import StartingSide, start
from league.services.results.staff.decisions import decide
from league.services.results.staff.entering import enter
from ratings.history import History
from ratings.replay import replay
from tests.support.api_steps import by_token, fields_at_fault, side_of, win
from tests.support.cast import NOW, arena, beats, side
from tests.support.rating_histories import contest
from tests.support.result_steps import closed_to_captains, user_of
from tests.support.web_steps import browser_of, reports, result_form, words


@pytest.fixture
def ghosts(db: None) -> list[Player]:
    """Players without an account."""
    return [Player.objects.create(name=f"Ghost {number}") for number in (1, 2)]


def entry(*names: str, **more: object) -> dict[str, object]:
    """The last step of entering a result, in which the first side won."""
    return {**result_form("", sides="\n".join(names)), "reason": "Seen.", **more}


def enters(player: Player, arena: Arena, form: dict[str, object]) -> Any:
    return browser_of(player).post(reverse("enter", args=[arena.slug]), form)


# The service


def test_olga_enters_a_result_of_players_without_an_account(
    duel: Arena, ghosts: list[Player], olga: Player
) -> None:
    sides = [side(ghosts[0], place=0, score=3), side(ghosts[1], place=1, score=1)]
    match = enter(
        duel, sides, by=user_of(olga), reason="Final", played_at=NOW - timedelta(hours=1), now=NOW
    )
    assert (match.status, match.settlement, match.reported_by) == (Status.RATED, "staff", None)
    assert Rating.objects.get(player=ghosts[0]).rating > 1200
    action = StaffAction.objects.get()
    assert (action.kind, action.actor, action.match) == ("entered", olga.user, match)
    assert not match.participants.filter(live=True).exists()


def test_entering_the_same_form_twice_rates_it_once(
    duel: Arena, ghosts: list[Player], olga: Player
) -> None:
    token = uuid4()
    sides = [side(ghosts[0], place=0), side(ghosts[1], place=1)]
    for _ in range(2):
        enter(
            duel,
            sides,
            by=user_of(olga),
            reason="Final",
            played_at=NOW,
            now=NOW,
            client_token=token,
        )
    assert Match.objects.count() == StaffAction.objects.count() == 1


def test_only_organisers_enter_results_and_they_obey_the_format(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    good = [side(alice, place=0), side(charlie, place=1)]
    with pytest.raises(Forbidden, match="Only organisers"):
        enter(duel, good, by=user_of(alice), reason="Me", played_at=NOW, now=NOW)
    for sides, reason, played_at, sentence in [
        (good, " ", NOW, "Give a reason"),
        (good, "So", NOW + timedelta(hours=1), "in the future"),
        ([side(alice, place=0)], "So", NOW, "has 2 sides"),
        (
            [side(alice, place=0, score=1), side(charlie, place=1, score=5)],
            "So",
            NOW,
            "contradicts the places",
        ),
    ]:
        with pytest.raises(Refused, match=sentence):
            enter(duel, sides, by=user_of(olga), reason=reason, played_at=played_at, now=NOW)
    assert not Match.objects.exists()


def test_a_contest_of_weight_2_counts_as_two(
    duel: Arena, ghosts: list[Player], olga: Player
) -> None:
    """An independent replay of one match of weight 2 gives the same ratings."""
    token = uuid4()
    form = entry("Ghost 1", "Ghost 2", weight="2", client_token=token)
    assert enters(olga, duel, form).status_code == 302
    match = Match.objects.get()
    assert (match.weight, match.contest_weight) == (2, 2)
    by_hand = replay(
        match.season.system(),
        History.build([contest(["Ghost 1"], ["Ghost 2"], weight=2.0)]),
    ).states
    rated = [Rating.objects.get(player=ghost).rating for ghost in ghosts]
    assert rated == by_hand.rating.tolist()
    assert "Counts as 2 matches." in words(Client().get(match.get_absolute_url()))


def test_a_weight_and_a_repetition_multiply(ghosts: list[Player], olga: Player) -> None:
    club = arena("club", season_rules={})
    for _ in ghosts:
        form = entry("Ghost 1", "Ghost 2", weight="0.5", client_token=uuid4())
        assert enters(olga, club, form).status_code == 302
    match = Match.objects.latest("pk")
    assert match.weight == pytest.approx(0.5 * 0.8 * (match.one_sided or 1))
    assert "Counts 80 %" in words(Client().get(match.get_absolute_url()))


@pytest.mark.parametrize("weight", ["0", "-1", "101", "nan", "inf", "many"])
def test_an_impossible_weight_is_refused_beside_its_field(
    duel: Arena, ghosts: list[Player], olga: Player, weight: str
) -> None:
    response = enters(olga, duel, entry("Ghost 1", "Ghost 2", weight=weight))
    assert response.status_code == 400
    assert list(response.context["form"].errors) == ["weight"]
    assert not Match.objects.exists()


def test_a_player_in_a_live_match_can_still_be_in_an_entered_result(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    sides = [side(alice, place=0), side(charlie, place=1)]
    enter(duel, sides, by=user_of(olga), reason="Earlier", played_at=NOW, now=NOW)
    assert live.participants.filter(live=True).count() == 2


def test_a_leaver_that_olga_enters_is_penalised(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    sides = [side(alice, place=0), ReportedSide(charlie, [PlayedBy(charlie, quit=True)], 1)]
    enter(duel, sides, by=user_of(olga), reason="Seen", played_at=NOW, now=NOW)
    assert DishonorAward.objects.get().player == charlie


def test_olga_gives_a_live_match_its_result(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    live = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    later = NOW + timedelta(hours=1)
    match = decide(
        live.pk,
        verdict=StaffAction.Kind.CORRECTED,
        by=user_of(olga),
        reason="Seen",
        now=later,
        placings=[(1, 2.0), (0, 3.0)],
    )
    assert (match.status, match.settlement, match.played_at) == (Status.RATED, "staff", later)
    assert StaffAction.objects.get().kind == "entered"
    assert not match.participants.filter(live=True).exists()


def test_entering_is_no_verdict_about_a_match(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    with pytest.raises(Refused, match="not a decision"):
        decide(match.pk, verdict=StaffAction.Kind.ENTERED, by=user_of(olga), reason="So", now=NOW)


# Pages


def test_a_page_for_captains_says_that_only_organisers_enter_results(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    live = start(
        duel,
        [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])],
        now=database_now(),
    )
    closed_to_captains(duel)
    browser = browser_of(alice)
    for address in (reverse("report", args=["duel"]), reverse("match_report", args=[live.pk])):
        answer = browser.get(address)
        assert answer.status_code == 403
        assert "Only organisers enter results in Duel" in words(answer)
    answer = reports(alice, duel, result_form("Charlie"))
    assert answer.status_code == 403
    page = browser.get(duel.get_absolute_url())
    assert "Only organisers and game servers enter results" in words(page)
    assert reverse("report", args=["duel"]) not in page.content.decode()
    assert "Report the result" not in words(browser.get(live.get_absolute_url()))
    assert not Match.objects.exclude(pk=live.pk).exists()


def test_olga_enters_a_result_on_the_pages(duel: Arena, ghosts: list[Player], olga: Player) -> None:
    closed_to_captains(duel)
    browser = browser_of(olga)
    assert reverse("enter", args=["duel"]) in browser.get(duel.get_absolute_url()).content.decode()
    address = reverse("enter", args=["duel"])
    assert "Who played?" in words(browser.get(address))
    second = browser.post(address, {"step": "who", "sides": "Ghost 1\nghost 2"})
    assert "Ghost 1 won" in words(second)
    assert "It counts at once" in words(second)
    answer = browser.post(address, entry("Ghost 1", "ghost 2", **{"score-0": 2, "score-1": 1}))
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert match.status == Status.RATED
    page = words(Client().get(match.get_absolute_url()))
    assert "Olga: entered a result" in page
    assert "Ghost 1 2 to – 1 Ghost 2" in page


@pytest.mark.parametrize(
    ("form", "sentence"),
    [
        ({"sides": ""}, "You named 0"),
        ({"sides": "Alice"}, "has 2 sides. You named 1"),
        ({"sides": "Alice\nalice"}, "a player or a roster twice"),
        ({"sides": "Alice\nNobody"}, "There is no player “Nobody”"),
    ],
)
def test_wrong_sides_are_explained_beside_the_field(
    duel: Arena, alice: Player, olga: Player, form: dict[str, str], sentence: str
) -> None:
    answer = enters(olga, duel, {"step": "who", **form})
    assert answer.status_code == 400
    assert sentence in words(answer)
    assert b'id="sides-error"' in answer.content


def test_an_entry_without_a_reason_or_with_a_wrong_score_is_refused(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    answer = enters(olga, duel, entry("Alice", "Charlie", reason=""))
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == ["reason"]
    wrong = entry("Alice", "Charlie", **{"score-0": 1, "score-1": 5})
    answer = enters(olga, duel, wrong)
    assert answer.status_code == 400
    assert list(answer.context["form"].errors) == ["score-0"]
    assert not Match.objects.exists()


def test_olga_enters_rosters_and_lists_of_players(
    teams: Arena, owls: Roster, eve: Player, ghosts: list[Player], olga: Player
) -> None:
    lines = ("Owls", "Eve, Ghost 1")
    second = enters(olga, teams, {"step": "who", "sides": "\n".join(lines)})
    assert "Owls won" in words(second)
    plays = {
        f"plays-{index}": [player.pk for player in players]
        for index, players in enumerate([owls.members.all(), [eve, ghosts[0]]])
    }
    enters(olga, teams, entry(*lines, **plays))
    match = Match.objects.get()
    assert match.sides.get(index=0).roster == owls
    assert match.sides.get(index=1).captain == eve
    assert match.participants.count() == 4


def test_a_name_with_a_comma_is_one_player(duel: Arena, alice: Player, olga: Player) -> None:
    Player.objects.create(name="Smith, John")
    assert enters(olga, duel, entry("Smith, John", "Alice")).status_code == 302


def test_a_report_whose_score_contradicts_it_shows_the_error_beside_the_field(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    form = result_form("Charlie", **{"score-0": "1", "score-1": "5"})
    answer = reports(alice, duel, form)
    assert answer.status_code == 400
    assert answer.context["form"].errors == {
        "score-0": ["This score contradicts the places: here the higher score wins."]
    }
    assert not Match.objects.exists()


def test_a_win_without_a_score_has_no_invented_score(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    page = words(Client().get(beats(alice, charlie, duel).get_absolute_url()))
    assert "Alice beat Charlie" in page
    assert "1–0" not in page


def test_the_page_shows_who_confirmed_and_what_is_needed(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    names = "\n".join(player.name for player in (bob, charlie, dora))
    places = {f"place-{index}": str(index + 1) for index in range(4)}
    reports(alice, melee, {**result_form(names), **places})
    match = Match.objects.get()
    page = words(browser_of(bob).get(match.get_absolute_url()))
    assert "2 of the 3 other sides have to confirm this" in page
    assert "No side has confirmed yet" in page
    assert "Yes, confirm" in page
    address = reverse("match_confirm", args=[match.pk])
    answer = browser_of(bob).post(address, follow=True)
    assert "More sides have to confirm" in words(answer)
    assert "1 side has confirmed: Bob" in words(answer)
    assert "Yes, confirm" not in words(answer)
    assert "Dispute this result" in words(answer)
    assert browser_of(bob).post(address).status_code == 409
    assert "Nothing to answer" in words(browser_of(bob).get(reverse("waiting")))
    browser_of(dora).post(address)
    page = words(Client().get(match.get_absolute_url()))
    assert "Enough sides have confirmed it. It counts on" in page
    confirm_expired(match.confirm_deadline or NOW)
    page = words(Client().get(match.get_absolute_url()))
    assert "Confirmed by enough of the other sides" in page


# The API


def test_olga_enters_a_result_through_the_api(
    duel: Arena, ghosts: list[Player], olga: Player, alice: Player
) -> None:
    body = win(*ghosts, reason="Final", client_token=str(uuid4()))
    address = "/api/v1/arenas/duel/results/"
    assert by_token(alice).post(address, body, format="json").status_code == 403
    made = by_token(olga).post(address, body, format="json")
    assert made.status_code == 201
    assert (made.json()["status"], made.json()["settlement"]) == ("rated", "staff")
    assert made.json()["decisions"][0]["kind"] == "entered"
    again = by_token(olga).post(address, body, format="json")
    assert (again.status_code, again.json()["id"]) == (200, made.json()["id"])


def test_the_api_names_the_score_at_fault_and_who_cannot_confirm(
    duel: Arena, alice: Player, charlie: Player, ghosts: list[Player]
) -> None:
    client = by_token(alice)
    body = win(alice, charlie)
    body["sides"] = [side_of(alice, place=0, score=1), side_of(charlie, place=1, score=5)]
    answer = client.post("/api/v1/arenas/duel/reports/", body, format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"sides.0.score"}
    answer = client.post("/api/v1/arenas/duel/reports/", win(alice, ghosts[0]), format="json")
    assert (answer.status_code, answer.json()["code"]) == (400, "no_account")
    closed_to_captains(duel)
    answer = client.post("/api/v1/arenas/duel/reports/", win(alice, charlie), format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "organisers")


def test_the_api_tells_the_rules_and_the_confirmations(
    melee: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    shown = {rule["name"]: rule["value"] for rule in read(Client(), "arenas/melee")["result_rules"]}
    assert shown == melee.result_settings().to_json()
    body = win(alice, bob)
    body["sides"] = [side_of(p, place=n) for n, p in enumerate((alice, bob, charlie, dora))]
    match = by_token(alice).post("/api/v1/arenas/melee/reports/", body, format="json").json()
    by_token(bob).post(f"/api/v1/matches/{match['id']}/confirm/")
    shown = read(Client(), f"matches/{match['id']}")
    assert shown["status"] == "reported"
    assert [(one["side"], one["player"]["name"]) for one in shown["confirmations"]] == [(1, "Bob")]


def read(client: Client, address: str) -> Any:
    return client.get(f"/api/v1/{address}/").json()
