"""Results name the game mode of their match, pages and the API show it, and lists filter by it."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, User
from league.services.core.errors import Conflict, Refused
from league.services.core.types import ReportedSide
from league.services.results.reports import changing, countering, live, reporting
from league.services.results.reports.answers import confirm
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.staff import entering
from tests.support.admin_steps import arena_page, errors_of, send
from tests.support.api_steps import by_token, fields_at_fault, win
from tests.support.cast import NOW, side
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, reports, result_form, words

MODES = ["Conquest", "Stronghold"]
WON: list[tuple[int, float | None]] = [(0, None), (1, None)]


@pytest.fixture
def modal(duel: Arena) -> Arena:
    duel.modes = MODES
    duel.save()
    return duel


def sides(*players: Player) -> list[ReportedSide]:
    return [side(player, place=place) for place, player in enumerate(players)]


def told(arena: Arena, winner: Player, loser: Player, **more: Any) -> Match:
    return reporting.report(
        arena,
        sides(winner, loser),
        reporter=winner,
        **{"played_at": NOW, "now": NOW, "client_token": uuid4(), **more},
    )


def test_alice_names_the_mode_of_her_report(modal: Arena, alice: Player, charlie: Player) -> None:
    page = reports(alice, modal, result_form("Charlie"))
    assert page.status_code == 400
    assert "Choose the game mode." in words(page)
    assert not Match.objects.exists()
    reports(alice, modal, result_form("Charlie", mode="Stronghold"))
    match = Match.objects.get()
    assert match.mode == "Stronghold"
    assert "Stronghold" in words(browser_of(charlie).get(match.get_absolute_url()))


def test_an_only_mode_is_chosen_already(modal: Arena, alice: Player, charlie: Player) -> None:
    modal.modes = ["Conquest"]
    modal.save()
    form = browser_of(alice).get(reverse("report", args=["duel"]), {"opponent": "Charlie"})
    assert 'value="Conquest"' in form.content.decode()
    assert form.content.decode().count("checked") == 1
    assert told(modal, alice, charlie).mode == "Conquest"


def test_an_arena_without_modes_asks_nothing(duel: Arena, alice: Player, charlie: Player) -> None:
    form = browser_of(alice).get(reverse("report", args=["duel"]), {"opponent": "Charlie"})
    assert "mode" not in words(form).lower()
    with pytest.raises(Refused, match="has no game modes"):
        told(duel, alice, charlie, mode="Conquest")
    match = told(duel, alice, charlie)
    assert match.mode == ""
    for page in (match.get_absolute_url(), "/arenas/duel/"):
        assert "mode" not in words(Client().get(page)).lower()


@pytest.mark.parametrize("mode", ["", "Chess", "Conquest, Stronghold", "\x00"])
def test_reports_by_the_api_need_a_mode_of_the_arena(
    modal: Arena, alice: Player, charlie: Player, mode: str
) -> None:
    address = "/api/v1/arenas/duel/reports/"
    answer = by_token(alice).post(address, win(alice, charlie, mode=mode), format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"mode"}
    assert not Match.objects.exists()
    answer = by_token(alice).post(address, win(alice, charlie, mode="conquest"), format="json")
    assert answer.json()["mode"] == "Conquest"


def test_a_live_match_keeps_the_mode_that_it_began_with(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    beginning = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    match = live.start(modal, beginning, now=NOW, mode="Conquest")
    page = browser_of(alice).get(reverse("match_report", args=[match.pk]))
    assert "Game mode" not in words(page)
    finishes = [Finish(0), Finish(1)]
    with pytest.raises(Refused, match="this match is Conquest"):
        live.finish(match.pk, finishes, reporter=alice, now=NOW, mode="Stronghold")
    assert live.finish(match.pk, finishes, reporter=alice, now=NOW).mode == "Conquest"


def test_a_live_match_without_a_mode_gets_it_with_its_result(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    beginning = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    match = live.start(modal, beginning, now=NOW)
    refused = browser_of(alice).post(reverse("match_report", args=[match.pk]), {"outcome": "0"})
    assert "Choose the game mode." in words(refused)
    with pytest.raises(Refused) as refusal:
        live.finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    assert refusal.value.field == "mode"
    match.refresh_from_db()
    assert match.status == "live"
    sent = {"outcome": "0", "mode": "Conquest"}
    browser_of(alice).post(reverse("match_report", args=[match.pk]), sent)
    match.refresh_from_db()
    assert (match.status, match.mode) == ("reported", "Conquest")


def test_game_servers_name_the_mode_at_the_start_or_with_the_result(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    user = User.objects.create(username="server")
    user.user_permissions.add(Permission.objects.get(codename="add_match"))
    server = by_token(Player(name="", user=user))
    playing = [{"captain": player.pk, "players": [player.pk]} for player in (alice, charlie)]
    address, ended = "/api/v1/arenas/duel/live-matches/", [{"place": 0}, {"place": 1}]
    wrong = server.post(address, {"sides": playing, "mode": "Chess"}, format="json")
    assert (wrong.status_code, fields_at_fault(wrong)) == (400, {"mode"})
    first = server.post(address, {"sides": playing, "mode": "Stronghold"}, format="json").json()
    assert first["mode"] == "Stronghold"
    server.post(f"/api/v1/matches/{first['id']}/report/", {"sides": ended}, format="json")
    second = server.post(address, {"sides": playing}, format="json").json()
    where = f"/api/v1/matches/{second['id']}/report/"
    assert fields_at_fault(server.post(where, {"sides": ended}, format="json")) == {"mode"}
    server.post(where, {"sides": ended, "mode": "Conquest"}, format="json")
    assert list(Match.objects.order_by("id").values_list("mode", "status")) == [
        ("Stronghold", "rated"),
        ("Conquest", "rated"),
    ]


def test_organisers_name_the_mode(
    modal: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    given: Any = {"by": user_of(olga), "reason": "Final", "played_at": NOW, "now": NOW}
    with pytest.raises(Refused, match="Choose the game mode"):
        entering.enter(modal, sides(alice, charlie), **given)
    assert entering.enter(modal, sides(alice, charlie), mode="Conquest", **given).mode == "Conquest"
    form = result_form("", reason="Final", sides="Alice\nCharlie")
    browser = browser_of(olga)
    assert "Choose the game mode." in words(browser.post("/arenas/duel/enter/", form))
    browser.post("/arenas/duel/enter/", {**form, "mode": "Stronghold"})
    assert Match.objects.latest("pk").mode == "Stronghold"


def test_a_free_for_all_in_order_of_finish_names_it_too(
    melee: Arena, alice: Player, bob: Player
) -> None:
    melee.modes = MODES
    melee.save()
    form = {key: value for key, value in result_form("").items() if key != "outcome"}
    where = reverse("report_order", args=["melee"])
    form |= {"order": "Alice\nBob"}
    assert "Choose the game mode." in words(browser_of(alice).post(where, form))
    browser_of(alice).post(where, {**form, "mode": "Conquest"})
    assert Match.objects.get().mode == "Conquest"


def test_alice_corrects_the_mode_until_somebody_answers(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    match = told(modal, alice, charlie, mode="Conquest")
    where = reverse("match_change", args=[match.pk])
    shown = browser_of(alice).get(where).content.decode()
    assert 'value="Conquest" id="id_mode_0" required checked' in shown
    form = {"outcome": "0", "revision": 1, "mode": "Stronghold"}
    browser_of(alice).post(where, form)
    match.refresh_from_db()
    assert (match.mode, match.revision) == ("Stronghold", 2)
    changing.change(match.pk, [Finish(0), Finish(1)], by=alice, now=NOW, revision=2)
    match.refresh_from_db()
    assert match.mode == "Stronghold", "a change that names none leaves it"


def test_a_mode_that_a_match_began_with_is_not_changed(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    beginning = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    match = live.start(modal, beginning, now=NOW, mode="Conquest")
    live.finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=NOW)
    page = browser_of(alice).get(reverse("match_change", args=[match.pk]))
    assert "Game mode" not in words(page)
    with pytest.raises(Refused, match="this match is Conquest"):
        changing.change(match.pk, [Finish(0), Finish(1)], by=alice, now=NOW, mode="Stronghold")
    page = browser_of(charlie).get(reverse("match_counter", args=[match.pk]))
    assert "Game mode" not in words(page)
    with pytest.raises(Refused, match="this match is Conquest"):
        countering.counter(match.pk, WON, by=charlie, now=NOW, mode="Stronghold")


def test_charlie_disputes_the_mode_and_alice_accepts_his(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    match = told(modal, alice, charlie, mode="Conquest")
    where = reverse("match_counter", args=[match.pk])
    assert "checked" in browser_of(charlie).get(where).content.decode()
    same = {"outcome": "0", "revision": 1, "mode": "Conquest"}
    assert "This is the reported result" in words(browser_of(charlie).post(where, same))
    browser_of(charlie).post(where, {**same, "mode": "Stronghold"})
    shown = browser_of(alice).get(match.get_absolute_url())
    assert words(shown).count("Game mode: Stronghold") == 2
    countering.accept(match.pk, by=alice, now=NOW)
    match.refresh_from_db()
    assert (match.status, match.mode) == ("rated", "Stronghold")


def test_charlie_reports_another_result_in_another_mode(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    match = told(modal, alice, charlie, mode="Conquest")
    assert told(modal, charlie, alice, mode="Stronghold", same_game=True) == match
    countering.accept(match.pk, by=alice, now=NOW)
    match.refresh_from_db()
    assert (match.status, match.mode) == ("rated", "Stronghold")


def test_staff_correct_the_mode_of_a_disputed_match(
    modal: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = told(modal, alice, charlie, mode="Conquest")
    where = f"/api/v1/matches/{match.pk}/counter-report/"
    sent = {"sides": [{"place": 0}, {"place": 1}], "mode": "Chess"}
    answer = by_token(charlie).post(where, sent, format="json")
    assert (answer.status_code, fields_at_fault(answer)) == (400, {"mode"})
    answer = by_token(charlie).post(where, {**sent, "mode": "stronghold"}, format="json")
    assert answer.json()["counter_reports"][0]["mode"] == "Stronghold"
    page = reverse("match_decide", args=[match.pk])
    filled = browser_of(olga).get(page, {"other": 1}).content.decode()
    assert 'value="Stronghold" id="id_mode_1" checked' in filled
    form = {"verdict": "corrected", "reason": "Seen", "outcome": "0", "mode": "Stronghold"}
    told_all = browser_of(olga).post(page, form, follow=True)
    match.refresh_from_db()
    assert (match.status, match.mode) == ("rated", "Stronghold")
    action = match.staff_actions.get()
    assert (action.details["mode_was"], action.details["mode_is"]) == ("Conquest", "Stronghold")
    assert words(told_all).count("Game mode: Stronghold") == 2


def test_staff_name_the_mode_of_a_live_match_without_one(
    modal: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    beginning = [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])]
    match = live.start(modal, beginning, now=NOW)
    page = reverse("match_decide", args=[match.pk])
    form = {"verdict": "corrected", "reason": "Seen", "outcome": "0"}
    assert "Choose the game mode: Conquest" in words(browser_of(olga).post(page, form))
    where = f"/api/v1/matches/{match.pk}/decision/"
    void = {"verdict": "voided", "reason": "Seen", "mode": "Conquest"}
    answer = by_token(olga).post(where, void, format="json")
    assert (answer.status_code, fields_at_fault(answer)) == (400, {"mode"})
    sent = {"verdict": "corrected", "reason": "Seen", "placings": [{"place": 0}, {"place": 1}]}
    answer = by_token(olga).post(where, {**sent, "mode": "Conquest"}, format="json")
    assert (answer.json()["status"], answer.json()["mode"]) == ("rated", "Conquest")


def test_the_same_result_in_another_mode_confirms_nothing(
    modal: Arena, alice: Player, charlie: Player
) -> None:
    match = told(modal, alice, charlie, mode="Conquest")
    other = reporting.report(
        modal,
        sides(alice, charlie),
        reporter=charlie,
        played_at=NOW,
        now=NOW,
        mode="Stronghold",
    )
    assert (other, other.status, other.mode) == (match, "reported", "Conquest")
    same = reporting.report(
        modal, sides(alice, charlie), reporter=charlie, played_at=NOW, now=NOW, mode="Conquest"
    )
    assert (same, same.status) == (match, "rated")


def test_a_token_does_not_report_another_mode(modal: Arena, alice: Player, charlie: Player) -> None:
    token = uuid4()
    match = told(modal, alice, charlie, mode="Conquest", client_token=token)
    assert told(modal, alice, charlie, mode="Conquest", client_token=token) == match
    with pytest.raises(Conflict, match="a different report"):
        told(modal, alice, charlie, mode="Stronghold", client_token=token)


def test_lists_show_and_filter_the_mode(modal: Arena, alice: Player, charlie: Player) -> None:
    for mode, loser in (("Conquest", charlie), ("Stronghold", charlie)):
        match = told(modal, alice, loser, mode=mode)
        confirm(match.pk, by=loser, now=NOW)
    arena, mine = "/arenas/duel/", alice.get_absolute_url()
    for page in (arena, mine):
        assert words(Client().get(page)).count("Stronghold") > 1
        shown = Client().get(page, {"mode": "Conquest"}).content.decode()
        assert shown.count('class="game"') == 1
        assert Client().get(page).content.decode().count('class="game"') == 2
        everything = Client().get(page, {"mode": "Chess"}).content.decode()
        assert everything.count('class="game"') == 2
    listed = Client().get("/api/v1/matches/", {"arena": "duel", "mode": "Stronghold"}).json()
    assert [one["mode"] for one in listed["results"]] == ["Stronghold"]
    alone = Client().get("/api/v1/matches/", {"mode": "Stronghold"})
    assert (alone.status_code, fields_at_fault(alone)) == (400, {"mode"})
    assert Client().get("/api/v1/arenas/duel/").json()["modes"] == MODES


def test_olga_declares_the_modes(duel: Arena, olga: Player) -> None:
    staff = browser_of(olga)
    form = arena_page(duel)
    send(staff, form, {"modes": "Conquest,  Stronghold,conquest"})
    duel.refresh_from_db()
    assert duel.modes == ["Conquest", "Stronghold"]
    assert errors_of(send(staff, form, {"modes": "x" * 41})).keys() == {"modes"}
    many = ",".join(str(number) for number in range(31))
    assert errors_of(send(staff, form, {"modes": many})) == {
        "modes": ["List at most 30 names. You have listed 31."]
    }
