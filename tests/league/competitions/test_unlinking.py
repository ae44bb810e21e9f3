"""Organisers take matches off fixtures that they do not belong to."""

from datetime import timedelta

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    Arrangement,
    Fixture,
    Match,
    Notice,
    Player,
    RatingEvent,
    Roster,
    StaffAction,
    Status,
    User,
)
from league.services.competitions import linking, progress, unlinking
from league.services.competitions.running import entering
from league.services.core.errors import Forbidden, Refused
from league.services.dates import playing
from league.services.integrity.ratings import verify
from league.services.people import captains
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats, side
from tests.support.competition_steps import START, begun, date_of, fixture_of, opened, play
from tests.support.correction_steps import correct
from tests.support.counting_steps import CORRECTED, evening, take_off, wins
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


def offered(fixture: Fixture) -> list[Match]:
    return [match for match, _sides in unlinking.counting_matches(fixture)]


@pytest.fixture
def fixture(duel: Arena, alice: Player, bob: Player, olga: Player) -> Fixture:
    return fixture_of(begun(duel, olga, [alice, bob]), alice, bob)


def test_a_match_counts_no_longer_and_stays_as_it_was_rated(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = play(fixture, bob)
    events = list(RatingEvent.objects.order_by("pk").values())
    Notice.objects.all().delete()
    browser, address = browser_of(olga), reverse("admin:league_fixture_take_off", args=[fixture.pk])
    change = reverse("admin:league_fixture_change", args=[fixture.pk])
    assert address in browser.get(change).content.decode()
    assert address in browser.get(change.replace("change", "match")).content.decode()
    page = words(browser.get(address))
    assert "the fixture waits for a result again. The table changes at once." in page
    assert "The match and its ratings stay" in page
    assert "later rounds" not in page
    assert f"Bob won (match {match.pk})" in page
    answer = browser.post(address, {"match": match.pk, "reason": "A casual game."})
    assert (answer.status_code, answer["Location"]) == (302, change)
    assert wins(fixture.competition, "Bob") == 0
    date = date_of(fixture)
    assert (date.match, date.state) == (None, Arrangement.State.ACCEPTED)
    match.refresh_from_db()
    assert match.status == Status.RATED
    assert list(RatingEvent.objects.order_by("pk").values()) == events
    assert verify(duel.seasons.get()) == []
    action = StaffAction.objects.get(reason="A casual game.")
    assert (action.before, action.after) == ({"match": match.pk}, {"match": None})
    told = Notice.objects.filter(kind="fixture", arrangement=date).values_list("player__name")
    assert sorted(told) == [("Alice",), ("Bob",)]
    assert "A casual game." in words(browser.get(fixture.get_absolute_url()))
    assert address not in browser.get(change).content.decode()
    assert address not in browser.get(change.replace("change", "match")).content.decode()


def test_the_right_match_counts_instead(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    by, wrong = user_of(olga), play(fixture, bob)
    take_off(fixture, wrong, olga)
    date = date_of(fixture)
    match = playing.report(
        date.pk,
        [side(alice, place=0), side(bob, place=1)],
        reporter=alice,
        played_at=date.play_at + timedelta(hours=3),
        now=date.play_at + timedelta(hours=3),
    )
    assert date_of(fixture).match == match
    correct(confirmed(match, bob), by)
    progress.sweep(CORRECTED)
    linking.link(fixture.pk, wrong.pk, by=by, reason="It counts after all.", now=CORRECTED)
    assert wins(fixture.competition, "Bob") == 1


def confirmed(match: Match, by: Player) -> Match:
    return confirm(match.pk, by=by, now=match.reported_at or CORRECTED)


def test_a_match_that_counts_for_nothing_or_another_fixture_is_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    first, other = list(one.fixtures.filter(round__number=1)), fixture_of(one, alice, bob)
    played = first[0]
    match = play(played, None)
    away = next(each for each in one.fixtures.all() if each != played)
    for strange in (None, confirmed(beats(alice, bob, duel, now=CORRECTED), bob)):
        with pytest.raises(Refused, match="no such match" if strange is None else "does not count"):
            take_off(other, strange, olga)
    with pytest.raises(Refused, match="does not count for this fixture"):
        take_off(away, match, olga)
    assert (offered(played), offered(away)) == ([match], [])
    address = reverse("admin:league_fixture_take_off", args=[away.pk])
    browser = browser_of(olga)
    assert "There is no such match now." in words(browser.get(address))
    for nonsense in ("", "-1", "9" * 30, "abc", str(match.pk)):
        answer = browser.post(address, {"match": nonsense, "reason": "So."})
        said = "does not count for this fixture" if nonsense else "Choose a match."
        assert (answer.status_code, said in words(answer)) == (200, True)
    assert date_of(played).match == match


def test_a_match_that_waits_or_is_void_is_refused(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    date = date_of(fixture)
    match = playing.report(
        date.pk,
        [side(alice, place=0), side(bob, place=1)],
        reporter=alice,
        played_at=date.play_at,
        now=date.play_at,
    )
    with pytest.raises(Refused, match="Only a rated match"):
        take_off(fixture, match, olga)
    correct(confirmed(match, bob), user_of(olga))
    with pytest.raises(Refused, match="Only a rated match"):
        take_off(fixture, match, olga)
    assert offered(fixture) == []


def test_there_is_a_reason(fixture: Fixture, bob: Player, olga: Player) -> None:
    match = play(fixture, bob)
    with pytest.raises(Refused, match="Give a reason"):
        take_off(fixture, match, olga, reason=" \x00")
    address = reverse("admin:league_fixture_take_off", args=[fixture.pk])
    assert browser_of(olga).post(address, {"match": match.pk}).status_code == 200
    assert date_of(fixture).match == match


def test_players_and_organisers_who_play_take_nothing_off(
    fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = play(fixture, bob)
    address = reverse("admin:league_fixture_take_off", args=[fixture.pk])
    with pytest.raises(Forbidden, match="Only organisers"):
        take_off(fixture, match, alice)
    User.objects.filter(player=alice).update(is_staff=True, is_superuser=True)
    alice.refresh_from_db()
    with pytest.raises(Forbidden, match="You play in this competition"):
        take_off(fixture, match, alice)
    answer = browser_of(alice).post(address, {"match": match.pk, "reason": "I lost."})
    assert (answer.status_code, date_of(fixture).match) == (403, match)
    take_off(fixture, match, olga)


def test_an_organiser_who_played_as_a_stand_in_takes_nothing_off(
    fixture: Fixture, bob: Player, olga: Player
) -> None:
    match = play(fixture, bob)
    account("Second", superuser=True)
    match.participants.filter(player=bob).update(player=olga)
    with pytest.raises(Forbidden, match="You played in this match"):
        take_off(fixture, match, olga)


def test_the_log_says_if_nobody_else_could_decide(duel: Arena, bob: Player, olga: Player) -> None:
    fixture = fixture_of(begun(duel, olga, [olga, bob]), olga, bob)
    take_off(fixture, play(fixture, bob), olga)
    action = StaffAction.objects.get(reason="A casual game.")
    assert action.details["own_match"] is True


def test_those_who_played_for_others_are_told(
    teams: Arena, owls: Roster, foxes: Roster, eve: Player, olga: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    evening(teams, olga, ("Owls", "Foxes", "2:1"))
    match = Match.objects.get()
    match.participants.filter(player__name="Bob").update(player=eve)
    Notice.objects.all().delete()
    take_off(one.fixtures.get(), match, olga)
    assert set(Notice.objects.values_list("player__name", flat=True)) >= {"Eve", "Bob", "Dora"}


def test_the_date_is_for_the_captain_of_now(
    teams: Arena, owls: Roster, foxes: Roster, bob: Player, charlie: Player, olga: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    evening(teams, olga, ("Owls", "Foxes", "2:1"))
    captains.announce([(owls, bob)], CORRECTED)
    Roster.objects.filter(pk=owls.pk).update(captain=bob)
    take_off(one.fixtures.get(), Match.objects.get(), olga)
    date = date_of(one.fixtures.get())
    assert {date.proposer, date.opponent} == {bob, charlie}
