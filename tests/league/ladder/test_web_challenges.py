"""Challenges on the pages, in the API and in the admin."""

from datetime import timedelta
from typing import cast

import pytest
from django.contrib.auth.models import Permission
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from league.models import Arena, Challenge, Match, Player, Rating, User
from league.services.core.errors import Refused
from league.services.ladder.challenges import accept, challenge
from league.services.ladder.deadlines import sweep
from league.services.results.reports.answers import confirm
from tests.support.cast import account, arena, beats, put_in_order
from tests.support.web_steps import browser_of, result_form, words


@pytest.fixture
def ladder(db: None, alice: Player, bob: Player, charlie: Player, dora: Player) -> Arena:
    """Alice at the top, then Bob, Charlie and Dora; challenges reach two ranks up."""
    made = arena("ladder", rating_system="ladder", rating_parameters={"challenge_range": 2})
    now = timezone.now()
    for winner, loser in ((alice, bob), (charlie, dora)):
        confirm(beats(winner, loser, made, now=now).pk, by=loser, now=now)
    put_in_order()
    return made


def board(player: Player) -> str:
    return words(browser_of(player).get(reverse("leaderboard", args=["ladder"])))


def test_a_challenge_from_the_leaderboard_is_accepted_and_then_started(
    ladder: Arena, alice: Player, charlie: Player, dora: Player
) -> None:
    assert "Challenge Bob" in board(dora)
    assert "Challenge Charlie" in board(dora)
    assert "Challenge Alice" not in board(dora)
    assert "Challenge Bob" not in board(alice)
    assert "Challenge Bob" not in words(Client().get(reverse("leaderboard", args=["ladder"])))
    browser = browser_of(charlie)
    page = browser.post(
        reverse("challenge_new", args=["ladder"]), {"player": alice.pk}, follow=True
    )
    assert "Challenge sent to Alice." in words(page)
    assert "Withdraw the challenge to Alice" in words(page)
    assert "Challenge Bob" not in board(charlie)  # only one open challenge is allowed
    hers = browser_of(alice)
    assert "1 challenge waits for your answer. Review" in words(hers.get("/"))
    waiting = words(hers.get(reverse("waiting")))
    assert "Charlie challenges Alice in Ladder" in waiting
    assert "Ignoring or declining costs 1 rank." in waiting
    made = Challenge.objects.get()
    agreed = hers.post(
        reverse("challenge_answer", args=[made.pk]), {"answer": "accept"}, follow=True
    )
    assert "Start the match when you play, or report it then" in words(agreed)
    assert "Accepted, to be played by" in words(agreed)
    again = hers.post(reverse("challenge_answer", args=[made.pk]), {"answer": "accept"})
    assert again.status_code == 409
    assert "no longer open. Its state: accepted" in words(again)
    start = reverse("challenge_start", args=[made.pk])
    assert "Start the match of Charlie against Alice" in words(
        browser.get(reverse("challenges", args=["ladder"]))
    )
    assert "Start the match" not in words(
        browser_of(dora).get(reverse("challenges", args=["ladder"]))
    )
    assert browser_of(dora).post(start).status_code == 403
    assert hers.get(start).status_code == 302
    assert "The match is on" in words(browser.post(start, follow=True))
    begun = hers.post(start)
    assert (begun.status_code, "already begun" in words(begun)) == (409, True)
    listed = words(hers.get(reverse("challenges", args=["ladder"])))
    assert "Charlie challenged Alice: accepted" in listed


def test_the_cost_of_a_challenge_is_shown_with_the_ranks(
    ladder: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    made = challenge(ladder, alice, by=bob, now=timezone.now() - timedelta(days=9))
    sweep(timezone.now())
    put_in_order()
    loss = Match.objects.get(challenge=made)
    page = words(browser_of(alice).get(loss.get_absolute_url()))
    assert "Alice ignored a challenge by Bob and dropped" in page
    assert "Applied by the challenge rules" in page
    assert "Nobody played" in page
    assert "ignored" in words(Client().get(reverse("challenges", args=["ladder"])))
    assert "Refused challenge" not in words(Client().get(reverse("arena", args=["ladder"])))
    profile = words(Client().get(reverse("player", args=[alice.pk])))
    assert "Rank 2" in profile
    assert "1 · 0 · 0" in profile
    staff = browser_of(olga)
    voided = staff.get(reverse("match_correct", args=[loss.pk]))
    assert voided.status_code == 200


def test_refused_challenges_say_why(
    ladder: Arena, alice: Player, dora: Player, duel: Arena
) -> None:
    browser, address = browser_of(dora), reverse("challenge_new", args=["ladder"])
    for sent, said in (
        ({"player": alice.pk}, "too far above you. From rank 4 you can challenge up to 2"),
        ({"player": dora.pk}, "You cannot challenge yourself"),
        ({"player": "999999"}, "Choose a player from the list"),
        ({"player": "Alice"}, "Choose a player from the list"),
        ({}, "Choose a player from the list"),
    ):
        answer = browser.post(address, sent)
        assert answer.status_code == 400
        assert said in words(answer)
    assert browser.get(reverse("challenges", args=["duel"])).status_code == 404
    elsewhere = browser.post(reverse("challenge_new", args=["duel"]), {"player": alice.pk})
    assert elsewhere.status_code == 400
    assert "is not a ladder" in words(elsewhere)


def test_challenge_pages_take_few_queries_for_many_challenges(
    ladder: Arena, dora: Player, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    season = ladder.seasons.get()
    now = timezone.now()
    more = [account(f"Rung {number}") for number in range(30)]
    Rating.objects.bulk_create(
        Rating(season=season, player=player, rating=5.0 + at, games=1, last_played_at=now)
        for at, player in enumerate(more)
    )
    put_in_order()
    for one, other in zip(more[::2], more[1::2], strict=True):
        challenge(ladder, one, by=other, now=now)
    browser = browser_of(dora)
    with django_assert_max_num_queries(18):
        page = browser.get(reverse("challenges", args=["ladder"]))
    assert words(page).count("Answer by") == 15
    with django_assert_max_num_queries(17):
        browser.get(reverse("leaderboard", args=["ladder"]))


def test_programs_challenge_answer_and_read_the_outcome(
    ladder: Arena, alice: Player, bob: Player
) -> None:
    address = reverse("api:challenges", args=["ladder"])
    his, hers = browser_of(bob), browser_of(alice)
    made = his.post(address, {"player": alice.pk}, content_type="application/json")
    assert made.status_code == 201, made.content
    number = made.json()["id"]
    listed = Client().get(address).json()["results"]
    assert [(one["id"], one["state"]) for one in listed] == [(number, "open")]
    twice = his.post(address, {"player": alice.pk}, content_type="application/json")
    assert twice.status_code == 409
    assert "already" in twice.content.decode()
    answer = reverse("api:challenge-answer", args=[number])
    wrong = hers.post(answer, {"answer": "perhaps"}, content_type="application/json")
    assert wrong.status_code == 400
    declined = hers.post(answer, {"answer": "decline"}, content_type="application/json").json()
    assert declined["state"] == "declined"
    loss = Client().get(reverse("api:match", args=[declined["match"]])).json()
    assert loss["played"] is False
    assert {event["player"]["name"] for event in loss["events"]} == {"Alice", "Bob"}


def test_an_accepted_challenge_is_reported_on_its_page_and_by_programs(
    ladder: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    now = timezone.now()
    made = accept(challenge(ladder, alice, by=bob, now=now).pk, by=alice, now=now)
    address, his = reverse("challenge_report", args=[made.pk]), browser_of(bob)
    assert browser_of(charlie).get(address).status_code == 403
    page = words(his.get(address))
    assert page.index("Bob won") < page.index("Alice won")
    fields = result_form("")
    assert his.post(address, fields | {"outcome": ""}).status_code == 400
    early = his.post(address, fields | {"played_at": "2026-01-02T10:00"})
    assert (early.status_code, "was accepted later" in words(early)) == (400, True)
    for _twice in range(2):
        assert "waiting for confirmation" in words(his.post(address, fields, follow=True))
    made.refresh_from_db()
    assert made.match
    assert his.get(address).status_code == 409
    other = accept(challenge(ladder, bob, by=charlie, now=now).pk, by=bob, now=now)
    body = {"sides": [{"place": 1}, {"place": 0}], "played_at": timezone.now().isoformat()}
    program = browser_of(charlie)
    sent = program.post(
        reverse("api:challenge-report", args=[other.pk]), body, content_type="application/json"
    )
    assert sent.status_code == 201, sent.content
    assert [side["captain"]["name"] for side in sent.json()["sides"]] == ["Charlie", "Bob"]
    begun = program.post(
        reverse("api:challenge-start", args=[other.pk]), {}, content_type="application/json"
    )
    assert begun.status_code == 409


def test_staff_call_off_a_challenge_with_a_reason(
    ladder: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    made = challenge(ladder, alice, by=bob, now=timezone.now())
    staff = browser_of(olga)
    page = reverse("admin:league_challenge_change", args=[made.pk])
    assert "Call off" in words(staff.get(page))
    address = reverse("admin:league_challenge_call_off", args=[made.pk])
    assert "Give a reason." in words(staff.post(address, {"reason": " "}))
    done = staff.post(address, {"reason": "They have a bet on it."}, follow=True)
    assert "The challenge is called off, at no cost" in words(done)
    assert "Call off" not in words(staff.get(page))
    assert "is over" in words(staff.post(address, {"reason": "Once more."}))
    listed = words(Client().get(reverse("challenges", args=["ladder"])))
    assert "called off by staff" in listed
    assert "They have a bet on it." in listed
    looks = cast("User", bob.user)
    looks.is_staff = True
    looks.save()
    looks.user_permissions.add(Permission.objects.get(codename="view_challenge"))
    assert "Call off" not in words(browser_of(bob).get(page))
    assert browser_of(bob).post(address, {"reason": "Mine."}).status_code == 403


def test_a_player_who_can_challenge_nobody_is_told_the_reason(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    def nobody(player: Player) -> str:
        page = words(browser_of(player).get(reverse("challenges", args=["ladder"])))
        return page.partition("Nobody right now ")[2].partition(" Open challenges")[0]

    assert nobody(alice) == "You are at the top. Wait for a challenge."
    assert nobody(bob) == ""
    Player.objects.filter(pk=alice.pk).update(user=None)
    assert nobody(bob).startswith("Nobody within 2 ranks above you has an account")
    challenge(ladder, bob, by=charlie, now=timezone.now())
    assert "open challenge, the most that the rules allow" in nobody(charlie)
    assert nobody(dora) == ""
    challenge(ladder, charlie, by=dora, now=timezone.now())
    newcomer = account("Newcomer")
    Player.objects.filter(pk=dora.pk).update(user=None)
    assert nobody(newcomer).startswith("Everybody within your reach has been challenged")


def test_the_page_of_a_player_offers_to_challenge_them_or_says_what_speaks_against_it(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    season = ladder.seasons.get()

    def page(reader: Player, of: Player) -> str:
        return words(browser_of(reader).get(of.get_absolute_url()))

    assert "Challenge Bob" in page(dora, bob)
    assert "Challenge Alice" not in page(dora, alice)
    assert "Alice is too far above you. From rank 4 you can challenge up to 2." in page(dora, alice)
    assert "Dora is below you, at rank 4." in page(bob, dora)
    assert "Challenge Bob" not in page(bob, bob)
    assert "Challenge Bob" not in words(Client().get(bob.get_absolute_url()))

    sent = browser_of(dora).post(
        reverse("challenge_new", args=["ladder"]), {"player": bob.pk}, follow=True
    )
    assert "Challenge sent to Bob." in words(sent)
    assert "Challenge Bob" not in page(dora, bob)
    assert "There is already a challenge between you and Bob. See the challenge" in page(dora, bob)
    assert "Bob has already been challenged." in page(charlie, bob)

    season.ends_at = timezone.now()
    season.save(update_fields=["ends_at"])
    assert "Challenge Bob" not in page(dora, bob)
    assert "There is already a challenge" not in page(dora, bob)


def test_a_page_offers_a_challenge_exactly_if_it_would_be_accepted(
    ladder: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """For every pair, before and after a challenge is sent and accepted."""
    players = [alice, bob, charlie, dora]

    def offered() -> set[tuple[str, str]]:
        return {
            (me.name, one.name)
            for me in players
            for one in players
            if f"Challenge {one.name}" in words(browser_of(me).get(one.get_absolute_url()))
        }

    def possible() -> set[tuple[str, str]]:
        found = set()
        for me in players:
            for one in players:
                with transaction.atomic():
                    try:
                        challenge(ladder, one, by=me, now=timezone.now())
                        found.add((me.name, one.name))
                    except Refused:
                        pass
                    transaction.set_rollback(True)
        return found

    assert offered() == possible() != set()
    made = challenge(ladder, alice, by=bob, now=timezone.now())
    assert offered() == possible()
    accept(made.pk, by=alice, now=timezone.now())
    assert offered() == possible() != set()
