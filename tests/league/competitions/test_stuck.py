"""Fixtures that nothing would decide any more: staff hear of them, and of no others."""

from datetime import datetime, timedelta

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import decisions, progress
from league.services.competitions.outcomes import games_of, outcome
from league.services.competitions.running import withdrawing
from league.services.dates import no_shows
from tests.support.competition_steps import START, begun, date_of, fixture_of, play, sides_of
from tests.support.correction_steps import correct, undo
from tests.support.result_steps import user_of

DAY, WEEK = timedelta(days=1), timedelta(days=7)
Attention = Fixture.Attention


def again(fixture: Fixture) -> Fixture:
    return Fixture.objects.with_sides().get(pk=fixture.pk)


def result_of(fixture: Fixture) -> str:
    return outcome(again(fixture), games_of([fixture.competition_id])[fixture.pk]).result


def decide(fixture: Fixture, result: str, olga: Player, now: datetime) -> None:
    decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)


def final_of(one: Competition) -> Fixture:
    return one.fixtures.with_sides().get(round__stage="final")


def test_a_match_that_is_voided_after_its_round_is_for_staff(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie])
    fixture = one.fixtures.with_sides().filter(round__number=1).get()
    match = play(fixture, sides_of(fixture)[0].player)
    progress.sweep(START + WEEK)
    assert again(fixture).attention == Attention.NONE
    correct(match, user_of(olga))
    progress.sweep(START + WEEK + DAY)
    assert again(fixture).attention == Attention.UNPLAYED


def test_a_late_report_needs_no_more_attention(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play={"legs": 2})
    fixture = one.fixtures.with_sides().get(number=1)
    progress.sweep(START + WEEK)
    assert again(fixture).attention == Attention.UNPLAYED
    play(fixture, alice)
    progress.sweep(START + WEEK + DAY)
    assert again(fixture).attention == Attention.NONE


def test_a_date_that_staff_set_beyond_the_round_stands(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], dates={"unplayed": "both-lose"})
    fixture = fixture_of(one, alice, bob)
    later = START + 9 * DAY
    decisions.set_date(fixture.pk, later, by=user_of(olga), reason="Storm.", now=START)
    progress.sweep(START + WEEK)
    assert date_of(fixture).state == "accepted"
    play(fixture, alice)
    progress.sweep(START + 10 * DAY)
    one.refresh_from_db()
    assert one.state == one.State.OVER


def test_a_claimed_no_show_is_for_staff_at_the_end_of_the_round(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], dates={"unplayed": "draw"})
    fixture = fixture_of(one, alice, bob)
    no_shows.claim(date_of(fixture).pk, by=alice, now=START + 6 * DAY)
    progress.sweep(START + WEEK)
    assert again(fixture).attention == Attention.UNPLAYED


def test_a_drawn_final_waits_for_staff(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "single")
    play(final_of(one), None)
    progress.sweep(START + 6 * DAY)
    one.refresh_from_db()
    assert (one.state, final_of(one).attention) == (one.State.RUNNING, Attention.DRAWN)
    decide(final_of(one), "home", olga, START + 6 * DAY)
    progress.sweep(START + 6 * DAY)
    one.refresh_from_db()
    assert one.state == one.State.OVER


def test_what_staff_decided_about_a_changed_result_stands(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    for fixture in one.fixtures.filter(home__isnull=False, away__isnull=False):
        decide(fixture, "home", olga, START)
    progress.sweep(START + WEEK)
    play(final_of(one), sides_of(final_of(one))[0].player)
    first = one.fixtures.get(number=1)
    decide(first, "away", olga, START + WEEK)
    progress.sweep(START + WEEK)
    decide(final_of(one), "away", olga, START + WEEK)
    progress.sweep(START + WEEK)
    assert final_of(one).attention == Attention.KEPT


def test_a_result_that_is_corrected_back_needs_no_attention(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    first, second = one.fixtures.filter(round__stage="winners")
    for fixture in (first, second):
        decide(fixture, "home", olga, START)
    progress.sweep(START + WEEK)
    decide(final_of(one), "home", olga, START + WEEK)
    one.refresh_from_db()
    for result, attention in (("away", Attention.FOLLOWED), ("home", Attention.NONE)):
        decide(first, result, olga, START + WEEK)
        progress.sweep(START + WEEK)
        assert final_of(one).attention == attention


def test_a_round_of_a_bracket_waits_for_the_one_before(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    first, second = one.fixtures.filter(round__stage="winners")
    decide(first, "home", olga, START)
    late = START + 3 * WEEK
    progress.sweep(late)
    assert final_of(one).round.opened_at is None
    decide(second, "home", olga, late)
    progress.sweep(late)
    assert date_of(final_of(one)).play_at == late + 5 * DAY
    assert final_of(one).round.closed_at is None


def test_who_withdraws_within_a_series_loses_it(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 3})
    play(final_of(one), alice)
    progress.sweep(START + 6 * DAY)
    withdrawing.withdraw(one.pk, by=bob, now=START + 6 * DAY)
    winner = "home" if sides_of(final_of(one))[0].player == alice else "away"
    assert result_of(final_of(one)) == winner


def test_the_page_of_a_denied_no_show_explains_the_forfeit(
    client: Client, duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    date = date_of(fixture_of(one, alice, bob))
    no_shows.claim(date.pk, by=alice, now=START + 6 * DAY)
    match = no_shows.deny(date.pk, by=bob, reason="I was there.", now=START + 6 * DAY)
    client.force_login(user_of(olga))
    page = client.get(reverse("match_decide", args=[match.pk])).content.decode()
    assert "decide the fixture as a forfeit first" in page


def test_the_second_date_ends_with_an_undone_void(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play={"legs": 2})
    fixture = one.fixtures.with_sides().get(number=1)
    voided = correct(play(fixture, alice), user_of(olga)).correction
    progress.sweep(START + 6 * DAY)
    assert date_of(fixture).state == "accepted"
    assert voided
    undo(voided, user_of(olga))
    progress.sweep(START + 6 * DAY)
    assert date_of(fixture).state == "called_off"


def test_who_has_withdrawn_gets_no_new_date(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play={"legs": 2})
    fixture = one.fixtures.with_sides().get(number=1)
    match = play(fixture, alice)
    withdrawing.withdraw(one.pk, by=bob, now=START + 6 * DAY)
    correct(match, user_of(olga))
    progress.sweep(START + 6 * DAY)
    assert again(fixture).decided_by == Fixture.DecidedBy.WITHDRAWAL


def test_an_idle_competition_costs_few_statements(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob])
    progress.process(one.pk, START)
    with CaptureQueriesContext(connection) as asked:
        assert not progress.process(one.pk, START)
    assert len(asked) <= 10
