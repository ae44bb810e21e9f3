"""Calendars of players, teams and competitions, read by a parser that is not ours."""

from datetime import datetime, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext, override_settings
from django.urls import reverse
from django.utils import timezone
from icalendar import Calendar, Event

from league.models import Arena, Competition, Fixture, Player, Team
from league.services.competitions import decisions, progress
from league.services.competitions.exports import calendars
from league.services.dates import changing
from league.services.dates.calendars import event_of, to_ics
from league.services.dates.proposals import propose
from tests.support.cast import roster
from tests.support.competition_steps import START, begun, crowd, date_of, fixture_of
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of

DAY = timedelta(days=1)


@pytest.fixture
def trio(duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player) -> Competition:
    """A table of three, so that each round has one fixture."""
    return begun(duel, olga, [alice, bob, charlie])


def events(content: bytes) -> list[Event]:
    file = Calendar.from_ical(content)
    return [one for one in file.events if isinstance(one, Event)]


def own(player: Player) -> list[Event]:
    return events(calendars.own_calendar(player, START, str))


def summaries(found: list[Event]) -> list[tuple[str, str]]:
    return sorted((str(one["SUMMARY"]), str(one["STATUS"])) for one in found)


def test_a_player_sees_dates_and_fixtures_to_come(trio: Competition) -> None:
    first = trio.fixtures.with_sides().get(round__number=1)
    assert first.home
    found = own(first.home.captain)
    assert [str(one["STATUS"]) for one in found] == ["CONFIRMED", "TENTATIVE"]
    assert len({str(one["UID"]) for one in found}) == 2
    assert all(first.home.name in str(one["SUMMARY"]) for one in found)


def test_a_competition_has_all_its_fixtures(trio: Competition) -> None:
    answer = Client().get(reverse("competition_calendar", args=["duel", trio.pk]))
    assert answer.headers["Content-Type"] == "text/calendar; charset=utf-8"
    Fixture.objects.filter(round__number=3).update(
        result="home", decided_by="staff", decided_at=START
    )
    file = calendars.competition_calendar(trio, START, str)
    assert len(events(file)) == 2
    assert Calendar.from_ical(file)["X-WR-CALNAME"] == "Spring Cup (Duel)"


@override_settings(SITE_URL="https://league.example:8443")
def test_a_fixture_between_others_is_another_event_of_this_site(trio: Competition) -> None:
    def second() -> str:
        ids = [str(one["UID"]) for one in of(trio)]
        [found] = [each for each in ids if each.startswith(f"fixture-{fixture.pk}-")]
        return found

    fixture = trio.fixtures.get(round__number=2)
    before = second()
    assert before.endswith("@league.example")
    Fixture.objects.filter(pk=fixture.pk).update(home=fixture.away, away=fixture.home)
    assert second() != before


def test_the_venue_of_a_fixture_is_its_location(trio: Competition, olga: Player) -> None:
    assert not any("LOCATION" in one for one in of(trio))
    Fixture.objects.filter(round__number__lt=3).update(venue="Sports hall; court 2, left")
    found = {str(one["STATUS"]): str(one.get("LOCATION", "")) for one in of(trio)[:2]}
    hall = "Sports hall; court 2, left"
    assert found == {"CONFIRMED": hall, "TENTATIVE": hall}
    date = date_of(trio.fixtures.get(round__number=1))
    [alone] = events(to_ics([event_of(date, "")]))
    assert str(alone["LOCATION"]) == hall


def of(one: Competition, now: datetime = START) -> list[Event]:
    return events(calendars.competition_calendar(one, now, str))


def test_a_round_that_waits_past_its_time_is_left_out(trio: Competition) -> None:
    assert len(of(trio)) == 3
    second = trio.rounds.get(number=2)
    assert len(of(trio, second.play_at)) == 2


def test_it_follows_moves_and_cancellations(
    trio: Competition, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    first = trio.fixtures.with_sides().get(round__number=1)
    assert first.home
    assert first.away
    home, away = first.home.captain, first.away.captain
    date = date_of(first)
    before = next(one for one in own(home) if str(one["UID"]) == str(date.uid))
    asked = changing.ask_to_move(date.pk, START + 6 * DAY, by=home, seen=1, now=START)
    changing.agree(date.pk, by=away, request=asked.request_id or 0, now=START + DAY)
    moved = next(one for one in own(home) if str(one["UID"]) == str(date.uid))
    assert START + 6 * DAY == moved.DTSTART
    assert int(str(moved["SEQUENCE"])) == int(str(before["SEQUENCE"])) + 1
    assert moved.DTSTAMP > before.DTSTAMP
    decisions.decide(first.pk, "home", by=user_of(olga), reason="Ill.", now=START + DAY)
    ended = next(one for one in own(home) if str(one["UID"]) == str(date.uid))
    assert str(ended["STATUS"]) == "CANCELLED"
    assert int(str(ended["SEQUENCE"])) == int(str(moved["SEQUENCE"])) + 1


def test_times_to_be_agreed_are_in_ones_own_calendar_only(
    duel: Arena, alice: Player, charlie: Player, bob: Player
) -> None:
    now = timezone.now()
    propose(duel, charlie, now + DAY, by=alice, now=now)
    for player in (alice, charlie):
        found = events(calendars.own_calendar(player, now, str))
        assert summaries(found) == [("Alice against Charlie (Duel)", "TENTATIVE")]
    assert events(calendars.own_calendar(bob, now, str)) == []


def test_a_team_has_the_dates_of_its_rosters(
    teams: Arena, alice: Player, bob: Player, charlie: Player, eve: Player
) -> None:
    now = timezone.now()
    owls, foxes = roster(teams, "Owls", alice, bob), roster(teams, "Foxes", charlie, eve)
    team = Team.objects.create(name="Night Owls", tag="OWL", created_at=now)
    owls.team = team
    owls.save()
    date = propose(teams, charlie, now + DAY, by=alice, now=now, roster=owls, opponent_roster=foxes)
    assert summaries(events(calendars.own_calendar(bob, now, str)))[0][1] == "TENTATIVE"
    assert events(calendars.team_calendar(team, now, str)) == []
    type(date).objects.update(state="accepted", accepted_at=now, answered_at=now)
    answer = Client().get(reverse("team_calendar", args=[team.pk]))
    assert summaries(events(answer.content)) == [("Owls against Foxes (Teams)", "CONFIRMED")]


def test_a_renewed_address_replaces_the_one_before(alice: Player) -> None:
    browser, anybody = browser_of(alice), Client()
    old = reverse("own_calendar", args=[calendars.token_of(alice)])
    assert old in browser.get(reverse("calendar_settings")).content.decode()
    assert anybody.get(old).status_code == 200
    assert "no-store" in anybody.get(old).headers["Cache-Control"]
    browser.post(reverse("calendar_settings"))
    assert anybody.get(old).status_code == 400
    new = reverse("own_calendar", args=[calendars.token_of(alice)])
    assert anybody.get(new).status_code == 200


def test_an_address_ends_with_the_account_of_its_player(alice: Player, bob: Player) -> None:
    old = reverse("own_calendar", args=[calendars.token_of(alice)])
    users = alice.user_id, bob.user_id
    Player.objects.filter(pk=bob.pk).update(user=None)
    Player.objects.filter(pk=alice.pk).update(user=users[1])
    assert Client().get(old).status_code == 400
    alice.refresh_from_db()
    new = reverse("own_calendar", args=[calendars.token_of(alice)])
    assert Client().get(new).status_code == 200


@pytest.mark.parametrize("token", ["x", "WzEsMF0:forged", "ImEi:b", "é"])
def test_forged_addresses_are_refused(alice: Player, token: str) -> None:
    assert Client().get(reverse("own_calendar", args=[token])).status_code == 400


def test_a_signed_token_of_another_shape_is_refused(db: None) -> None:
    for content in (1, [1], [1, 2], [1, 2, 3], [1, 2, 3, 4], ["a", 0, 0], [1, None, 0], None):
        token = calendars.SIGNER.sign_object(content)
        assert Client().get(reverse("own_calendar", args=[token])).status_code == 400


def test_the_number_of_statements_does_not_grow(
    duel: Arena, alice: Player, bob: Player, charlie: Player, eve: Player, olga: Player
) -> None:
    counts = []
    for players in ([alice, bob], [alice, bob, charlie, eve]):
        one = begun(duel, olga, players)
        with CaptureQueriesContext(connection) as seen:
            own(alice)
        counts.append(len(seen))
        Competition.objects.filter(pk=one.pk).update(name=f"Cup {len(players)}")
    assert counts == [2, 2]


def test_fixture_of_two_is_confirmed(duel: Arena, alice: Player, bob: Player, olga: Player) -> None:
    fixture = fixture_of(begun(duel, olga, [alice, bob]), alice, bob)
    assert [str(one["UID"]) for one in own(bob)] == [str(date_of(fixture).uid)]


def test_the_next_game_of_a_bracket_is_in_the_calendar_before_its_opponent_is_known(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single")
    first = one.fixtures.with_sides().get(number=1)
    assert first.home
    assert len(own(first.home.captain)) == 1
    decisions.decide(first.pk, "home", by=user_of(olga), reason="Ill.", now=START)
    progress.process(one.pk, START)
    name = first.home.name
    found = [str(event["SUMMARY"]) for event in own(first.home.captain)]
    assert found[-1].startswith(f"{name} against winner of 2 (")
    assert first.away
    assert not any("winner of 2" in str(event["SUMMARY"]) for event in own(first.away.captain))
