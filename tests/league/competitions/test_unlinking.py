"""Organisers take matches off fixtures that they do not belong to."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Entrant,
    Match,
    Notice,
    Player,
    RatingEvent,
    Roster,
    StaffAction,
    Status,
    User,
)
from league.services.competitions import decisions, linking, progress, unlinking
from league.services.competitions.running import entering, withdrawing
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dates import playing
from league.services.integrity.ratings import verify
from league.services.people import captains
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats, side
from tests.support.competition_steps import (
    START,
    begun,
    crowd,
    date_of,
    fixture_of,
    opened,
    play,
    sides_of,
)
from tests.support.correction_steps import correct
from tests.support.counting_steps import evening, wins
from tests.support.date_steps import steps
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Fixture

pytestmark = pytest.mark.django_db
LATER = START + timedelta(days=6)


def take_off(
    fixture: Fixture, match: Match | None, by: Player, *, reason: str = "A casual game."
) -> None:
    number = match.pk if match else 0
    unlinking.unlink(fixture.pk, number, by=user_of(by), reason=reason, now=LATER)


def offered(fixture: Fixture) -> list[Match]:
    return [match for match, _sides in unlinking.counted(fixture)]


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
    progress.sweep(LATER)
    linking.link(fixture.pk, wrong.pk, by=by, reason="It counts after all.", now=LATER)
    assert wins(fixture.competition, "Bob") == 1


def confirmed(match: Match, by: Player) -> Match:
    return confirm(match.pk, by=by, now=match.reported_at or LATER)


def test_a_match_that_counts_for_nothing_or_another_fixture_is_refused(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    first, other = list(one.fixtures.filter(round__number=1)), fixture_of(one, alice, bob)
    played = first[0]
    match = play(played, None)
    away = next(each for each in one.fixtures.all() if each != played)
    for strange in (None, confirmed(beats(alice, bob, duel, now=LATER), bob)):
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
    captains.announce([(owls, bob)], LATER)
    Roster.objects.filter(pk=owls.pk).update(captain=bob)
    take_off(one.fixtures.get(), Match.objects.get(), olga)
    date = date_of(one.fixtures.get())
    assert {date.proposer, date.opponent} == {bob, charlie}


def test_a_fixture_that_was_decided_is_opened_first(
    fixture: Fixture, bob: Player, olga: Player
) -> None:
    by, match = user_of(olga), play(fixture, bob)
    decisions.decide(fixture.pk, "none", by=by, reason="A mistake.", now=LATER)
    with pytest.raises(Conflict, match="Let its games decide first"):
        take_off(fixture, match, olga)
    decisions.decide(fixture.pk, "", by=by, reason="Opened.", now=LATER)
    take_off(fixture, match, olga)
    progress.sweep(date_of(fixture).play_at)
    assert date_of(fixture).state == Arrangement.State.ACCEPTED


def test_a_side_that_has_withdrawn_plays_no_other_game(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    fixture = one.fixtures.with_sides().filter(round__number=1).get()
    match = play(fixture, None)
    gone = sides_of(fixture)[1]
    withdrawing.withdraw_entrant(gone.pk, by=user_of(olga), reason="Ill.", now=LATER)
    assert Entrant.objects.get(pk=gone.pk).state == Entrant.State.WITHDRAWN
    with pytest.raises(Conflict, match="A side has withdrawn"):
        take_off(fixture, match, olga)


def test_a_competition_that_is_over_keeps_its_table(
    fixture: Fixture, bob: Player, olga: Player
) -> None:
    match = play(fixture, bob)
    progress.sweep(LATER)
    fixture.competition.refresh_from_db()
    assert fixture.competition.state == Competition.State.OVER
    with pytest.raises(Conflict, match="is over"):
        take_off(fixture, match, olga)


def everything_played(one: Competition, number: int, now: datetime) -> None:
    for each in one.fixtures.with_sides().filter(round__number=number, result=""):
        play(each, sides_of(each)[0].player)
    progress.sweep(now)


def test_a_swiss_keeps_the_results_by_which_it_drew_another_round(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "swiss", play={"rounds": 2})
    first, second = one.fixtures.with_sides().filter(round__number=1)
    matches = [play(each, sides_of(each)[0].player) for each in (first, second)]
    take_off(first, matches[0], olga)
    linking.link(first.pk, matches[0].pk, by=user_of(olga), reason="It counts.", now=LATER)
    due = one.rounds.get(number=2).opens_at
    progress.sweep(due)
    assert one.fixtures.filter(round__number=2).exists()
    with pytest.raises(Conflict, match="Later games were drawn or played"):
        take_off(first, matches[0], olga)
    address = reverse("admin:league_fixture_take_off", args=[first.pk])
    answer = browser_of(olga).post(address, {"match": matches[0].pk, "reason": "So."})
    assert "Decide the fixture instead." in words(answer)


def test_groups_keep_the_results_by_which_their_bracket_was_drawn(
    duel: Arena, olga: Player
) -> None:
    one = begun(
        duel, olga, crowd(4), "groups-knockout", play={"groups": 2, "qualify": 1, "legs": 1}
    )
    fixture = one.fixtures.with_sides().filter(round__number=1).first()
    assert fixture
    everything_played(one, 1, LATER)
    assert one.fixtures.filter(round__stage="final").exists()
    with pytest.raises(Conflict, match="Later games"):
        take_off(fixture, offered(fixture)[0], olga)


def test_winners_lose_their_places_until_the_next_fixture_is_played(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"third_place": False})
    first, second = one.fixtures.with_sides().filter(round__stage="winners").order_by("number")
    matches = [play(each, sides_of(each)[0].player) for each in (first, second)]
    progress.sweep(LATER)
    final = one.fixtures.with_sides().get(round__stage="final")
    assert sides_of(final)
    page = browser_of(olga).get(reverse("admin:league_fixture_take_off", args=[first.pk]))
    assert "Both sides lose their places in later rounds." in words(page)
    take_off(first, matches[0], olga)
    progress.sweep(LATER)
    final.refresh_from_db()
    assert (final.home, final.games.count()) == (None, 0)
    assert final.away == sides_of(second)[0]
    linking.link(first.pk, matches[0].pk, by=user_of(olga), reason="It counts.", now=LATER)
    progress.sweep(LATER)
    progress.sweep(final.round.opens_at)
    final = one.fixtures.with_sides().get(pk=final.pk)
    date = date_of(final)
    playing.report(
        date.pk,
        [side(date.proposer, place=0), side(date.opponent, place=1)],
        reporter=date.proposer,
        played_at=date.play_at,
        now=date.play_at,
    )
    with pytest.raises(Conflict, match="Later games"):
        take_off(first, matches[0], olga)


def test_a_bye_that_follows_is_taken_back_unless_a_game_followed_it(
    duel: Arena, olga: Player
) -> None:
    by = user_of(olga)
    one = begun(duel, olga, crowd(8), "single", play={"third_place": False})
    fixtures = one.fixtures.with_sides().order_by("number")
    semi, other, final = fixtures.exclude(home_source="drawn")
    first, second = (fixtures.get(number=number) for number in sources_of(semi))
    match = play(first, sides_of(first)[0].player)
    for each in [second, *(fixtures.get(number=number) for number in sources_of(other))]:
        result = "neither" if each == second else "home"
        decisions.decide(each.pk, result, by=by, reason="Not played.", now=LATER)
    advance_through_byes()
    semi.refresh_from_db()
    assert (semi.home, semi.decided_by) == (sides_of(first)[0], "bye")
    take_off(first, match, olga)
    advance_through_byes()
    semi.refresh_from_db()
    assert (semi.home, semi.result) == (None, "")
    linking.link(first.pk, match.pk, by=by, reason="It counts.", now=LATER)
    advance_through_byes()
    decisions.decide(other.pk, "home", by=by, reason="Not played.", now=LATER)
    advance_through_byes()
    decisions.decide(final.pk, "home", by=by, reason="Not played.", now=LATER)
    with pytest.raises(Conflict, match="Later games"):
        take_off(first, match, olga)


def advance_through_byes() -> None:
    """Process competitions as often as it takes: sides advance one round at a time."""
    while progress.sweep(LATER):
        pass


def sources_of(fixture: Fixture) -> list[int]:
    return [number for number in (fixture.home_source_number, fixture.away_source_number) if number]


def test_a_series_has_one_open_date(duel: Arena, olga: Player, alice: Player, bob: Player) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 3})
    fixture = one.fixtures.with_sides().get()
    match = play(fixture, alice)
    progress.sweep(LATER)
    taken = match.arrangement
    follows = date_of(fixture)
    assert follows != taken
    take_off(fixture, match, olga)
    taken.refresh_from_db()
    assert (taken.match, taken.state) == (None, Arrangement.State.CALLED_OFF)
    assert steps(taken)[-1] == ("cancelled", None)
    assert "no longer needs this game" in words(browser_of(alice).get(taken.get_absolute_url()))
    assert Arrangement.objects.accepted().get() == follows


def test_a_drawn_match_of_a_bracket_no_longer_asks_for_a_winner(
    duel: Arena, olga: Player, alice: Player, bob: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "single")
    fixture = one.fixtures.with_sides().get()
    match = play(fixture, None)
    progress.sweep(LATER)
    fixture.refresh_from_db()
    assert fixture.attention == "drawn"
    take_off(fixture, match, olga)
    fixture.refresh_from_db()
    assert fixture.attention == ""


def test_voiding_the_match_later_changes_no_fixture(
    teams: Arena, owls: Roster, foxes: Roster, olga: Player
) -> None:
    one: Any = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    evening(teams, olga, ("Owls", "Foxes", "2:1"))
    match = Match.objects.get()
    take_off(one.fixtures.get(), match, olga)
    correct(match, user_of(olga))
    assert date_of(one.fixtures.get()).state == Arrangement.State.ACCEPTED
