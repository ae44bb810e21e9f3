"""Organisers count matches that are rated already for fixtures."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    Arrangement,
    Challenge,
    Competition,
    Fixture,
    Match,
    Notice,
    Player,
    StaffAction,
    User,
)
from league.services.competitions import decisions, linking, progress
from league.services.competitions.running import entering
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.seasons.opening import open_season
from tests.support.cast import NOW, account, beats, roster
from tests.support.competition_steps import (
    START,
    begun,
    date_of,
    fixture_of,
    opened,
    play,
    sides_of,
)
from tests.support.correction_steps import correct
from tests.support.counting_steps import evening, wins
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of

LATER = START + timedelta(days=2)


def rated(winner: Player, loser: Player, where: Arena, **given: Any) -> Match:
    match = beats(winner, loser, where, **{"now": LATER, **given})
    return confirm(match.pk, by=loser, now=match.reported_at or LATER)


def link(fixture: Fixture, match: Match, by: Player, reason: str = "Reported elsewhere.") -> None:
    linking.link(fixture.pk, match.pk, by=user_of(by), reason=reason, now=LATER)


def offered(fixture: Fixture, by: Player) -> list[Match]:
    return [match for match, _sides in linking.candidates(fixture, user_of(by))]


@pytest.fixture
def fixture(duel: Arena, alice: Player, bob: Player, olga: Player) -> Fixture:
    return fixture_of(begun(duel, olga, [alice, bob]), alice, bob)


def test_a_rated_match_counts_at_once(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = rated(bob, alice, duel)
    assert wins(fixture.competition, "Bob") == 0
    browser, address = browser_of(olga), reverse("admin:league_fixture_match", args=[fixture.pk])
    change = reverse("admin:league_fixture_change", args=[fixture.pk])
    assert address in browser.get(change).content.decode()
    page = browser.get(address).content.decode()
    assert f"Bob – Alice, Bob won (match {match.pk})" in page
    answer = browser.post(address, {"match": match.pk, "reason": "Reported elsewhere."})
    assert answer.status_code == 302
    assert wins(fixture.competition, "Bob") == 1
    date = date_of(fixture)
    assert (date.match, date.state) == (match, "played")
    action = StaffAction.objects.get(reason="Reported elsewhere.")
    assert action.after == {"match": match.pk}
    assert Notice.objects.filter(player=alice, kind="fixture", arrangement=date).exists()
    assert verify(duel.seasons.get()) == []
    assert "Reported elsewhere." in browser.get(fixture.get_absolute_url()).content.decode()


def test_it_can_be_decided_otherwise_and_opened_again(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = rated(bob, alice, duel)
    link(fixture, match, olga)
    by = user_of(olga)
    decisions.decide(fixture.pk, "none", by=by, reason="A mistake.", now=LATER)
    assert wins(fixture.competition, "Bob") == 0
    decisions.decide(fixture.pk, "", by=by, reason="It counts.", now=LATER)
    assert wins(fixture.competition, "Bob") == 1
    correct(match, by)
    assert wins(fixture.competition, "Bob") == 0
    progress.sweep(LATER)
    assert date_of(fixture).state == Arrangement.State.ACCEPTED


def of_another_season(duel: Arena, fixture: Fixture, alice: Player, bob: Player) -> Match:
    match = rated(alice, bob, duel)
    duel.seasons.update(ends_at=LATER)
    season = open_season(duel, starts_at=LATER)
    Competition.objects.filter(pk=fixture.competition_id).update(season=season)
    return match


def of_a_challenge(duel: Arena, fixture: Fixture, alice: Player, bob: Player) -> Match:
    match = rated(alice, bob, duel)
    Challenge.objects.create(
        season=match.season,
        challenger=bob,
        challenged=alice,
        state=Challenge.State.ACCEPTED,
        made_at=START,
        answer_by=LATER,
        accepted_at=START,
        play_by=LATER,
        match=match,
    )
    return match


def voided(duel: Arena, fixture: Fixture, alice: Player, bob: Player) -> Match:
    match = rated(alice, bob, duel)
    correct(match, user_of(account("Boss", superuser=True)))
    return match


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (lambda duel, _, alice, __: rated(alice, account("Eve"), duel), "between the two sides"),
        (lambda duel, _, alice, bob: beats(alice, bob, duel, now=LATER), "Only a rated match"),
        (lambda duel, _, alice, bob: rated(alice, bob, duel, now=START), "before the round"),
        (voided, "Only a rated match"),
        (of_another_season, "not played in the season"),
        (of_a_challenge, "played for a challenge"),
    ],
)
def test_other_matches_are_neither_offered_nor_linked(
    duel: Arena, alice: Player, bob: Player, olga: Player, made: Any, message: str
) -> None:
    one = begun(duel, olga, [alice, bob])
    match = made(duel, fixture_of(one, alice, bob), alice, bob)
    fixture = fixture_of(one, alice, bob)
    with pytest.raises(Refused, match=message):
        link(fixture, match, olga)
    assert offered(fixture, olga) == []


def test_a_match_counts_once(duel: Arena, alice: Player, bob: Player, olga: Player) -> None:
    one = begun(duel, olga, [alice, bob], play={"legs": 2})
    first, second = one.fixtures.order_by("number")
    match = play(first, alice)
    progress.sweep(second.round.opens_at)
    second.refresh_from_db()
    with pytest.raises(Refused, match="already belongs to a date"):
        link(second, match, olga)
    assert offered(second, olga) == []
    with pytest.raises(Conflict, match="not waiting for a result"):
        link(first, rated(bob, alice, duel, now=second.round.opens_at + timedelta(days=1)), olga)


def test_a_match_with_the_other_side_at_home_is_refused(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = rated(alice, bob, duel)
    guest = match.sides.exclude(captain=sides_of(fixture)[0].player).get().index
    Match.objects.filter(pk=match.pk).update(first_side=guest)
    with pytest.raises(Refused, match="other side was at home"):
        link(fixture, match, olga)


def test_a_page_without_a_match_to_count_says_so(fixture: Fixture, olga: Player) -> None:
    address = reverse("admin:league_fixture_match", args=[fixture.pk])
    browser = browser_of(olga)
    assert "There is no such match now." in browser.get(address).content.decode()
    for nonsense in ("", "-1", "9" * 30, "abc"):
        answer = browser.post(address, {"match": nonsense, "reason": "So."})
        said = "cannot count for this fixture" if nonsense else "Choose a match."
        assert said in answer.content.decode()


def test_there_is_a_reason_and_a_match(fixture: Fixture, olga: Player) -> None:
    with pytest.raises(Refused, match="Give a reason"):
        linking.link(fixture.pk, 0, by=user_of(olga), reason=" ", now=LATER)
    with pytest.raises(Refused, match="no such match"):
        linking.link(fixture.pk, 0, by=user_of(olga), reason="So.", now=LATER)


def test_players_and_organisers_who_play_link_nothing(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = rated(bob, alice, duel)
    with pytest.raises(Forbidden, match="Only organisers"):
        link(fixture, match, alice)
    User.objects.filter(player=alice).update(is_staff=True, is_superuser=True)
    alice.refresh_from_db()
    with pytest.raises(Forbidden, match="You play in this competition"):
        link(fixture, match, alice)
    assert offered(fixture, alice) == []
    link(fixture, match, olga)


def test_an_organiser_who_played_as_a_stand_in_links_nothing(
    teams: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    """They play in the match, though not in the competition."""
    one = opened(teams, olga)
    for each in (roster(teams, "Owls", alice), roster(teams, "Foxes", bob)):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    fixture = one.fixtures.get()
    evening(teams, olga, ("Alice", "Bob", "2:1"), for_fixtures=False)
    match = Match.objects.get()
    account("Second", superuser=True)
    side = match.sides.get(captain=alice)
    side.captain = olga
    side.save()
    with pytest.raises(Forbidden, match="You played in this match"):
        link(fixture, match, olga)


def test_the_log_says_if_nobody_else_could_decide(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [olga, bob])
    match = rated(olga, bob, duel)
    link(fixture_of(one, olga, bob), match, olga)
    action = StaffAction.objects.get(reason="Reported elsewhere.")
    assert action.details["own_match"] is True


def test_the_captains_of_the_fixture_lead_a_match_of_their_rosters(
    teams: Arena, owls: Any, foxes: Any, olga: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    progress.sweep(START)
    evening(teams, olga, ("Dora", "Bob", "2:1"), for_fixtures=False)
    match = Match.objects.get()
    link(one.fixtures.get(), match, olga)
    assert wins(one, "Foxes") == 1
    assert verify(teams.seasons.get()) == []


def test_a_competition_that_is_over_keeps_its_table(
    duel: Arena, fixture: Fixture, alice: Player, bob: Player, olga: Player
) -> None:
    match = rated(bob, alice, duel)
    Competition.objects.update(state=Competition.State.CANCELLED)
    with pytest.raises(Conflict):
        link(fixture, match, olga)
