"""Fixtures: moved, forfeited, decided, corrected, voided and not played at all."""

from datetime import timedelta

import pytest

from league.models import Arena, Arrangement, Competition, Fixture, Match, Player, RatingEvent
from league.services.competitions import decisions, progress
from league.services.competitions.outcomes import games_of, outcome
from league.services.competitions.running import withdrawing
from league.services.competitions.standings import competition_tables
from league.services.core.errors import Conflict, Refused
from league.services.dates import changing, no_shows
from tests.support.competition_steps import START, begun, date_of, fixture_of, play, sides_of
from tests.support.result_steps import user_of

DAY, WEEK = timedelta(days=1), timedelta(days=7)


def points(one: Competition) -> dict[str, str]:
    return {
        line.entrant.name: line.points
        for table in competition_tables.read_tables(one)
        for line in table.lines
    }


def result_of(fixture: Fixture) -> tuple[str, str]:
    fixture = Fixture.objects.get(pk=fixture.pk)
    found = outcome(fixture, games_of([fixture.competition_id]).get(fixture.pk, []))
    return found.result, found.by


class TestDates:
    def test_the_default_date_stands_until_both_agree_on_another(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        date = date_of(fixture_of(begun(duel, olga, [alice, bob]), alice, bob))
        assert date.play_at == START + 5 * DAY
        asked = changing.ask_to_move(date.pk, START + 6 * DAY, by=alice, seen=1, now=START)
        changing.agree(date.pk, by=bob, request=asked.request_id or 0, now=START)
        date.refresh_from_db()
        assert (date.play_at, date.moves_left) == (START + 6 * DAY, 1)

    def test_it_cannot_leave_its_round(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        date = date_of(fixture_of(begun(duel, olga, [alice, bob]), alice, bob))
        with pytest.raises(Refused, match="has to be played by"):
            changing.ask_to_move(date.pk, START + 8 * DAY, by=alice, seen=1, now=START)

    def test_it_cannot_be_moved_again_and_again(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, bob], dates={"postponements": 0})
        date = date_of(fixture_of(one, alice, bob))
        with pytest.raises(Conflict, match="moved as often"):
            changing.ask_to_move(date.pk, START + 6 * DAY, by=alice, seen=1, now=START)

    def test_it_cannot_be_called_off(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        date = date_of(fixture_of(begun(duel, olga, [alice, bob]), alice, bob))
        with pytest.raises(Conflict, match="belongs to a fixture"):
            changing.call_off(date.pk, by=alice, seen=1, reason="Ill.", now=START)


class TestForfeits:
    def test_a_no_show_that_is_admitted_moves_no_rating(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, bob])
        fixture = fixture_of(one, alice, bob)
        date = date_of(fixture)
        later = date.play_at + timedelta(hours=1)
        no_shows.claim(date.pk, by=alice, now=later)
        assert no_shows.concede(date.pk, by=bob, now=later) is None
        assert result_of(fixture)[1] == Fixture.DecidedBy.FORFEIT
        assert points(one) == {"Alice": "3", "Bob": "0"}
        assert not RatingEvent.objects.exists()

    def test_staff_decide(self, duel: Arena, alice: Player, bob: Player, olga: Player) -> None:
        one = begun(duel, olga, [alice, bob], table={"forfeit": -1})
        fixture = fixture_of(one, alice, bob)
        wins = "home" if sides_of(fixture)[0].player == alice else "away"
        decisions.decide(
            fixture.pk, wins, by=user_of(olga), reason="Absent.", now=START, forfeit=True
        )
        assert points(one) == {"Alice": "3", "Bob": "-1"}
        assert date_of(fixture).state == Arrangement.State.CALLED_OFF
        decisions.decide(fixture.pk, "", by=user_of(olga), reason="They came.", now=START)
        assert points(one) == {"Alice": "0", "Bob": "0"}


class TestRounds:
    def test_or_lost_for_both(self, duel: Arena, alice: Player, bob: Player, olga: Player) -> None:
        one = begun(duel, olga, [alice, bob], dates={"unplayed": "both-lose"})
        progress.sweep(START + WEEK)
        assert result_of(fixture_of(one, alice, bob))[0] == Fixture.Result.NEITHER
        one.refresh_from_db()
        assert one.state == one.State.OVER


class TestWithdrawals:
    def test_early_ones_are_annulled(
        self, duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, bob, charlie, dora])
        first = one.fixtures.with_sides().filter(round__number=1)
        mine = next(fixture for fixture in first if fixture.side_of(alice))
        play(mine, alice)
        withdrawing.withdraw(one.pk, by=alice, now=START + 6 * DAY)
        assert points(one) == {"Bob": "0", "Charlie": "0", "Dora": "0"}
        assert Match.objects.get().status == "rated"

    def test_late_ones_are_lost(
        self, duel: Arena, alice: Player, bob: Player, olga: Player
    ) -> None:
        one = begun(duel, olga, [alice, bob], play={"legs": 2})
        play(one.fixtures.with_sides().get(number=1), alice)
        withdrawing.withdraw(one.pk, by=alice, now=START + 6 * DAY)
        assert points(one) == {"Alice": "3", "Bob": "3"}
        with pytest.raises(Conflict, match="has withdrawn"):
            withdrawing.withdraw(one.pk, by=alice, now=START + 6 * DAY)
