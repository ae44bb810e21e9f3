"""Olga enters the results of a whole evening on one page, and undoes them together."""

from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from league.models import (
    Arena,
    Correction,
    CorrectionKind,
    CorrectionRequest,
    Job,
    Match,
    Objection,
    Player,
    Rating,
    Roster,
    Season,
    StaffAction,
    Status,
    User,
)
from league.services import corrections
from league.services.core.clock import database_now
from league.services.integrity.ratings import verify
from league.services.jobs import jobs
from league.services.ladder import entering
from league.services.results.staff import objections
from league.services.transfer.files import seasons, undoing
from league.work import WORK
from tests.support.admin_steps import FormReader, staff
from tests.support.cast import NOW, arena
from tests.support.correction_steps import correct
from tests.support.imported_histories import stored_history
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

__all__ = ["staff"]

EVENING = [("Alice", "Bob", "3:1"), ("bob", "Charlie", "draw"), ("Charlie", "Alice", "2")]


def page_of(arena: Arena) -> str:
    return reverse("admin:league_arena_evening", args=[arena.pk])


def form(rows: list[tuple[str, str, str]], **more: Any) -> dict[str, Any]:
    first, second, outcome = (list(column) for column in zip(*rows, strict=True))
    return {
        "side_1": first,
        "side_2": second,
        "outcome": outcome,
        "played_at": f"{database_now():%Y-%m-%dT%H:%M}",
        "reason": "Club evening",
        "token": str(uuid4()),
        **more,
    }


def follow(staff: Client, answer: Any) -> Any:
    """Let a worker do the job to which an answer leads, and return the page of its result."""
    job = Job.objects.latest("pk")
    jobs.carry_out(job.pk, WORK, NOW)
    result = reverse("admin:league_arena_evening_of_job", args=[job.pk])
    done = staff.get(answer["Location"])
    assert result in done.content.decode(), words(done)
    return staff.get(result, follow=True)


def test_an_evening_is_tried_saved_and_undone_together(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    page = words(staff.get(page_of(duel)))
    assert "More rows" in page
    before = stored_history(duel.seasons.get())[0]
    sent = form(EVENING)
    trial = words(staff.post(page_of(duel), sent, headers={"HX-Request": "true"}))
    assert "Alice wins: 50 %. Alice" in trial
    assert not Match.objects.exists()
    assert "Alice 1" in words(staff.post(page_of(duel), {**sent, "check": "1"}))

    saved = staff.post(page_of(duel), {**sent, "save": "1"}, follow=True)
    assert "They count from now on" in words(saved)
    assert staff.post(page_of(duel), {**sent, "save": "1"}).status_code == 302
    assert Match.objects.rated().count() == 3
    assert [side.score for side in Match.objects.earliest("id").sides.order_by("index")] == [3, 1]
    assert verify(duel.seasons.get()) == []
    action = StaffAction.objects.get(kind=StaffAction.Kind.EVENING)
    rating = Rating.objects.get(player=alice).rating
    assert f"Alice {rating:.1f}" in trial

    entered = reverse("admin:league_arena_evening_entered", args=[duel.pk, action.pk])
    preview = words(follow(staff, staff.post(entered, {"preview": "1"})))
    assert f"Alice {rating:.0f} –" in preview
    assert "3 players change" in preview
    assert Match.objects.rated().count() == 3
    assert "Give a reason" in words(staff.post(entered, {"undo": "1", "reason": " "}))
    follow(staff, staff.post(entered, {"undo": "1", "reason": "The wrong club"}))
    undone = StaffAction.objects.get(kind=StaffAction.Kind.EVENING, details__undoes=action.pk)
    assert undone.reason == "The wrong club"
    assert set(Match.objects.values_list("status", flat=True)) == {Status.VOID}
    assert stored_history(duel.seasons.get())[0] == before
    assert "Undo the evening" not in words(staff.get(entered))
    assert "has been undone already" in words(staff.post(entered, {"undo": "1", "reason": "So."}))


def test_an_evening_that_is_changed_after_it_was_saved_is_not_said_to_be_entered(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sent = form(EVENING[:1], save="1")
    assert staff.post(page_of(duel), sent).status_code == 302
    changed = form(EVENING[:2], save="1", token=sent["token"], played_at=sent["played_at"])
    page = staff.post(page_of(duel), changed)
    assert "This page was saved before you changed it" in words(page)
    assert Match.objects.count() == 1
    values = form_values(page)
    assert values["token"] not in {"", sent["token"]}
    rest = {**changed, **form(EVENING[1:2], save="1", token=values["token"])}
    assert staff.post(page_of(duel), rest).status_code == 302
    assert Match.objects.count() == 2


def form_values(page: Any) -> dict[str, str]:
    reader = FormReader()
    reader.feed(page.content.decode())
    return reader.values


def test_one_wrong_row_keeps_all_from_being_saved(
    staff: Client, duel: Arena, alice: Player, bob: Player
) -> None:
    for row, sentence in (
        (("Alise", "Bob", "1"), "Nobody is called “Alise”. Did you mean “Alice”?"),
        (("Alice", "Bob", "x9"), "is not a result"),
        (("Alice", "", "1"), "Name both sides"),
        (("Alice", "alice", "1"), "twice"),
        (("Alice", "Bob", "3:"), "is not a result"),
    ):
        answer = words(staff.post(page_of(duel), form([EVENING[0], row], save="1")))
        assert sentence in answer
        assert "Nothing was saved" in answer
    for wrong, sentence in (
        ({"reason": " "}, "Give a reason"),
        ({"played_at": "2999-01-01T10:00"}, "Nothing was saved"),
        ({"played_at": "soon"}, "Give the day and time"),
        ({"side_1": "", "side_2": "", "outcome": ""}, "Enter a result first"),
        ({"token": "x"}, "Open the page again"),
    ):
        assert sentence in words(staff.post(page_of(duel), form(EVENING[:1], save="1", **wrong)))
    assert not Match.objects.exists()


def test_nobody_enters_their_own_match_while_others_can(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    User.objects.filter(player=alice).update(is_staff=True, is_superuser=True)
    user_of(alice)
    answer = words(browser_of(alice).post(page_of(duel), form(EVENING[:1], save="1")))
    assert "You played in this match" in answer
    assert not Match.objects.exists()


def test_teams_are_rosters_or_names(
    staff: Client, teams: Arena, owls: Roster, foxes: Roster, eve: Player
) -> None:
    rows = [("Owls", "foxes", "2:0"), ("Eve", "Charlie", "1")]
    assert staff.post(page_of(teams), form(rows, save="1")).status_code == 302
    first, second = Match.objects.order_by("id")
    assert [side.roster for side in first.sides.order_by("index")] == [owls, foxes]
    assert second.participants.count() == 2


def test_a_free_for_all_is_one_line(
    staff: Client, melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sent = form([("", "", "")], order="Bob = Alice > Charlie", save="1")
    done = staff.post(page_of(melee), sent, follow=True)
    assert "1. Bob, 1. Alice, 3. Charlie" in words(done)
    assert "Bob won" not in words(done)
    sides = Match.objects.get().sides.order_by("index")
    assert [(side.captain.name, side.place) for side in sides] == [
        ("Bob", 0),
        ("Alice", 0),
        ("Charlie", 2),
    ]


@pytest.mark.parametrize(
    ("order", "wanted"),
    [
        ("Bob, Alice, Charlie", {"Bob": 0, "Alice": 1, "Charlie": 2}),
        ("Bob > Alice (DNF) > Dora (dns) > Charlie DSQ", {"Bob": 0, "Alice": 1, "Charlie": 1}),
        ("Dora (DNS), Charlie, Bob (ret), Alice", {"Charlie": 0, "Alice": 1, "Bob": 2}),
        ("Charlie (DNF)\nBob = Alice", {"Bob": 0, "Alice": 0, "Charlie": 2}),
    ],
)
def test_who_did_not_finish_is_last_and_no_new_player(
    staff: Client,
    melee: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    order: str,
    wanted: dict[str, int],
) -> None:
    sent = form([("", "", "")], order=order, save="1", add_players="1")
    assert staff.post(page_of(melee), sent).status_code == 302
    sides = Match.objects.get().sides.all()
    assert {side.captain.name: side.place for side in sides} == wanted


def test_a_name_in_brackets_that_is_no_mark_is_a_name(staff: Client, melee: Arena) -> None:
    order = "Bob (Jr) > Alice (DNF) > Max DNFs"
    sent = form([("", "", "")], order=order, save="1", add_players="1")
    assert staff.post(page_of(melee), sent).status_code == 302
    sides = Match.objects.get().sides.order_by("index")
    assert [side.captain.name for side in sides] == ["Bob (Jr)", "Max DNFs", "Alice"]


def test_a_row_names_whose_chance_it_shows(
    staff: Client, melee: Arena, teams: Arena, owls: Roster, foxes: Roster, charlie: Player
) -> None:
    race = form([("", "", "")], order="Bob > Alice = Charlie", check="1")
    assert "Bob wins: 33 %. " in words(staff.post(page_of(melee), race))
    match = form([("Owls", "Foxes", "2:0")], check="1")
    assert "Owls wins: 50 %. " in words(staff.post(page_of(teams), match))


def test_a_row_says_who_keeps_a_rank(staff: Client, alice: Player, bob: Player) -> None:
    ladder = arena("ladder", rating_system="ladder")
    row = [("Alice", "Bob", "1")]
    assert staff.post(page_of(ladder), form(row, save="1")).status_code == 302
    again = words(staff.post(page_of(ladder), form(row, check="1")))
    assert "Alice stays 1st, Bob stays 2nd" in again


def test_a_row_counts_for_the_challenge_of_its_players(
    staff: Client, olga: Player, alice: Player, bob: Player
) -> None:
    ladder = arena("ladder", rating_system="ladder")
    row = [("Alice", "Bob", "1")]
    assert staff.post(page_of(ladder), form(row, save="1")).status_code == 302
    Player.objects.filter(pk=bob.pk).update(user=None)
    bob.refresh_from_db()
    one = entering.enter(ladder, bob, alice, by=user_of(olga), now=database_now())
    assert staff.post(page_of(ladder), form(row, save="1")).status_code == 302
    one.refresh_from_db()
    assert one.match == Match.objects.latest("pk")


def test_an_evening_undone_by_mistake_counts_again_to_the_bit(
    staff: Client, duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    season = duel.seasons.get()
    staff.post(page_of(duel), {**form(EVENING), "save": "1"})
    staff.post(page_of(duel), {**form([("Dora", "Bob", "1")]), "save": "1"})
    first, second, third = Match.objects.order_by("pk")[:3]
    objections.object_to(second.pk, by=bob, reason="We did not draw", now=NOW)
    before = stored_history(season)
    action = StaffAction.objects.filter(kind=StaffAction.Kind.EVENING).earliest("pk")
    staff.post(
        reverse("admin:league_arena_evening_entered", args=[duel.pk, action.pk]),
        {"undo": "1", "reason": "So."},
    )
    jobs.carry_out(Job.objects.get().pk, WORK, NOW)
    assert Match.objects.rated().count() == 1
    assert not Objection.objects.open().exists()

    void = Correction.objects.get(kind=CorrectionKind.VOID)
    page = reverse("correction_undo", args=[second.pk, void.pk])
    assert page in staff.get(reverse("match", args=[second.pk])).content.decode()
    seen = staff.get(page)
    assert "All 3 matches of this evening become what they were before" in words(seen)
    shown = seen.context["preview"]
    sent = {"reason": "It was right", "digest": shown.digest, "horizon": shown.horizon}
    staff.post(page, sent)
    for request in CorrectionRequest.objects.filter(state="waiting"):
        corrections.carry_out(request.pk, NOW)
    assert stored_history(season) == before
    assert verify(season) == []
    assert Objection.objects.open().get().match == second
    for match in (first, second, third):
        text = words(staff.get(reverse("match", args=[match.pk])))
        assert text.count("It was right") == 1


def test_an_evening_whose_last_match_is_voided_meanwhile_has_nothing_to_undo(
    staff: Client,
    duel: Arena,
    alice: Player,
    bob: Player,
    charlie: Player,
    olga: Player,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    staff.post(page_of(duel), {**form(EVENING[1:]), "save": "1"})
    staff.post(page_of(duel), {**form(EVENING[:1]), "save": "1"})
    action = StaffAction.objects.filter(kind=StaffAction.Kind.EVENING).latest("pk")
    match = Match.objects.latest("pk")
    page = reverse("admin:league_arena_evening_entered", args=[duel.pk, action.pk])
    staff.post(page, {"undo": "1", "reason": "So."})
    lock = seasons.lock_open_season

    def after_a_correction(season: int) -> Season:
        correct(match, user_of(olga))
        return lock(season)

    monkeypatch.setattr(undoing, "lock_open_season", after_a_correction)
    jobs.carry_out(Job.objects.get().pk, WORK, NOW)
    assert Job.objects.get().refusal == "This evening has been undone already."
    assert verify(duel.seasons.get()) == []
