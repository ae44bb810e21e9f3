"""Correcting rated results on the pages and through the API."""

import re
from typing import Any

import pytest
from django.urls import reverse

from league import tasks
from league.models import Arena, Correction, CorrectionRequest, Match, Player, Rating
from league.services.corrections import requests
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from tests.support.api_steps import by_token, fields_at_fault, send
from tests.support.cast import NOW, beats, side
from tests.support.competition_steps import begun, fixture_of, play
from tests.support.point_steps import plays, with_points
from tests.support.result_steps import rules
from tests.support.web_steps import browser_of, words

VOID = {"verdict": "voided", "reason": "Charlie was asleep."}


@pytest.fixture
def mistake(duel: Arena, alice: Player, bob: Player, charlie: Player) -> Match:
    """Alice beat Charlie, and lost to Bob afterwards."""
    match = confirm(beats(alice, charlie, duel).pk, by=charlie, now=NOW)
    confirm(beats(bob, alice, duel).pk, by=alice, now=NOW)
    return match


def form_after(page: Any, **fields: str) -> dict[str, str]:
    """The second step of the form with its hidden fields."""
    hidden = re.findall(
        r'type="hidden" name="(digest|horizon)" value="(\w+)"', page.content.decode()
    )
    return {**fields, **dict(hidden), "apply": "1"}


def test_olga_previews_and_voids_a_result(mistake: Match, olga: Player, alice: Player) -> None:
    staff, address = browser_of(olga), reverse("match_correct", args=[mistake.pk])
    assert "Void or correct this result as staff" in words(staff.get(mistake.get_absolute_url()))
    assert "Void or correct" not in words(browser_of(alice).get(mistake.get_absolute_url()))
    before = list(Rating.objects.order_by("pk").values_list("rating", flat=True))

    page = staff.post(address, VOID)
    assert "3 players would move" in words(page)
    assert "1 later match would be rated again" in words(page)
    assert list(Rating.objects.order_by("pk").values_list("rating", flat=True)) == before

    done = staff.post(address, form_after(page, **VOID), follow=True)
    assert "Corrected. Everyone can read your reason." in words(done)
    assert "Charlie was asleep." in words(done)
    assert "Rating changes before corrections" in words(done)
    assert verify(mistake.season) == []
    again = staff.post(address, form_after(page, **VOID))
    assert (again.status_code, "already void" in words(again)) == (409, True)


def test_olga_corrects_a_result(mistake: Match, olga: Player, charlie: Player) -> None:
    staff, address = browser_of(olga), reverse("match_correct", args=[mistake.pk])
    true = {"verdict": "corrected", "reason": "The replay shows it.", "outcome": "1"}
    missing = staff.post(address, {**true, "reason": ""})
    assert (missing.status_code, "Give a reason" in words(missing)) == (400, True)
    same = staff.post(address, {**true, "outcome": "0"})
    assert (same.status_code, "already the result that counts" in words(same)) == (400, True)
    staff.post(address, form_after(staff.post(address, true), **true))
    assert Rating.objects.get(player=charlie).rating > 1200
    assert verify(mistake.season) == []


def test_the_preview_names_the_competition_whose_table_changes(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    match = play(fixture_of(one, alice, bob), alice)
    address = reverse("match_correct", args=[match.pk])
    page = words(browser_of(olga).post(address, VOID))
    assert "The result counts for Spring Cup, Round 1. The table or bracket there" in page


def test_a_correction_without_a_preview_is_refused(mistake: Match, olga: Player) -> None:
    address = reverse("match_correct", args=[mistake.pk])
    page = browser_of(olga).post(address, {**VOID, "apply": "1"}, follow=True)
    assert "Nothing was changed. The effect has changed" in words(page)
    assert not Correction.objects.exists()


def test_a_worker_makes_a_long_correction_while_the_page_polls(
    mistake: Match, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(requests, "MOST_AT_ONCE", 1)
    staff, address = browser_of(olga), reverse("match_correct", args=[mistake.pk])
    page = staff.post(address, form_after(staff.post(address, VOID), **VOID), follow=True)
    assert "Rating the matches again" in words(page)
    (asked,) = CorrectionRequest.objects.all()
    assert tasks.carry_out_corrections() == 1
    assert tasks.carry_out_corrections() == 0
    status = reverse("match_correction", args=[mistake.pk, asked.pk])
    part = staff.get(status, headers={"hx-request": "true"})
    assert "Done. 3 players moved" in words(part)
    assert "hx-trigger" not in part.content.decode()
    assert verify(mistake.season) == []


def test_olga_previews_and_corrects_through_the_api(mistake: Match, olga: Player) -> None:
    program, address = by_token(olga), f"/api/v1/matches/{mistake.pk}/"
    seen = send(program, f"{address}correction-preview/", {}).json()
    assert (seen["players"], seen["matches"], len(seen["movements"])) == (3, 1, 3)
    wanted = {"reason": "Asleep", "digest": seen["digest"], "horizon": seen["horizon"]}
    made = send(program, f"{address}corrections/", wanted)
    assert (made.status_code, made.json()["state"]) == (202, "done")
    assert made.json()["correction"]["players"] == 3
    told = program.get(f"{address}corrections/{made.json()['id']}/").json()
    assert told == made.json()
    assert program.get(address).json()["status"] == "void"
    late = send(program, f"{address}correction-preview/", {})
    assert (late.status_code, late.json()["code"]) == (409, "not_rated")


def test_scores_that_contradict_the_places_are_refused_beside_their_field(
    mistake: Match, duel: Arena, olga: Player
) -> None:
    staff, address = browser_of(olga), reverse("match_correct", args=[mistake.pk])
    wrong = {
        "verdict": "corrected",
        "reason": "The replay shows it.",
        "outcome": "1",
        "score-0": "3",
        "score-1": "1",
    }
    page = staff.post(address, wrong)
    assert page.status_code == 400
    assert "here the higher score wins" in page.context["form"].errors["score-1"][0]
    assert page.context["form"].non_field_errors() == []

    rules(duel, scores="lower")
    assert "score-1" not in staff.post(address, wrong).context["form"].errors
    rules(duel, scores="free")
    assert staff.post(address, {**wrong, "outcome": "0"}).status_code == 200


def test_the_preview_writes_lost_points_with_a_minus_sign(
    alice: Player, bob: Player, olga: Player
) -> None:
    match = plays(with_points(), side(alice, place=0, score=9), side(bob, place=1, score=2))
    seen = browser_of(olga).post(reverse("match_correct", args=[match.pk]), VOID)
    assert "Bob −1 none" in words(seen)


def test_void_is_never_preselected(mistake: Match, olga: Player) -> None:
    page = browser_of(olga).get(reverse("match_correct", args=[mistake.pk]))
    first, *others = re.findall(r'<input type="radio" name="verdict"[^>]*>', page.content.decode())
    assert 'value="corrected"' in first
    assert not any("checked" in other for other in others)
    decide = reverse("match_decide", args=[mistake.pk])
    assert 'value="voided" checked' not in browser_of(olga).get(decide).content.decode()


def test_olga_undoes_a_void(mistake: Match, olga: Player, alice: Player) -> None:
    staff, address = browser_of(olga), reverse("match_correct", args=[mistake.pk])
    staff.post(address, form_after(staff.post(address, VOID), **VOID))
    made = Correction.objects.get()
    page = staff.get(mistake.get_absolute_url())
    undo = reverse("correction_undo", args=[mistake.pk, made.pk])
    assert undo in page.content.decode()
    assert "Undo the void as staff" in words(page)
    assert "Undo" not in words(browser_of(alice).get(mistake.get_absolute_url()))
    assert (
        undo in staff.get(reverse("admin:league_match_change", args=[mistake.pk])).content.decode()
    )

    seen = staff.get(undo)
    assert "3 players would move" in words(seen)
    assert "Charlie none" in words(seen)
    assert "Charlie was asleep." in words(seen)
    hidden = form_after(seen)
    without = staff.post(undo, hidden)
    assert (without.status_code, "Give a reason" in words(without)) == (400, True)
    done = staff.post(undo, {**form_after(without), "reason": "He was awake."}, follow=True)
    assert "Undone. Everyone can read your reason." in words(done)
    assert "Olga: undid a correction" in words(done)
    assert "He was awake." in words(done)
    assert "Undo the undo as staff" in words(done)
    assert verify(mistake.season) == []
    late = staff.get(undo)
    assert (late.status_code, "already been undone" in words(late)) == (409, True)
    redo = reverse("correction_undo", args=[mistake.pk, Correction.objects.latest("pk").pk])
    staff.post(redo, {**form_after(staff.get(redo)), "reason": "No."})
    mistake.refresh_from_db()
    assert mistake.status == "void"
    assert verify(mistake.season) == []


def test_the_api_names_the_score_at_fault(mistake: Match, olga: Player) -> None:
    wrong = [{"place": 1, "score": 3}, {"place": 0, "score": 1}]
    address = f"/api/v1/matches/{mistake.pk}/"
    for last, more in (
        ("correction-preview/", {}),
        ("corrections/", {"reason": "Replay", "digest": "none", "horizon": 0}),
    ):
        answer = send(by_token(olga), address + last, {"placings": wrong, **more})
        assert answer.status_code == 400
        assert fields_at_fault(answer) == {"placings.1.score"}
    assert not CorrectionRequest.objects.exists()
