"""Live matches count for fixtures once a captain or a game server reports them."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from league.models import (
    Agreement,
    Arena,
    Arrangement,
    ArrangementStep,
    Competition,
    Fixture,
    Match,
    Participant,
    Player,
    Roster,
    RosterMember,
    StaffAction,
    Status,
)
from league.services.competitions import counting_live, decisions, progress
from league.services.competitions.running import entering
from league.services.core.clock import database_now
from league.services.core.errors import Conflict
from league.services.dates import no_shows, scheduled, steps
from league.services.integrity.ratings import verify
from league.services.ladder import challenges
from league.services.ladder import playing as ladder_playing
from league.services.results.reports.answers import confirm, dispute
from league.services.results.reports.live import Finish, StartingSide, finish, start
from league.services.results.staff.decisions import decide
from tests.support.api_steps import by_token
from tests.support.cast import NOW
from tests.support.challenge_steps import ladder_of
from tests.support.competition_steps import START, begun, date_of, opened, sides_of
from tests.support.concurrency import all_at_once
from tests.support.correction_steps import correct
from tests.support.counting_steps import due, wins
from tests.support.date_steps import steps as steps_of
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, confirms, words


def started(where: Arena, *players: Player, now: Any = None, **given: Any) -> Match:
    """Start a match of one against one to which both agreed in the queue."""
    sides = [StartingSide(player, [player]) for player in players]
    given = {"agreed_by": Agreement.READY_CHECK, **given}
    return start(where, sides, now=now or database_now(), **given)


def finishes(reporter: Player, match: Match, now: Any = None) -> Match:
    """Report a live match as won by its first side, for its fixture if there is one."""
    now = now or database_now()
    link = counting_live.linking_by_captain(reporter, now)
    return finish(match.pk, [Finish(0), Finish(1)], reporter=reporter, now=now, link=link)


def address_of(match: Match) -> str:
    return reverse("match_report", args=[match.pk])


@pytest.fixture
def fixture(duel: Arena, alice: Player, bob: Player, olga: Player) -> Fixture:
    return due(begun(duel, olga, [alice, bob]))


def test_a_captain_reports_a_live_match_for_the_fixture(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player
) -> None:
    match = started(duel, bob, alice)
    browser = browser_of(alice)
    page = browser.get(address_of(match))
    assert "Counts for Spring Cup, Round 1" in words(page)
    assert "checked" in str(page.context["form"]["for_fixture"])
    assert "agreed to play this match, so its result counts without an answer" in words(page)
    form = {"outcome": "0", "for_fixture": "on"}
    told = browser.post(address_of(match), form, follow=True)
    assert "It counts for Spring Cup, Round 1." in words(told)
    date = date_of(fixture)
    assert (date.match, date.state) == (match, Arrangement.State.PLAYED)
    assert steps_of(date)[-1] == ("reported", "Alice")
    shown = words(browser_of(bob).get(match.get_absolute_url()))
    assert "If you confirm, this is your result in Spring Cup, Round 1." in shown
    assert wins(fixture.competition, "Bob") == 0
    confirms(bob, match)
    match.refresh_from_db()
    assert match.first_side == ["Bob", "Alice"].index(sides_of(fixture)[0].name)
    assert wins(fixture.competition, "Bob") == 1
    assert verify(duel.seasons.get()) == []


@pytest.mark.parametrize("for_fixture", [True, False, None])
def test_a_program_reports_a_live_match_for_the_fixture(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, *, for_fixture: bool | None
) -> None:
    match = started(duel, bob, alice)
    body: dict[str, Any] = {"sides": [{"place": 0}, {"place": 1}]}
    body |= {} if for_fixture is None else {"for_fixture": for_fixture}
    address = f"/api/v1/matches/{match.pk}/report/"
    answer = by_token(alice).post(address, body, format="json").json()
    counts = for_fixture is not False
    assert (answer["fixture"] is not None) == counts
    confirms(bob, match)
    assert wins(fixture.competition, "Bob") == counts


def test_a_disputed_live_match_counts_as_it_is_decided_until_it_is_voided(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = started(duel, bob, alice)
    now = database_now()
    finishes(bob, match)
    dispute(match.pk, by=alice, reason="I won.", now=now)
    assert (wins(fixture.competition, "Bob"), wins(fixture.competition, "Alice")) == (0, 0)
    decide(
        match.pk,
        verdict=StaffAction.Kind.CORRECTED,
        placings=[(1, None), (0, None)],
        by=user_of(olga),
        reason="Alice won.",
        now=now,
    )
    assert (wins(fixture.competition, "Bob"), wins(fixture.competition, "Alice")) == (0, 1)
    correct(Match.objects.get(), user_of(olga))
    assert wins(fixture.competition, "Alice") == 0
    progress.sweep(now)
    assert date_of(fixture).state == Arrangement.State.ACCEPTED


def test_silence_counts_only_for_those_who_agreed_to_the_match(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player
) -> None:
    match = started(duel, bob, alice, agreed_by=None)
    finishes(bob, match)
    assert date_of(fixture).match == match
    assert not match.sides.exclude(agreed_at=None).exists()


def is_offered(match: Match, fixture: Fixture, by: Player) -> bool:
    """Return whether a match is offered for the fixture; if not, it does not count either."""
    date = date_of(fixture)
    offered = counting_live.open_date_of(match, database_now()) == date
    finishes(by, match)
    date.refresh_from_db()
    assert (date.match == match) == offered
    return offered


def set_date_for_later(fixture: Fixture, bob: Player) -> None:
    later = database_now() + timedelta(hours=1)
    Arrangement.objects.filter(pk=date_of(fixture).pk).update(play_at=later)


def open_round_only_now(fixture: Fixture, bob: Player) -> None:
    now = database_now()
    play_at, closes_at = now + timedelta(days=1), now + timedelta(days=2)
    fixture.competition.rounds.update(
        opens_at=now, opened_at=now, play_at=play_at, closes_at=closes_at
    )


def claim_no_show(fixture: Fixture, bob: Player) -> None:
    no_shows.claim(date_of(fixture).pk, by=bob, now=database_now())


def cancel(fixture: Fixture, bob: Player) -> None:
    Competition.objects.update(state=Competition.State.CANCELLED)


@pytest.mark.parametrize("change", [set_date_for_later, open_round_only_now, claim_no_show, cancel])
def test_a_fixture_that_cannot_be_played_now_is_not_offered(
    duel: Arena,
    fixture: Fixture,
    alice: Player,
    bob: Player,
    change: Callable[[Fixture, Player], None],
) -> None:
    match = started(duel, alice, bob, now=database_now() - timedelta(minutes=1))
    change(fixture, bob)
    assert not is_offered(match, fixture, alice)


def test_a_match_that_began_well_before_the_date_is_not_offered(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player
) -> None:
    """A captain could otherwise keep a match that they are winning until the date is due."""
    play_at = date_of(fixture).play_at
    for minutes in (16, 15):
        match = started(duel, alice, bob, now=play_at - timedelta(minutes=minutes))
        assert is_offered(match, fixture, alice) == (minutes == 15)
        Participant.objects.filter(match=match).update(live=False)


def test_the_other_captain_reads_that_a_fixture_was_passed_over(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = started(duel, bob, alice)
    browser_of(alice).post(address_of(match), {"outcome": "1"})
    assert date_of(fixture).match is None
    page = words(browser_of(bob).get(match.get_absolute_url()))
    assert "It was reported as not counting for" in page
    decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Phoned in.", now=database_now())
    page = words(browser_of(bob).get(match.get_absolute_url()))
    assert "It was reported as not counting for" not in page


@pytest.mark.parametrize("as_home", [True, False])
def test_a_match_with_the_other_side_at_home_is_not_offered(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, *, as_home: bool
) -> None:
    home = ["Alice", "Bob"].index(sides_of(fixture)[0].name)
    match = started(duel, alice, bob, first_side=home if as_home else 1 - home)
    assert is_offered(match, fixture, alice) == as_home
    match.refresh_from_db()
    assert (match.first_side == home) == as_home


def test_a_match_of_others_is_not_offered(
    duel: Arena, fixture: Fixture, alice: Player, charlie: Player
) -> None:
    assert not is_offered(started(duel, alice, charlie), fixture, alice)


def test_a_fixture_with_a_result_is_not_offered(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    finishes(alice, first := started(duel, alice, bob))
    assert date_of(fixture).match == first
    assert not is_offered(started(duel, bob, alice), fixture, alice)
    assert date_of(fixture).match == first


def test_a_fixture_decided_meanwhile_stays_as_it_is(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = started(duel, bob, alice)
    browser = browser_of(alice)
    assert "Counts for" in words(browser.get(address_of(match)))
    decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Phoned in.", now=database_now())
    told = browser.post(address_of(match), {"outcome": "0", "for_fixture": "on"}, follow=True)
    match.refresh_from_db()
    assert (match.status, date_of(fixture).match) == (Status.REPORTED, None)
    assert "It counts for" not in words(told)


@pytest.mark.parametrize("change", ["moved", "claimed", "reported", "called off"])
def test_a_date_that_changes_while_its_lock_is_waited_for_stays_as_it_is(
    duel: Arena,
    fixture: Fixture,
    alice: Player,
    bob: Player,
    monkeypatch: pytest.MonkeyPatch,
    change: str,
) -> None:
    match, date, now = started(duel, bob, alice), date_of(fixture), database_now()

    def locked_late(number: int) -> Arrangement:
        if change == "moved":
            later = now + timedelta(days=1)
            scheduled.set_date(number, later, reason="Phoned in.", now=now)
        elif change == "claimed":
            no_shows.claim(number, by=bob, now=now)
        elif change == "called off":
            scheduled.cancel(number, now)
        else:
            other = Match.objects.create(arena=duel, season=match.season, played_at=now)
            Arrangement.objects.filter(pk=number).update(match=other, state="played")
        return steps.lock(number)

    monkeypatch.setattr(counting_live, "lock", locked_late)
    finishes(alice, match)
    date.refresh_from_db()
    match.refresh_from_db()
    assert (date.match == match, match.first_side) == (False, None)
    assert not date.steps.filter(kind=ArrangementStep.Kind.REPORTED).exists()


def test_the_match_of_a_challenge_is_no_fixture(olga: Player) -> None:
    ladder, (top, low) = ladder_of(["Top", "Low"])
    fixture = due(begun(ladder, olga, [top, low]))
    now = database_now()
    challenge = challenges.challenge(ladder, top, by=low, now=now)
    challenges.accept(challenge.pk, by=top, now=now)
    match = ladder_playing.start(challenge.pk, by=low, now=now)
    assert "Counts for" not in words(browser_of(low).get(address_of(match)))
    assert not is_offered(match, fixture, low)


def test_a_match_of_rosters_counts_if_their_captains_and_members_played(
    teams: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    eve: Player,
    olga: Player,
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    fixture, now = due(one), database_now()

    def live(*mine: Player) -> Match:
        sides = [StartingSide(charlie, [charlie]), StartingSide(mine[0], list(mine))]
        return start(teams, sides, now=now, agreed_by=Agreement.READY_CHECK)

    assert not is_offered(live(bob), fixture, bob)
    assert not is_offered(live(alice, eve), fixture, alice)
    match = live(alice, bob)
    assert is_offered(match, fixture, alice)
    assert set(match.sides.values_list("roster__name", flat=True)) == {"Owls", "Foxes"}
    confirm(match.pk, by=charlie, now=now)
    assert wins(one, "Foxes") == 1
    assert verify(teams.seasons.get()) == []


def test_whoever_leads_a_side_says_which_one_it_is(
    teams: Arena,
    owls: Roster,
    foxes: Roster,
    alice: Player,
    bob: Player,
    charlie: Player,
    dora: Player,
    olga: Player,
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    RosterMember.objects.create(roster=owls, player=charlie)
    RosterMember.objects.create(roster=foxes, player=alice)
    fixture, now = due(one), database_now()
    swapped = [StartingSide(alice, [alice, dora]), StartingSide(charlie, [charlie, bob])]
    assert not is_offered(start(teams, swapped, now=now), fixture, alice)
    match = started(teams, charlie, alice, now=now)
    assert is_offered(match, fixture, alice)
    confirm(match.pk, by=charlie, now=now)
    assert wins(one, "Foxes") == 1


@pytest.mark.django_db(transaction=True)
def test_of_two_captains_who_report_at_once_one_reports_for_the_fixture(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player
) -> None:
    match = started(duel, alice, bob)
    found = all_at_once([lambda: finishes(alice, match), lambda: finishes(bob, match)])
    assert [type(one) for one in found if one != match] == [Conflict]
    assert date_of(fixture).match == match
    assert [kind for kind, _by in steps_of(date_of(fixture))].count("reported") == 1


@pytest.mark.parametrize("is_due", [True, False])
def test_the_match_of_a_game_server_counts_for_a_fixture_whose_date_is_due(
    duel: Arena, alice: Player, bob: Player, olga: Player, *, is_due: bool
) -> None:
    one = begun(duel, olga, [alice, bob])
    fixture = due(one)
    if not is_due:
        later = database_now() + timedelta(days=1)
        Arrangement.objects.filter(pk=date_of(fixture).pk).update(play_at=later)
    server = by_token(olga)
    sides = [{"captain": each.pk, "players": [each.pk]} for each in (bob, alice)]
    address = "/api/v1/arenas/duel/live-matches/"
    started = server.post(address, {"sides": sides}, format="json").json()
    result = {"sides": [{"place": 0}, {"place": 1}]}
    answer = server.post(f"/api/v1/matches/{started['id']}/report/", result, format="json").json()
    assert (answer["status"], answer["fixture"] is not None) == ("rated", is_due)
    assert wins(one, "Bob") == is_due
    assert verify(duel.seasons.get()) == []
