"""Objections on the pages, in the admin and through the API."""

from datetime import timedelta

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Match, Objection, Player, Season, StaffAction, Status
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.results.rules import limits
from league.services.results.staff.objections import object_to
from league.services.seasons.ending import end, freeze_early
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW
from tests.support.correction_steps import correct
from tests.support.result_steps import user_of
from tests.support.season_steps import win
from tests.support.web_steps import browser_of, words

WRONG = {"reason": "<b>It</b> was a draw."}


@pytest.fixture
def rated_match(duel: Arena, alice: Player, charlie: Player) -> Match:
    """Alice beat Charlie just now, by the real clock."""
    return win(duel, alice, charlie, now=database_now())


@pytest.fixture
def match_with_objection(rated_match: Match, charlie: Player) -> Match:
    return object_to(rated_match.pk, by=charlie, reason="It was a draw.", now=database_now())


def objecting(match: Match) -> str:
    return reverse("match_object", args=[match.pk])


def test_charlie_objects_on_the_match_page(
    rated_match: Match, alice: Player, charlie: Player, eve: Player
) -> None:
    address = rated_match.get_absolute_url()
    for reader in (alice, charlie):
        page = words(browser_of(reader).get(address))
        assert "Everyone who played can object until" in page
        assert "Object to this result" in page
    for browser in (browser_of(eve), Client()):
        page = words(browser.get(address))
        assert "Everyone who played can object until" in page
        assert "Object to this result" not in page

    done = browser_of(charlie).post(objecting(rated_match), WRONG, follow=True)
    assert "Sent. The result counts until staff have decided." in words(done)
    assert "&lt;b&gt;It&lt;/b&gt; was a draw." in done.content.decode()
    for browser in (browser_of(alice), browser_of(eve), Client()):
        page = words(browser.get(address))
        assert "rated objected to" in page
        assert "Charlie objected to it" in page
        assert "Charlie objected to the rated result" in page
        assert "It counts until staff have decided." in page
        assert "Everyone who played can object" not in page
        assert "Object to this result" not in page
    page = words(browser_of(alice).get(address))
    assert "Everyone who played can write until" in page
    assert "Everyone who played and staff can read it." in page
    assert "disputes the result of your match" in words(browser_of(alice).get(reverse("inbox")))


def test_the_page_says_why_an_objection_is_refused(
    rated_match: Match, alice: Player, charlie: Player, eve: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty = browser_of(charlie).post(objecting(rated_match), {"reason": " "})
    assert (empty.status_code, "Describe what is wrong with the result." in words(empty)) == (
        400,
        True,
    )
    long = browser_of(charlie).post(objecting(rated_match), {"reason": "x" * 2_001})
    assert (long.status_code, "at most 2000 characters" in words(long)) == (400, True)
    stranger = browser_of(eve).post(objecting(rated_match), WRONG)
    assert (stranger.status_code, "Only players of this match" in words(stranger)) == (403, True)
    monkeypatch.setattr(limits, "MOST_OPEN_OBJECTIONS", 0)
    many = browser_of(charlie).post(objecting(rated_match), WRONG)
    assert many.status_code == 429
    assert "of yours wait for staff" in words(many)
    assert WRONG["reason"] in many.context["objection_form"]["reason"].value()
    monkeypatch.undo()
    assert not Objection.objects.exists()

    browser_of(charlie).post(objecting(rated_match), WRONG)
    again = browser_of(alice).post(objecting(rated_match), WRONG)
    assert (again.status_code, "Charlie has already objected" in words(again)) == (409, True)
    assert Objection.objects.count() == 1
    assert browser_of(alice).get(objecting(rated_match)).status_code == 302
    assert browser_of(alice).post(reverse("match_object", args=[0]), WRONG).status_code == 404


def test_an_old_result_says_nothing_of_objections(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    old = win(duel, alice, charlie, now=database_now() - timedelta(days=3))
    page = words(browser_of(charlie).get(old.get_absolute_url()))
    assert "object" not in page
    late = browser_of(charlie).post(objecting(old), WRONG)
    assert (late.status_code, "The time to object to this result is over." in words(late)) == (
        409,
        True,
    )
    missing = browser_of(charlie).post(objecting(old), {})
    assert (missing.status_code, "Describe what is wrong" in words(missing)) == (400, True)


def test_olga_rejects_an_objection_on_the_page(
    match_with_objection: Match, alice: Player, charlie: Player, olga: Player
) -> None:
    staff, address = browser_of(olga), reverse("objection_reject", args=[match_with_objection.pk])
    assert "Decide the objection as staff" in words(
        staff.get(match_with_objection.get_absolute_url())
    )
    assert "Decide the objection" not in words(
        browser_of(alice).get(match_with_objection.get_absolute_url())
    )
    page = words(staff.get(reverse("match_correct", args=[match_with_objection.pk])))
    assert "Reject the objection" in page
    assert "It was a draw." in page
    missing = staff.post(address, {})
    assert missing.status_code == 400
    assert "Give a reason. Both sides will read it." in words(missing)
    assert missing.context["form"].errors == {}
    done = staff.post(address, {"rejection-reason": "The replay shows it."}, follow=True)
    assert "Rejected. Both sides can read your reason." in words(done)
    for reader in (alice, charlie):
        page = words(browser_of(reader).get(match_with_objection.get_absolute_url()))
        assert "rejected an objection" in page
        assert "The replay shows it." in page
        assert "objected to it" not in page
        assert "Staff decided your match" in words(browser_of(reader).get(reverse("inbox")))
    again = staff.post(address, {"rejection-reason": "No."})
    assert (again.status_code, "No objection to this result" in words(again)) == (409, True)
    blank = staff.post(address, {})
    assert (blank.status_code, "Give a reason" in words(blank)) == (400, True)
    assert staff.get(address).status_code == 302


def test_olga_grants_an_objection_by_a_correction(
    match_with_objection: Match, alice: Player, olga: Player
) -> None:
    staff, address = browser_of(olga), reverse("match_correct", args=[match_with_objection.pk])
    chosen = {"verdict": "voided", "reason": "It was never played."}
    preview = staff.post(address, chosen)
    assert "would move" in words(preview)
    assert "Reject the objection" in words(preview)
    seen = preview.context["preview"]
    apply = {**chosen, "digest": seen.digest, "horizon": seen.horizon, "apply": "1"}
    done = staff.post(address, apply, follow=True)
    assert "Corrected. Everyone can read your reason." in words(done)
    assert "It was a draw." in words(done)
    assert "It was never played." in words(done)
    assert "objected to it" not in words(done)
    assert Objection.objects.get().state == "corrected"
    assert Match.objects.get(pk=match_with_objection.pk).status == Status.VOID
    assert verify(match_with_objection.season) == []
    assert "Staff voided your match" in words(browser_of(alice).get(reverse("inbox")))


def test_staff_find_objections_among_the_decisions(
    match_with_objection: Match, duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    other = win(duel, alice, charlie, now=database_now())
    staff = browser_of(olga)
    front = staff.get("/admin/")
    assert "1 objection to a result" in words(front)
    assert "?waits=objections" in front.content.decode()
    waiting = staff.get(reverse("admin:league_match_changelist"), {"decision": "waiting"})
    assert list(waiting.context["cl"].result_list) == [match_with_objection]
    assert reverse("match_correct", args=[match_with_objection.pk]) in waiting.content.decode()
    everything = staff.get(reverse("admin:league_match_changelist"))
    assert set(everything.context["cl"].result_list) == {match_with_objection, other}
    for match, sentence in (
        (match_with_objection, "Decide the objection"),
        (other, "Void or correct this"),
    ):
        page = staff.get(reverse("admin:league_match_change", args=[match.pk]))
        assert sentence in words(page)
    season = duel.seasons.get()
    ending = reverse("admin:league_arena_end_season", args=[duel.pk, season.pk])
    assert "1 objection to a rated result waits for staff." in words(staff.get(ending))


def test_the_history_tells_that_the_season_ended_an_objection(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    now = database_now()
    match = win(duel, alice, charlie, now=now - timedelta(hours=1))
    object_to(match.pk, by=charlie, reason="It was a draw.", now=now - timedelta(minutes=50))
    season: Season = duel.seasons.get()
    end(season.pk, now=now - timedelta(minutes=40))
    assert freeze_early(season.pk, now=now)
    page = words(browser_of(charlie).get(match.get_absolute_url()))
    assert "The season was archived before staff decided the objection" in page
    assert "objected to it" not in page
    assert "before staff decided the objection" in words(browser_of(alice).get(reverse("inbox")))
    gone = browser_of(olga).post(
        reverse("objection_reject", args=[match.pk]), {"rejection-reason": "Late."}
    )
    assert (gone.status_code, "archived" in words(gone)) == (409, True)


def test_programs_object_and_reject(
    rated_match: Match, alice: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    address = f"/api/v1/matches/{rated_match.pk}/"
    fresh = Client().get(address).json()
    assert fresh["objections"] == []
    assert fresh["objections_until"] > fresh["settled_at"]
    for reason in ("", " ", "x" * 2_001, None, "\x00"):
        wrong = send(by_token(charlie), f"{address}objection/", {"reason": reason})
        assert wrong.status_code == 400
        assert fields_at_fault(wrong) == {"reason"}
    assert send(by_token(eve), f"{address}objection/", WRONG).status_code == 403
    made = send(by_token(charlie), f"{address}objection/", WRONG)
    assert made.status_code == 200
    (objection,) = made.json()["objections"]
    assert (objection["player"]["name"], objection["side"]) == ("Charlie", 1)
    assert (objection["reason"], objection["state"], objection["closed_at"]) == (
        WRONG["reason"],
        "open",
        None,
    )
    again = send(by_token(alice), f"{address}objection/", WRONG)
    assert (again.status_code, again.json()["code"]) == (409, "objected")

    said = send(by_token(alice), f"{address}messages/", {"text": "I won."})
    assert said.status_code == 201
    assert len(by_token(charlie).get(f"{address}messages/").json()["results"]) == 1
    assert by_token(eve).get(f"{address}messages/").status_code == 403

    answer = {"reason": "The replay shows it."}
    assert send(by_token(alice), f"{address}objection/rejection/", answer).status_code == 403
    done = send(by_token(olga), f"{address}objection/rejection/", answer).json()
    assert done["objections"][0]["state"] == "rejected"
    assert done["decisions"] == [
        {
            "kind": "rejected",
            "reason": answer["reason"],
            "at": done["objections"][0]["closed_at"],
            "own_match": False,
        }
    ]
    late = send(by_token(olga), f"{address}objection/rejection/", answer)
    assert (late.status_code, late.json()["code"]) == (409, "no_objection")


def test_a_corrected_result_shows_no_window_to_programs(rated_match: Match, olga: Player) -> None:
    correct(rated_match, user_of(olga), [(1, None), (0, None)])
    assert Client().get(f"/api/v1/matches/{rated_match.pk}/").json()["objections_until"] is None
    assert "can object" not in words(Client().get(rated_match.get_absolute_url()))


def test_rejecting_is_no_verdict_about_a_report(
    duel: Arena, alice: Player, charlie: Player, olga: Player
) -> None:
    match = win(duel, alice, charlie, now=NOW)
    wrong = send(
        by_token(olga),
        f"/api/v1/matches/{match.pk}/decision/",
        {"verdict": StaffAction.Kind.REJECTED, "reason": "No."},
    )
    assert wrong.status_code == 400
    assert fields_at_fault(wrong) == {"verdict"}
