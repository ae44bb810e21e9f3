"""Pages for reporting, confirming, disputing and deciding results."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Player, Rating, Roster, StaffAction, Status, User
from league.services.core.clock import database_now
from league.services.results.reports.answers import confirm_expired, dispute
from league.services.results.reports.live import StartingSide, start
from tests.support.cast import NOW, beats, beats_as_agreed, roster
from tests.support.web_steps import browser_of, confirms, reports, result_form, words


def test_alice_reports_charlie_confirms_and_both_ratings_move(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    answer = reports(alice, duel, result_form("charlie", **{"score-0": "3", "score-1": "1"}))
    match = Match.objects.get()
    assert answer["Location"] == match.get_absolute_url()
    assert [(s.captain, s.place, s.score) for s in match.sides.all()] == [
        (alice, 0, 3),
        (charlie, 1, 1),
    ]

    answer = browser_of(charlie).get("/")
    assert "1 result needs your confirmation." in words(answer)
    answer = browser_of(charlie).get(match.get_absolute_url())
    assert "Yes, confirm" in words(answer)

    answer = confirms(charlie, match)
    assert answer["Location"] == match.get_absolute_url()
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert (
        Rating.objects.get(player=alice).rating > 1200 > Rating.objects.get(player=charlie).rating
    )
    assert "needs your confirmation" not in words(browser_of(charlie).get("/"))


def test_alice_cannot_confirm_her_own_report(duel: Arena, alice: Player, charlie: Player) -> None:
    match = beats(alice, charlie, duel)
    page = words(browser_of(alice).get(match.get_absolute_url()))
    assert "Yes, confirm" not in page
    assert "Charlie has until" in page
    answer = confirms(alice, match)
    assert answer.status_code == 403
    assert "The other side has to confirm it" in words(answer)
    assert not Rating.objects.exists()


def test_charlie_disputes_and_olga_corrects(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    answer = browser_of(charlie).post(
        reverse("match_dispute", args=[match.pk]), {"reason": "I won, 3 to 1."}, follow=True
    )
    assert "I won, 3 to 1." in words(answer)
    assert "Staff will decide" in words(answer)

    answer = browser_of(olga).post(
        reverse("match_decide", args=[match.pk]),
        {"verdict": "corrected", "outcome": "1", "score-1": "3", "reason": "The replay shows it."},
        follow=True,
    )
    assert "Olga: corrected a reported result" in words(answer)
    assert "The replay shows it." in words(answer)
    assert (
        Rating.objects.get(player=charlie).rating > 1200 > Rating.objects.get(player=alice).rating
    )


def test_a_dispute_without_a_reason_asks_for_one_and_stays_open(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    answer = browser_of(charlie).post(reverse("match_dispute", args=[match.pk]), {"reason": " "})
    assert answer.status_code == 400
    assert "Describe what is wrong with the report." in words(answer)
    assert "<details open>" in answer.content.decode()
    match.refresh_from_db()
    assert match.status == Status.REPORTED


@pytest.mark.parametrize("verdict", ["upheld", "voided"])
def test_staff_who_may_decide_uphold_or_void_with_a_reason(
    duel: Arena, alice: Player, charlie: Player, bob: Player, verdict: str
) -> None:
    match = beats(alice, charlie, duel)
    dispute(match.pk, by=charlie, reason="No.", now=NOW)
    decide = Permission.objects.get(codename="decide_match")
    User.objects.get(player=bob).user_permissions.add(decide)
    address = reverse("match_decide", args=[match.pk])

    answer = browser_of(bob).post(address, {"verdict": verdict, "reason": ""})
    assert answer.status_code == 400
    assert "Give a reason. Both sides will read it." in words(answer)

    browser_of(bob).post(address, {"verdict": verdict, "reason": "Both agree."})
    match.refresh_from_db()
    assert match.status == (Status.RATED if verdict == "upheld" else Status.VOID)
    assert StaffAction.objects.get().kind == verdict


def test_a_correction_without_a_result_asks_for_one(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = beats(alice, charlie, duel)
    answer = browser_of(olga).post(
        reverse("match_decide", args=[match.pk]), {"verdict": "corrected", "reason": "Wrong."}
    )
    assert answer.status_code == 400
    assert "Enter the score. Without one, choose who won." in words(answer)


def test_charlie_ends_a_live_match_and_alice_can_confirm(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = start(duel, [StartingSide(alice, [alice]), StartingSide(charlie, [charlie])], now=NOW)
    address = reverse("match_report", args=[match.pk])
    assert "Report the result" in words(browser_of(charlie).get(match.get_absolute_url()))
    assert "Alice won" in words(browser_of(charlie).get(address))

    answer = browser_of(charlie).post(
        address, {"outcome": "draw", f"seconds-{alice.pk}": "90", f"quit-{alice.pk}": "on"}
    )
    assert answer["Location"] == match.get_absolute_url()
    match.refresh_from_db()
    assert (match.status, match.reported_by) == (Status.REPORTED, charlie)
    part = match.participants.get(player=alice)
    assert (part.seconds, part.quit) == (90, True)
    assert list(Match.objects.awaiting(alice)) == [match]

    again = browser_of(charlie).post(address, {"outcome": "draw"})
    assert again.status_code == 409
    assert "has already been reported" in words(again)


def test_alice_reports_for_the_owls_and_selects_the_players(
    teams: Arena, owls: Roster, foxes: Roster, alice: Player, bob: Player, charlie: Player
) -> None:
    first_step = browser_of(alice).get(reverse("report", args=[teams.slug]))
    assert "Owls" in words(first_step)
    answer = reports(
        alice,
        teams,
        result_form(
            "foxes",
            roster=owls.pk,
            **{
                "plays-0": [bob.pk],
                "plays-1": [charlie.pk],
                f"profession-{bob.pk}": "healer",
                f"seconds-{bob.pk}": "300",
            },
        ),
    )
    assert answer.status_code == 302
    match = Match.objects.get()
    assert [side.roster for side in match.sides.all()] == [owls, foxes]
    assert [part.player for part in match.participants.all()] == [bob, charlie]
    assert match.participants.get(player=bob).profession == "healer"
    assert match.reported_by == alice


def test_opening_the_confirm_url_shows_the_match(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats(alice, charlie, duel)
    address = reverse("match_confirm", args=[match.pk])
    # The press of the button is kept for whoever logs in.
    to_login = f"{reverse('account_login')}?next={reverse('unsent')}"
    assert Client().post(address)["Location"] == to_login
    assert browser_of(charlie).get(address)["Location"] == match.get_absolute_url()
    match.refresh_from_db()
    assert match.status == Status.REPORTED


def test_my_open_matches_lists_answerable_and_other_matches(
    duel: Arena, alice: Player, charlie: Player, eve: Player
) -> None:
    beats(alice, charlie, duel)
    beats(charlie, eve, duel)
    page = words(browser_of(charlie).get(reverse("waiting")))
    waiting, _, others = page.partition("Other open matches")
    assert "Charlie (you) lost to Alice" in waiting
    assert "Charlie (you) beat Eve" in others
    assert "Nothing to answer" in words(browser_of(alice).get(reverse("waiting")))


def test_polling_returns_only_the_banner(duel: Arena, alice: Player, charlie: Player) -> None:
    beats(alice, charlie, duel)
    polled = browser_of(charlie).get(reverse("waiting"), headers={"HX-Request": "true"})
    assert words(polled) == "1 result needs your confirmation. Review"
    assert words(browser_of(alice).get(reverse("waiting"), headers={"HX-Request": "true"})) == ""


def test_an_unanswered_match_says_that_nobody_objected(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    match = beats_as_agreed(alice, charlie, duel)
    page = words(Client().get(match.get_absolute_url()))
    assert "After that it counts as confirmed, because they agreed to this match" in page
    confirm_expired(NOW + duel.confirmation_window + timedelta(seconds=1))
    assert "nobody disputed the result in time" in words(Client().get(match.get_absolute_url()))


def test_a_lapsed_report_says_why_to_both_sides(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    now = database_now()
    match = beats(alice, charlie, duel, now=now - timedelta(days=3))
    page = words(Client().get(match.get_absolute_url()))
    assert "After that it lapses and does not count" in page
    confirm_expired(now)
    assert "Lapsed: nobody confirmed this report in time" in words(
        Client().get(match.get_absolute_url())
    )
    for player in (alice, charlie):
        waiting = words(browser_of(player).get(reverse("waiting")))
        assert "Lapsed reports Nobody confirmed these in time" in waiting


def test_a_roster_of_three_cannot_all_play_in_an_arena_for_two(
    teams: Arena, foxes: Roster, alice: Player, bob: Player, eve: Player, charlie: Player
) -> None:
    owls = roster(teams, "Owls", alice, bob, eve)
    form = result_form(
        "Foxes",
        roster=owls.pk,
        **{"plays-0": [alice.pk, bob.pk, eve.pk], "plays-1": [charlie.pk]},
    )
    answer = reports(alice, teams, form)
    assert answer.status_code == 400
    assert "A side in Teams has 1 to 2 players. Side 1 has 3." in words(answer)
    assert f'value="{form["client_token"]}"' in answer.content.decode()


def test_a_team_without_a_name_is_reported_by_its_players(
    teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [StartingSide(alice, [alice, bob]), StartingSide(charlie, [charlie, dora])]
    match = start(teams, sides, now=NOW)
    page = words(browser_of(alice).get(f"/matches/{match.pk}/report/"))
    assert "Alice, Bob won" in page
    assert "Charlie, Dora won" in page
