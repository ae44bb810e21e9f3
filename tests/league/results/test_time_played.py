"""Where time decides what a quit costs, reports say how long players played."""

from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse

from league.models import Arena, Match, Participant, Player, RatingEvent, Status
from league.services.core.errors import Refused
from league.services.core.types import PlayedBy, ReportedSide
from league.services.dishonor import abandons
from league.services.integrity.ratings import verify
from league.services.results.reports import changing, live, reporting
from league.services.results.reports.answers import answer_claim, confirm, confirm_expired
from league.services.results.reports.live import Finish, StartingSide
from league.services.results.staff import entering
from tests.support.api_steps import by_token, fields_at_fault
from tests.support.cast import NOW, arena, roster
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, result_form, words

SECONDS = dict[str, float | None]


@pytest.fixture
def wagers(alice: Player, bob: Player, charlie: Player, dora: Player) -> Arena:
    made = arena("wagers", rating_system="wager", team_size_min=2, team_size_max=2)
    roster(made, "Owls", alice, bob)
    roster(made, "Foxes", charlie, dora)
    return made


def team(captain: Player, mate: Player, place: int, **mates: Any) -> ReportedSide:
    return ReportedSide(captain, [PlayedBy(captain), PlayedBy(mate, **mates)], place)


def reports(arena: Arena, sides: Sequence[ReportedSide], **more: Any) -> Match:
    given = {"played_at": NOW, "now": NOW, "client_token": uuid4(), **more}
    return reporting.report(arena, sides, reporter=sides[0].captain, **given)


def seconds_in(match: Match) -> SECONDS:
    return dict(Participant.objects.filter(match=match).values_list("player__name", "seconds"))


def time_factors(match: Match) -> dict[str, float]:
    events = RatingEvent.objects.filter(match=match).select_related("player")
    return {event.player.name: event.why["time_factor"] for event in events}


def test_the_time_of_a_player_who_quit_is_required(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    with pytest.raises(Refused, match="Enter how long Bob played") as refusal:
        reports(wagers, [team(alice, bob, 0, quit=True), team(charlie, dora, 1)])
    assert refusal.value.field == "sides.0.participants.1.seconds"
    with pytest.raises(Refused, match="Enter how long the match was") as refusal:
        reports(wagers, [team(alice, bob, 0, quit=True, seconds=300), team(charlie, dora, 1)])
    assert refusal.value.field == "sides.0.participants.0.seconds"
    assert not Match.objects.exists()


def test_those_who_stayed_played_to_the_end_and_the_quit_changes_what_is_at_stake(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [
        team(alice, bob, 0, quit=True, seconds=300),
        team(charlie, dora, 1, seconds=900),
    ]
    match = reports(wagers, sides)
    assert seconds_in(match) == {"Alice": 900, "Bob": 300, "Charlie": 900, "Dora": 900}
    assert confirm(match.pk, by=charlie, now=NOW).status == Status.REPORTED
    match = answer_claim(match.pk, by=bob, left=True, now=NOW)
    factors = time_factors(match)
    assert factors["Alice"] == pytest.approx(1800 / 1200)
    assert factors["Charlie"] == pytest.approx(1800 / 1200)
    assert verify(wagers.seasons.get()) == []


def test_without_a_quitter_or_in_other_systems_no_time_is_asked_for(
    wagers: Arena, teams: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = reports(wagers, [team(alice, bob, 0), team(charlie, dora, 1)])
    assert set(seconds_in(match).values()) == {None}
    roster(teams, "Owls", alice, bob)
    roster(teams, "Foxes", charlie, dora)
    match = reports(teams, [team(alice, bob, 0, quit=True), team(charlie, dora, 1)])
    assert set(seconds_in(match).values()) == {None}


def test_a_report_of_only_quitters_needs_no_more_than_their_times(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    sides = [
        ReportedSide(one, [PlayedBy(one, 60, quit=True), PlayedBy(mate, 90, quit=True)], place)
        for place, (one, mate) in enumerate([(alice, bob), (charlie, dora)])
    ]
    assert seconds_in(reports(wagers, sides))["Alice"] == 60


def live_match(arena: Arena, *teams: tuple[Player, Player]) -> Match:
    return live.start(arena, [StartingSide(one, [one, mate]) for one, mate in teams], now=NOW)


def test_live_matches_know_how_long_everybody_played(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = live_match(wagers, (alice, bob), (charlie, dora))
    abandons.leave(match.pk, by=bob, now=NOW + timedelta(minutes=5))
    later = NOW + timedelta(minutes=15)
    live.finish(match.pk, [Finish(0), Finish(1)], reporter=alice, now=later)
    assert seconds_in(match) == {"Alice": 900, "Bob": 300, "Charlie": 900, "Dora": 900}
    confirm(match.pk, by=charlie, now=later)
    assert time_factors(match)["Alice"] == pytest.approx(1800 / 1200)


def test_a_quit_that_a_live_match_does_not_know_needs_its_time(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = live_match(wagers, (alice, bob), (charlie, dora))
    left = [Finish(0, played=[PlayedBy(bob, quit=True)]), Finish(1)]
    with pytest.raises(Refused, match="Enter how long Bob played"):
        live.finish(match.pk, left, reporter=alice, now=NOW)
    match.refresh_from_db()
    assert match.status == "live"
    assert not match.participants.filter(quit=True).exists()


def test_organisers_and_changed_reports_need_the_time_too(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    sides = [team(alice, bob, 0, quit=True), team(charlie, dora, 1)]
    with pytest.raises(Refused, match="Enter how long Bob played"):
        entering.enter(wagers, sides, by=user_of(olga), reason="Final", played_at=NOW, now=NOW)
    match = reports(wagers, [team(alice, bob, 0), team(charlie, dora, 1)])
    changed = [Finish(0, played=[PlayedBy(bob, quit=True)]), Finish(1)]
    with pytest.raises(Refused, match="Enter how long Bob played"):
        changing.change(match.pk, changed, by=alice, now=NOW)
    known = [PlayedBy(bob, 60, quit=True), PlayedBy(alice, 120)]
    changing.change(match.pk, [Finish(0, played=known), Finish(1)], by=alice, now=NOW)
    assert seconds_in(match) == {"Alice": 120, "Bob": 60, "Charlie": 120, "Dora": 120}


def test_the_form_marks_the_field_of_the_player(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    form = result_form("Foxes", roster=wagers.rosters.get(name="Owls").pk)
    form[f"quit-{bob.pk}"] = "on"
    where = reverse("report", args=["wagers"])
    page = browser_of(alice).post(where, form)
    assert page.status_code == 400
    assert page.context["form"].errors.keys() == {f"seconds-{bob.pk}"}
    assert "Enter how long Bob played. It decides what the quit costs." in words(page)
    form |= {f"seconds-{bob.pk}": 60, f"seconds-{dora.pk}": 90}
    browser_of(alice).post(where, form)
    assert seconds_in(Match.objects.get())["Charlie"] == 90


def test_the_api_names_the_field(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    def side(captain: Player, mate: Player, place: int, **more: Any) -> dict[str, Any]:
        parts = [{"player": captain.pk}, {"player": mate.pk, **more}]
        return {"captain": captain.pk, "participants": parts, "place": place}

    body = {
        "sides": [side(alice, bob, 0), side(charlie, dora, 1, quit=True)],
        "played_at": "2026-03-01T12:00:00Z",
    }
    answer = by_token(alice).post("/api/v1/arenas/wagers/reports/", body, format="json")
    assert answer.status_code == 400
    assert fields_at_fault(answer) == {"sides.1.participants.1.seconds"}


def test_the_field_is_that_of_the_report_even_if_it_names_only_some_players(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    match = live_match(wagers, (alice, bob), (charlie, dora))
    sides: list[dict[str, Any]] = [
        {"place": 0},
        {"place": 1, "participants": [{"player": dora.pk, "quit": True}]},
    ]
    where = f"/api/v1/matches/{match.pk}/report/"
    answer = by_token(alice).post(where, {"sides": sides}, format="json")
    assert fields_at_fault(answer) == {"sides.1.participants.0.seconds"}
    sides[1] = {"place": 1}
    by_token(alice).post(where, {"sides": sides}, format="json")
    sides[1] = {"place": 1, "participants": [{"player": dora.pk, "quit": True}]}
    answer = by_token(alice).post(
        f"/api/v1/matches/{match.pk}/change/", {"sides": sides}, format="json"
    )
    assert fields_at_fault(answer) == {"sides.1.participants.0.seconds"}


def test_a_claim_that_is_struck_out_takes_its_time_with_it(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """Alice says that Dora left. Dora's side lets the report of an agreed match lapse in silence,
    so nobody has confirmed the claim."""
    match = live_match(wagers, (alice, bob), (charlie, dora))
    match.sides.update(agreed_at=NOW, agreed_by="date")
    finishes = [
        Finish(0, played=[PlayedBy(alice, 900)]),
        Finish(1, played=[PlayedBy(dora, 10, quit=True)]),
    ]
    live.finish(match.pk, finishes, reporter=alice, now=NOW)
    match.refresh_from_db()
    assert match.confirm_deadline
    confirm_expired(match.confirm_deadline + timedelta(seconds=1))
    match.refresh_from_db()
    assert match.status == "rated"
    part = match.participants.get(player=dora)
    assert (part.quit, part.seconds) == (False, None)
    assert set(time_factors(match).values()) == {1.0}
    assert verify(wagers.seasons.get()) == []


def test_a_false_claim_does_not_cancel_what_a_real_quit_costs(
    wagers: Arena, alice: Player, bob: Player, charlie: Player, dora: Player
) -> None:
    """Alice's mate Bob left after 300 of 900 seconds, and she claims that Dora did after 10."""
    match = live_match(wagers, (alice, bob), (charlie, dora))
    match.sides.update(agreed_at=NOW, agreed_by="date")
    finishes = [
        Finish(1, played=[PlayedBy(alice, 900), PlayedBy(bob, 300, quit=True)]),
        Finish(0, played=[PlayedBy(dora, 10, quit=True)]),
    ]
    abandons.leave(match.pk, by=bob, now=NOW)
    live.finish(match.pk, finishes, reporter=alice, now=NOW)
    match.refresh_from_db()
    assert match.confirm_deadline
    confirm_expired(match.confirm_deadline + timedelta(seconds=1))
    assert seconds_in(match) == {"Alice": 900, "Bob": 300, "Charlie": 900, "Dora": 900}
    assert not match.participants.get(player=dora).quit
    assert time_factors(match) == pytest.approx(
        {"Alice": 2 / 3, "Bob": 1.0, "Charlie": 2 / 3, "Dora": 2 / 3}
    )
    assert verify(wagers.seasons.get()) == []
