"""One game is one match, however many captains report it."""

from datetime import datetime, timedelta
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, CounterReport, Match, Player, Roster, Settlement, Status
from league.services.core.clock import database_now
from league.services.core.errors import AboutMatch, Conflict, Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from tests.support.api_steps import by_token, send, win
from tests.support.cast import NOW, roster, side
from tests.support.concurrency import all_at_once
from tests.support.web_steps import browser_of, result_form, words

HOUR = timedelta(hours=1)


def duel_report(
    duel: Arena,
    winner: Player,
    loser: Player,
    reporter: Player,
    *,
    scores: tuple[float | None, float | None] = (None, None),
    **options: Any,
) -> Match:
    sides = [side(winner, place=0, score=scores[0]), side(loser, place=1, score=scores[1])]
    given = {"played_at": NOW - HOUR, "now": NOW, "client_token": uuid4(), **options}
    return report(duel, sides, reporter=reporter, **given)


def test_both_captains_report_the_same_result_and_it_is_rated_once(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice, scores=(3, 1))
    second = duel_report(duel, alice, charlie, charlie, played_at=NOW - 3 * HOUR)
    assert second == first
    assert Match.objects.count() == 1
    assert (second.status, second.settlement) == (Status.RATED, Settlement.CAPTAIN)
    assert (second.confirmed_by, second.confirmed_by_side) == (charlie, 1)
    assert first.events.count() == 2
    kept = CounterReport.objects.get()
    assert (kept.state, kept.reporter, kept.against) == ("agrees", charlie, alice)


@pytest.mark.parametrize("scores", [(None, None), (2, 1)])
def test_another_result_disputes_the_first_report_and_is_kept(
    duel: Arena, alice: Player, charlie: Player, scores: tuple[float | None, float | None]
) -> None:
    winner, loser = (alice, charlie) if scores[0] else (charlie, alice)
    first = duel_report(duel, alice, charlie, alice, scores=(3, 1))
    with pytest.raises(AboutMatch, match=r"Alice reported match [0-9]+ as 3–1") as asked:
        duel_report(duel, winner, loser, charlie, scores=scores)
    assert asked.value.match == first.pk
    first.refresh_from_db()
    assert first.status == Status.REPORTED
    second = duel_report(duel, winner, loser, charlie, scores=scores, same_game=True)
    assert second == first
    assert Match.objects.count() == 1
    assert (second.status, second.disputed_by) == (Status.DISPUTED, charlie)
    assert not first.events.exists()
    kept = CounterReport.objects.get()
    assert kept.state == CounterReport.State.OPEN
    assert kept.placings == ([[0, 2.0], [1, 1.0]] if scores[0] else [[1, None], [0, None]])


def test_another_game_that_ended_otherwise_is_another_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice, scores=(3, 1))
    second = duel_report(duel, charlie, alice, charlie, same_game=False)
    assert second != first
    assert {match.status for match in Match.objects.all()} == {Status.REPORTED}
    third = duel_report(duel, charlie, alice, alice)
    assert (third, third.status) == (second, Status.RATED)


def test_sides_and_members_may_come_in_any_order(
    teams: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
) -> None:
    ours = [side(alice, bob, place=0, score=2), side(charlie, dora, place=1, score=0)]
    first = report(teams, ours, reporter=alice, played_at=NOW, now=NOW)
    theirs = [
        ReportedSide(charlie, [PlayedBy(dora), PlayedBy(charlie)], 1, 0.0, foxes),
        ReportedSide(alice, [PlayedBy(bob), PlayedBy(alice)], 0, 2.0, owls),
    ]
    second = report(teams, theirs, reporter=charlie, played_at=NOW, now=NOW)
    assert second == first
    assert second.status == Status.RATED
    assert second.confirmed_by_side == 1


@pytest.mark.parametrize("named", [PlayedBy, partial(PlayedBy, quit=True)])
def test_the_same_result_with_another_quit_is_left_to_the_captain(
    duel: Arena, alice: Player, charlie: Player, named: partial[PlayedBy]
) -> None:
    sides = [side(alice, place=0), ReportedSide(charlie, [PlayedBy(charlie, quit=True)], 1)]
    first = report(duel, sides, reporter=alice, played_at=NOW, now=NOW)
    again = [side(alice, place=0), ReportedSide(charlie, [named(charlie)], 1)]
    second = report(duel, again, reporter=charlie, played_at=NOW, now=NOW)
    assert second == first
    agreed = named is not PlayedBy
    assert second.status == (Status.RATED if agreed else Status.REPORTED)


def test_other_games_make_other_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    matches = [
        duel_report(duel, alice, charlie, alice),
        duel_report(duel, alice, charlie, alice),  # her second game of the day
        duel_report(duel, alice, eve, eve),
        duel_report(duel, alice, charlie, charlie, played_at=NOW - timedelta(days=2)),
    ]
    assert len({match.pk for match in matches}) == 4
    assert set(Match.objects.values_list("status", flat=True)) == {Status.REPORTED}


def test_of_several_open_reports_the_one_with_the_same_result_is_confirmed(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    lost = duel_report(duel, charlie, alice, alice, played_at=NOW - HOUR)
    won = duel_report(duel, alice, charlie, alice, played_at=NOW - 5 * HOUR)
    assert duel_report(duel, alice, charlie, charlie, played_at=NOW - HOUR) == won
    lost.refresh_from_db()
    assert lost.status == Status.REPORTED


def test_a_rated_game_is_over_and_the_next_report_is_about_another(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice)
    confirm(first.pk, by=charlie, now=NOW)
    assert duel_report(duel, alice, charlie, charlie) != first


def test_a_report_that_answered_another_can_be_sent_again(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    first = duel_report(duel, alice, charlie, alice)
    sides = [side(alice, place=0), side(charlie, place=1)]
    for token in (uuid4(), None):
        for _attempt in range(3):
            sent = report(duel, sides, reporter=charlie, played_at=NOW, now=NOW, client_token=token)
            assert sent == first
        CounterReport.objects.update(client_token=None)
    assert Match.objects.count() == 1


def test_a_token_stands_for_one_report(duel: Arena, alice: Player, charlie: Player) -> None:
    token = uuid4()
    sides = [side(alice, place=0), side(charlie, place=1)]
    send = partial(report, duel, now=NOW, client_token=token)
    first = send(sides, reporter=alice, played_at=NOW)
    assert send(list(reversed(sides)), reporter=alice, played_at=NOW) == first
    with pytest.raises(Conflict, match="different report"):
        send([side(alice, place=1), side(charlie, place=0)], reporter=alice, played_at=NOW)
    with pytest.raises(Conflict, match="different report"):
        send(sides, reporter=alice, played_at=NOW - HOUR)
    with pytest.raises(Conflict, match="different report"):
        send(sides, reporter=charlie, played_at=NOW)
    with pytest.raises(Conflict, match="different report"):
        send([side(alice, alice, place=0)], reporter=alice, played_at=NOW)
    assert Match.objects.count() == 1


def test_without_a_token_the_same_report_soon_after_is_the_first_one(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]

    def send(minutes: int, played_at: datetime | None = None) -> Match:
        now = NOW + timedelta(minutes=minutes)
        return report(duel, sides, reporter=alice, played_at=played_at or now, now=now)

    first = send(0)
    assert send(1) == first
    assert send(9) == first
    assert send(9, NOW) == first
    assert send(9, NOW - HOUR) != first
    assert send(11) != first


@pytest.mark.django_db(transaction=True)
def test_captains_who_report_at_the_same_instant_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    for day in range(1, 6):
        played_at = NOW + timedelta(days=3 * day)
        winners = (alice, charlie) if day % 2 else (alice, alice)
        reports = [
            partial(
                duel_report,
                duel,
                winner,
                charlie if winner == alice else alice,
                reporter,
                played_at=played_at,
                now=played_at,
            )
            for winner, reporter in zip(winners, (alice, charlie), strict=True)
        ]
        answers = all_at_once(list(reports))
        assert len({match.pk for match in answers if isinstance(match, Match)}) == 1
        assert Match.objects.count() == day
        latest = Match.objects.latest("id")
        assert latest.status == (Status.REPORTED if day % 2 else Status.RATED)


@pytest.mark.django_db(transaction=True)
def test_eight_equal_reports_at_once_make_one_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    sides = [side(alice, place=0), side(charlie, place=1)]
    for token in (None, uuid4()):
        Match.objects.update(played_at=NOW - timedelta(days=3), reported_at=NOW - HOUR)
        before = Match.objects.count()
        send = partial(
            report, duel, sides, reporter=alice, played_at=NOW, now=NOW, client_token=token
        )
        answers = all_at_once([send] * 8)
        assert len({match.pk for match in answers if isinstance(match, Match)}) == 1
        assert Match.objects.count() == before + 1


def test_who_leads_both_sides_does_not_confirm_their_own_report(
    teams: Arena, owls: Roster, alice: Player, charlie: Player, dora: Player
) -> None:
    hawks = roster(teams, "Hawks", alice, charlie, dora)
    sides = [
        ReportedSide(alice, [PlayedBy(alice)], 0, None, owls),
        ReportedSide(alice, [PlayedBy(charlie)], 1, None, hawks),
    ]
    with pytest.raises(Refused, match="needs a captain of its own"):
        report(teams, sides, reporter=alice, played_at=NOW, now=NOW)
    assert not Match.objects.exists()


@pytest.mark.parametrize(
    ("outcome", "sentence"),
    [("1", "reported the same result, so it is now rated"), ("0", "reported another result")],
)
def test_the_page_says_that_the_other_side_had_reported_the_game(
    duel: Arena, alice: Player, charlie: Player, outcome: str, sentence: str
) -> None:
    now = database_now()
    first = duel_report(duel, alice, charlie, alice, played_at=now - HOUR, now=now)
    form = result_form("Alice", outcome=outcome, same_game="yes")
    page = browser_of(charlie).post(reverse("report", args=["duel"]), form, follow=True)
    assert sentence in words(page)
    assert page.redirect_chain[0][0] == first.get_absolute_url()
    assert Match.objects.count() == 1


@pytest.mark.parametrize(("same", "statuses"), [("yes", ["disputed"]), ("no", ["reported"] * 2)])
def test_the_page_asks_whether_it_is_the_game_of_a_report_that_differs(
    duel: Arena, alice: Player, charlie: Player, same: str, statuses: list[str]
) -> None:
    now = database_now()
    duel_report(duel, alice, charlie, alice, played_at=now - HOUR, now=now)
    browser, form = browser_of(charlie), result_form("Alice", outcome="0")
    asked = browser.post(reverse("report", args=["duel"]), form)
    assert asked.status_code == 409
    assert "Is yours the same game?" in words(asked)
    assert Match.objects.get().status == Status.REPORTED
    unanswered = browser.post(reverse("report", args=["duel"]), form | {"same_game": ""})
    assert "Choose one." in words(unanswered)
    browser.post(reverse("report", args=["duel"]), form | {"same_game": same}, follow=True)
    assert [match.status for match in Match.objects.all()] == statuses


def test_the_api_asks_whether_it_is_the_game_of_a_report_that_differs(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    address = reverse("api:reports", args=["duel"])
    first = send(by_token(alice), address, win(alice, charlie))
    asked = send(by_token(charlie), address, win(charlie, alice))
    assert (asked.status_code, asked.json()["code"]) == (409, "maybe_same_game")
    other = send(by_token(charlie), address, win(charlie, alice, same_game=False))
    assert other.status_code == 201
    same = send(by_token(charlie), address, win(charlie, alice, same_game=True))
    assert same.json()["id"] in {first.json()["id"], other.json()["id"]}


def test_a_form_that_was_sent_leads_to_its_match_and_can_be_sent_again(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    """She goes back, changes the score and sends the form again."""
    browser, form = browser_of(alice), result_form("Charlie", outcome="0")
    browser.post(reverse("report", args=["duel"]), form | {"score-0": "3", "score-1": "1"})
    first = Match.objects.get()
    edited = form | {"score-0": "3", "score-1": "2"}
    page = browser.post(reverse("report", args=["duel"]), edited)
    assert page.status_code == 409
    assert "You already reported this match" in words(page)
    assert f'href="{first.get_absolute_url()}"' in page.content.decode()
    token = page.context["form"]["client_token"].value()
    again = browser.post(reverse("report", args=["duel"]), edited | {"client_token": token})
    assert again.status_code == 302
    assert Match.objects.count() == 2


@pytest.mark.parametrize(
    ("better", "scores", "outcome", "winner"),
    [
        ("higher", ("3", "2"), "", 0),
        ("higher", ("2", "3"), "", 1),
        ("lower", ("2", "3"), "", 0),
        ("higher", ("2", "2"), "draw", None),
        ("higher", ("2", "2"), "", None),
        ("free", ("3", "2"), "1", 1),
    ],
)
def test_scores_say_who_won_unless_the_captain_does(
    duel: Arena,
    alice: Player,
    charlie: Player,
    better: str,
    scores: tuple[str, str],
    outcome: str,
    winner: int | None,
) -> None:
    duel.result_rules = {"scores": better}
    duel.save()
    form = result_form("Charlie", outcome=outcome) | {"score-0": scores[0], "score-1": scores[1]}
    answer = browser_of(alice).post(reverse("report", args=["duel"]), form)
    assert answer.status_code == 302
    places = list(Match.objects.get().sides.order_by("index").values_list("place", flat=True))
    assert places == ([0, 0] if winner is None else [int(winner != index) for index in (0, 1)])


@pytest.mark.usefixtures("charlie")
def test_a_winner_of_a_level_score_is_asked_about(duel: Arena, alice: Player) -> None:
    form = result_form("Charlie", outcome="0") | {"score-0": "2", "score-1": "2"}
    asked = browser_of(alice).post(reverse("report", args=["duel"]), form)
    assert asked.status_code == 400
    assert "The score is level. Tick this, or correct it." in words(asked)
    sent = browser_of(alice).post(reverse("report", args=["duel"]), form | {"won_level": "on"})
    assert sent.status_code == 302


@pytest.mark.usefixtures("charlie")
@pytest.mark.parametrize(
    ("better", "draws", "scores", "sentence"),
    [
        ("higher", True, ("", ""), "Enter the score. Without one, choose who won."),
        ("higher", True, ("3", ""), "Enter this score, too, or choose who won."),
        ("lower", True, ("", "3"), "Enter this score, too, or choose who won."),
        ("higher", False, ("2", "2"), "The score is level. Tick this, or correct it."),
        ("free", True, ("3", "2"), "Choose who won."),
    ],
)
def test_without_scores_somebody_has_to_choose_who_won(
    duel: Arena,
    alice: Player,
    better: str,
    draws: bool,
    scores: tuple[str, str],
    sentence: str,
) -> None:
    duel.result_rules, duel.draws_allowed = {"scores": better}, draws
    duel.save()
    form = result_form("Charlie", outcome="") | {"score-0": scores[0], "score-1": scores[1]}
    answer = browser_of(alice).post(reverse("report", args=["duel"]), form)
    assert answer.status_code == 400
    assert sentence in words(answer)
    assert not Match.objects.exists()


@pytest.mark.usefixtures("charlie")
def test_a_corrected_score_changes_the_winner_with_it(duel: Arena, alice: Player) -> None:
    form = result_form("Charlie", outcome="") | {"score-0": "3", "score-1": "2"}
    browser = browser_of(alice)
    browser.post(reverse("report", args=["duel"]), form)
    match = Match.objects.get()
    page = browser.get(reverse("match_change", args=[match.pk]))
    assert page.context["form"]["score-0"].value() == 3
    assert page.context["form"]["outcome"].value() is None
    changed = {"revision": "1", "score-0": "2", "score-1": "3"}
    assert browser.post(reverse("match_change", args=[match.pk]), changed).status_code == 302
    assert list(match.sides.order_by("index").values_list("place", flat=True)) == [1, 0]


@pytest.mark.usefixtures("charlie")
@pytest.mark.parametrize(
    ("better", "scores", "places"),
    [
        ("higher", ("3", "7", "3"), [1, 0, 1]),
        ("lower", ("3", "7", "3"), [0, 2, 0]),
        ("free", ("3", "7", "3"), None),
        ("higher", ("3", "7", ""), None),
    ],
)
def test_the_scores_of_many_sides_say_their_places(
    melee: Arena,
    alice: Player,
    eve: Player,
    better: str,
    scores: tuple[str, ...],
    places: list[int] | None,
) -> None:
    melee.result_rules, melee.draws_allowed = {"scores": better}, True
    melee.save()
    form = result_form(f"Charlie\n{eve.name}")
    form |= {f"score-{index}": score for index, score in enumerate(scores)}
    answer = browser_of(alice).post(reverse("report", args=[melee.slug]), form)
    if places is None:
        assert "Enter a place." in words(answer)
    else:
        sides = Match.objects.get().sides.order_by("index")
        assert list(sides.values_list("place", flat=True)) == places


def test_the_api_answers_the_first_report_too(duel: Arena, alice: Player, charlie: Player) -> None:
    address = reverse("api:reports", args=["duel"])
    token = str(uuid4())
    first = send(by_token(alice), address, win(alice, charlie, client_token=token))
    assert first.status_code == 201
    other = send(by_token(alice), address, win(charlie, alice, client_token=token))
    assert (other.status_code, other.json()["code"]) == (409, "token_used")
    second = send(by_token(charlie), address, win(alice, charlie))
    assert (second.status_code, second.json()["id"]) == (200, first.json()["id"])
    assert second.json()["status"] == "rated"
    assert second.json()["counter_reports"][0]["state"] == "agrees"
