"""A match is not taken off a fixture from whose result other games follow."""

from datetime import datetime
from typing import Any

import pytest
from django.urls import reverse

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Entrant,
    Fixture,
    Match,
    Notice,
    Player,
    Roster,
)
from league.services.competitions import decisions, linking, progress, unlinking
from league.services.competitions.running import entering, withdrawing
from league.services.core.errors import Conflict
from league.services.dates import playing
from tests.support.cast import NOW, side
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
from tests.support.counting_steps import CORRECTED, evening, take_off
from tests.support.date_steps import steps
from tests.support.result_steps import user_of
from tests.support.web_steps import browser_of, words


@pytest.fixture
def fixture(duel: Arena, alice: Player, bob: Player, olga: Player) -> Fixture:
    return fixture_of(begun(duel, olga, [alice, bob]), alice, bob)


def test_a_fixture_that_was_decided_is_opened_first(
    fixture: Fixture, bob: Player, olga: Player
) -> None:
    by, match = user_of(olga), play(fixture, bob)
    decisions.decide(fixture.pk, "none", by=by, reason="A mistake.", now=CORRECTED)
    with pytest.raises(Conflict, match="Let its games decide first"):
        take_off(fixture, match, olga)
    decisions.decide(fixture.pk, "", by=by, reason="Opened.", now=CORRECTED)
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
    withdrawing.withdraw_entrant(gone.pk, by=user_of(olga), reason="Ill.", now=CORRECTED)
    assert Entrant.objects.get(pk=gone.pk).state == Entrant.State.WITHDRAWN
    with pytest.raises(Conflict, match="A side has withdrawn"):
        take_off(fixture, match, olga)


def test_a_competition_that_is_over_keeps_its_table(
    fixture: Fixture, bob: Player, olga: Player
) -> None:
    match = play(fixture, bob)
    progress.sweep(CORRECTED)
    fixture.competition.refresh_from_db()
    assert fixture.competition.state == Competition.State.OVER
    with pytest.raises(Conflict, match=": over"):
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
    linking.link(first.pk, matches[0].pk, by=user_of(olga), reason="It counts.", now=CORRECTED)
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
    everything_played(one, 1, CORRECTED)
    assert one.fixtures.filter(round__stage="final").exists()
    with pytest.raises(Conflict, match="Later games"):
        take_off(fixture, unlinking.counting_matches(fixture)[0][0], olga)


def test_winners_lose_their_places_until_the_next_fixture_is_played(
    duel: Arena, olga: Player
) -> None:
    one = begun(duel, olga, crowd(4), "single", play={"third_place": False})
    first, second = one.fixtures.with_sides().filter(round__stage="winners").order_by("number")
    matches = [play(each, sides_of(each)[0].player) for each in (first, second)]
    progress.sweep(CORRECTED)
    final = one.fixtures.with_sides().get(round__stage="final")
    assert sides_of(final)
    page = browser_of(olga).get(reverse("admin:league_fixture_take_off", args=[first.pk]))
    assert "Both sides lose their places in later rounds." in words(page)
    take_off(first, matches[0], olga)
    progress.sweep(CORRECTED)
    final.refresh_from_db()
    assert (final.home, final.games.count()) == (None, 0)
    assert final.away == sides_of(second)[0]
    linking.link(first.pk, matches[0].pk, by=user_of(olga), reason="It counts.", now=CORRECTED)
    progress.sweep(CORRECTED)
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
        decisions.decide(each.pk, result, by=by, reason="Not played.", now=CORRECTED)
    advance_through_byes()
    semi.refresh_from_db()
    assert (semi.home, semi.decided_by) == (sides_of(first)[0], "bye")
    take_off(first, match, olga)
    advance_through_byes()
    semi.refresh_from_db()
    assert (semi.home, semi.result) == (None, "")
    linking.link(first.pk, match.pk, by=by, reason="It counts.", now=CORRECTED)
    advance_through_byes()
    decisions.decide(other.pk, "home", by=by, reason="Not played.", now=CORRECTED)
    advance_through_byes()
    decisions.decide(final.pk, "home", by=by, reason="Not played.", now=CORRECTED)
    with pytest.raises(Conflict, match="Later games"):
        take_off(first, match, olga)


def advance_through_byes() -> None:
    """Process competitions as often as it takes: sides advance one round at a time."""
    while progress.sweep(CORRECTED):
        pass


def sources_of(fixture: Fixture) -> list[int]:
    return [number for number in (fixture.home_source_number, fixture.away_source_number) if number]


def test_a_series_has_one_open_date(duel: Arena, olga: Player, alice: Player, bob: Player) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 3})
    fixture = one.fixtures.with_sides().get()
    match = play(fixture, alice)
    progress.sweep(CORRECTED)
    taken = match.arrangement
    follows = date_of(fixture)
    assert follows != taken
    Notice.objects.all().delete()
    take_off(fixture, match, olga)
    taken.refresh_from_db()
    told = Notice.objects.filter(arrangement=taken).values_list("player__name", flat=True)
    assert sorted(told) == ["Alice", "Bob"], "each is told once"
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
    progress.sweep(CORRECTED)
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
