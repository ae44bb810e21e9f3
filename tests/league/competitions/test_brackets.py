"""Brackets: winners advance, byes, withdrawals, series, and results that change afterwards."""

from datetime import datetime, timedelta

from django.test import Client

from league.models import Arena, Competition, Fixture, Player
from league.services.competitions import decisions, pages, progress
from league.services.competitions.outcomes import games_of, outcomes
from league.services.competitions.running import withdrawing
from tests.support.competition_steps import START, begun, crowd, play, sides_of
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)


def decide_all(one: Competition, olga: Player, now: datetime) -> int:
    """Let the better seed win everything that can be decided. Return how many were."""
    fixtures = list(one.fixtures.with_sides())
    ended = outcomes(fixtures, games_of([one.pk]))
    ready = [f for f in fixtures if f.home and f.away and not ended[f.pk].is_decided]
    for fixture in ready:
        home, away = (side.seed or 0 for side in sides_of(fixture))
        better = "home" if home < away else "away"
        decisions.decide(fixture.pk, better, by=user_of(olga), reason="Test.", now=now)
    return len(ready)


class TestTheSecondFinal:
    """Player 1 comes from the winners' bracket."""

    def final(self, one: Competition, number: int) -> Fixture:
        return one.fixtures.with_sides().get(round__stage="final", round__number=number)

    def reached(self, duel: Arena, olga: Player, **rules: bool) -> Competition:
        """A double elimination of four of which only the finals are left."""
        one = begun(duel, olga, crowd(4), "double", play=rules)
        for week in range(5):
            if one.fixtures.filter(round__stage="final", round__number=1, away=None).exists():
                progress.sweep(START + week * WEEK)
                decide_all(one, olga, START + week * WEEK)
                progress.sweep(START + week * WEEK)
        return one

    def decide(self, one: Competition, number: int, result: str, olga: Player) -> None:
        fixture = self.final(one, number)
        now = START + 6 * WEEK
        decisions.decide(fixture.pk, result, by=user_of(olga), reason="Test.", now=now)
        progress.sweep(now)
        one.refresh_from_db()

    def test_is_not_played_if_the_undefeated_win(self, duel: Arena, olga: Player) -> None:
        one = self.reached(duel, olga)
        assert self.final(one, 2).home is None
        self.decide(one, 1, "home", olga)
        assert (one.state, self.final(one, 2).result) == (one.State.OVER, Fixture.Result.NONE)
        assert pages.load(one).winner == self.final(one, 1).home

    def test_is_played_if_both_have_lost_once(self, duel: Arena, olga: Player) -> None:
        one = self.reached(duel, olga)
        self.decide(one, 1, "away", olga)
        first, second = self.final(one, 1), self.final(one, 2)
        assert (second.home, second.away) == (first.away, first.home)
        assert one.state == one.State.RUNNING
        self.decide(one, 2, "away", olga)
        assert (one.state, pages.load(one).winner) == (one.State.OVER, first.home)

    def test_follows_a_changed_result_of_the_first(self, duel: Arena, olga: Player) -> None:
        one = self.reached(duel, olga)
        self.decide(one, 1, "away", olga)
        Fixture.objects.filter(pk=self.final(one, 1).pk).update(result="home")
        progress.process(one.pk, START + 6 * WEEK)
        second = self.final(one, 2)
        assert (second.home, second.result) == (None, Fixture.Result.NONE)
        Competition.objects.update(state="running", over_at=None, final=None)
        Fixture.objects.filter(pk=self.final(one, 1).pk).update(result="away")
        progress.process(one.pk, START + 6 * WEEK)
        second = self.final(one, 2)
        assert second.home
        assert (second.result, second.home) == (Fixture.Result.OPEN, self.final(one, 1).away)

    def test_that_was_played_is_for_staff_if_the_first_changes(
        self, duel: Arena, olga: Player
    ) -> None:
        one = self.reached(duel, olga)
        self.decide(one, 1, "away", olga)
        second = self.final(one, 2)
        Fixture.objects.filter(pk=second.pk).update(
            result="home", decided_by="staff", decided_at=START
        )
        Fixture.objects.filter(pk=self.final(one, 1).pk).update(result="home")
        progress.process(one.pk, START + 6 * WEEK)
        assert self.final(one, 2).attention == Fixture.Attention.FOLLOWED

    def test_can_be_switched_off(self, duel: Arena, olga: Player, client: Client) -> None:
        one = self.reached(duel, olga, second_final=False)
        assert one.rounds.filter(stage="final").count() == 1
        page = client.get(one.get_absolute_url()).content.decode()
        assert "There is one final" in page
        self.decide(one, 1, "away", olga)
        assert one.state == one.State.OVER

    def test_has_a_winner_without_a_game_if_nobody_else_came(
        self, duel: Arena, olga: Player, client: Client
    ) -> None:
        one = self.reached(duel, olga)
        needless = self.final(one, 2)
        needless.result, needless.decided_by = Fixture.Result.NONE, Fixture.DecidedBy.BYE
        needless.decided_at = START
        needless.save()
        assert "Not needed" in client.get(one.get_absolute_url()).content.decode()
        Fixture.objects.filter(pk=needless.pk).update(result="home")
        assert "Not needed" not in client.get(one.get_absolute_url()).content.decode()


def test_rounds_have_their_names(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(9), "single", play={"third_place": True})
    names = [each.name for each in pages.load(one).bracket]
    assert names == ["Round 1", "Quarter-finals", "Semi-finals", "Third place", "Final"]


def test_a_series_ends_once_it_is_decided(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "single", play={"best_of": 3})
    fixture = one.fixtures.with_sides().get()
    match = play(fixture, alice)
    assert match.settled_at
    progress.sweep(match.settled_at)
    assert fixture.games.count() == 2
    play(fixture, alice)
    progress.sweep(START + 6 * timedelta(days=1))
    one.refresh_from_db()
    assert (fixture.games.count(), one.state) == (2, one.State.OVER)


def test_the_opponent_of_somebody_who_withdrew_advances(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    withdrawing.withdraw(one.pk, by=alice, now=START)
    progress.sweep(START)
    final = one.fixtures.with_sides().get(round__stage="final")
    [advanced] = [side for side in (final.home, final.away) if side]
    assert advanced.player != alice


def test_another_result_replaces_who_has_not_played_on(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, charlie, dora], "single")
    first = one.fixtures.with_sides().get(number=1)
    for result, side in (("home", first.home), ("away", first.away)):
        decisions.decide(first.pk, result, by=user_of(olga), reason="Test.", now=START)
        progress.sweep(START)
        final = one.fixtures.with_sides().get(round__stage="final")
        assert side in (final.home, final.away)


def test_groups_lead_to_a_bracket(duel: Arena, olga: Player) -> None:
    one = begun(duel, olga, crowd(7), "groups-knockout", play={"groups": 2, "qualify": 2})
    assert sorted(one.entrants.values_list("group", flat=True), key=str) == [0, 0, 0, 1, 1, 1, 1]
    for week in range(3):
        progress.sweep(START + week * WEEK)
        decide_all(one, olga, START + week * WEEK)
    progress.sweep(START + 4 * WEEK)
    assert one.fixtures.filter(round__stage="winners").count() == 2
    progress.sweep(START + 4 * WEEK)
    decide_all(one, olga, START + 4 * WEEK)
    progress.sweep(START + 5 * WEEK)
    decide_all(one, olga, START + 5 * WEEK)
    progress.sweep(START + 6 * WEEK)
    one.refresh_from_db()
    assert one.state == one.State.OVER
