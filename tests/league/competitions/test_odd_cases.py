"""Own fixtures, rosters that change hands, drafts called off, and one broken competition."""

from datetime import timedelta

import pytest

from league.models import Arena, Competition, Entrant, Player, Roster
from league.services.competitions import decisions, pages, progress
from league.services.competitions.locking import lock
from league.services.competitions.running import entering, starting, withdrawing
from league.services.competitions.standings import promotions
from league.services.core.errors import Conflict, Forbidden, Refused
from tests.support.cast import NOW, account
from tests.support.competition_steps import START, begun, competition, enter, fixture_of, opened
from tests.support.result_steps import user_of

WEEK = timedelta(days=7)


def test_organisers_who_play_decide_no_fixture_if_others_can(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob, olga])
    mine, rivals = fixture_of(one, alice, olga), fixture_of(one, alice, bob)
    decisions.keep(mine.pk, by=user_of(olga), reason="Nobody else can.", now=START)
    oskar = account("Oskar", superuser=True)
    for fixture in (mine, rivals):
        with pytest.raises(Forbidden, match="You play in this competition"):
            decisions.decide(fixture.pk, "home", by=user_of(olga), reason="Mine.", now=START)
        with pytest.raises(Forbidden, match="You play in this competition"):
            decisions.set_date(
                fixture.pk, START + WEEK, by=user_of(olga), reason="Mine.", now=START
            )
        with pytest.raises(Forbidden, match="You play in this competition"):
            decisions.keep(fixture.pk, by=user_of(olga), reason="Mine.", now=START)
    decisions.decide(mine.pk, "home", by=user_of(oskar), reason="Theirs.", now=START)


def test_organisers_who_play_take_nobody_else_out_and_cancel_nothing(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    account("Oskar", superuser=True)
    one = begun(duel, olga, [alice, bob, olga])
    hers, mine = (one.entrants.get(player=player) for player in (alice, olga))
    with pytest.raises(Forbidden, match="Ask another organiser to withdraw them"):
        withdrawing.withdraw_entrant(hers.pk, by=user_of(olga), reason="Rival.", now=START)
    with pytest.raises(Forbidden, match="Ask another organiser to cancel"):
        starting.cancel(one.pk, by=user_of(olga), reason="I lose.", now=START)
    withdrawing.withdraw_entrant(mine.pk, by=user_of(olga), reason="I am ill.", now=START)
    assert not Entrant.objects.get(pk=hers.pk).withdrawn_at


def test_one_broken_competition_does_not_stop_the_others(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    broken = begun(duel, olga, [alice, bob])
    Competition.objects.filter(pk=broken.pk).update(name="Broken", rules={"unknown": {}})
    one = opened(duel, olga)
    enter(one, alice, bob)
    progress.sweep(START)
    one.refresh_from_db()
    assert one.state == one.State.RUNNING
    Competition.objects.filter(pk=broken.pk).update(rules={})


def test_two_rosters_of_one_captain_are_for_staff(
    teams: Arena, owls: Roster, foxes: Roster, olga: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    foxes.captain = owls.captain
    foxes.save()
    progress.sweep(START)
    one.refresh_from_db()
    fixture = one.fixtures.get()
    assert (one.state, fixture.games.count()) == (one.State.RUNNING, 0)
    with pytest.raises(Conflict, match="leads both sides"):
        decisions.set_date(fixture.pk, START + WEEK, by=user_of(olga), reason="Try.", now=START)
    progress.sweep(START + WEEK)
    fixture.refresh_from_db()
    assert fixture.attention == fixture.Attention.UNPLAYED


def test_a_draft_that_is_called_off_stays_hidden(duel: Arena, olga: Player) -> None:
    one = competition(duel)
    starting.cancel(one.pk, by=user_of(olga), reason="No time.", now=NOW)
    assert not Competition.objects.published().exists()


def test_nobody_joins_after_the_last_round_of_a_swiss(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], "swiss", entry={"late_until": 9})
    assert not entering.takes_late(one)
    with pytest.raises(Conflict):
        entering.register(one.pk, by=charlie, now=START)


def test_who_moves_up_during_the_check_in_is_checked_in(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = opened(duel, olga, entry={"entrants": 2, "check_in": "1h"})
    enter(one, alice, bob, charlie)
    entering.leave(one.pk, by=alice, now=START - timedelta(minutes=5))
    assert one.entrants.get(player=charlie).state == Entrant.State.CHECKED_IN


def test_more_relegated_than_there_are(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = begun(duel, olga, [alice, bob], play={"relegated": 3})
    assert len(promotions.moves(one, pages.load(one).tables)) == 2


def test_an_entrant_who_leaves_at_the_same_time_cannot_be_withdrawn(
    duel: Arena, alice: Player, olga: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = opened(duel, olga)
    mine = entering.register(one.pk, by=alice, now=NOW)

    def lock_later(pk: int) -> Competition:
        entering.leave(pk, by=alice, now=NOW)
        return lock(pk)

    monkeypatch.setattr(withdrawing, "lock", lock_later)
    with pytest.raises(Refused, match="no such entrant"):
        withdrawing.withdraw_entrant(mine.pk, by=user_of(olga), reason="Late.", now=NOW)


def test_a_roster_is_taken_over_once(
    teams: Arena, owls: Roster, foxes: Roster, olga: Player
) -> None:
    one = opened(teams, olga)
    for each in (owls, foxes):
        entering.register(one.pk, by=each.captain, roster=each, now=NOW)
    foxes.captain = owls.captain
    foxes.save()
    entrants = list(one.entrants.with_people())
    assert promotions.new_ones(one, entrants, []) == entrants[:1]
    assert promotions.new_ones(one, entrants, entrants[:1]) == []


def test_nothing_starts_once_its_season_is_over(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    one = opened(duel, olga)
    enter(one, alice, bob)
    duel.seasons.update(ends_at=NOW + timedelta(hours=1))
    assert progress.sweep(START) == 0
    with pytest.raises(Conflict, match="is over"):
        starting.start(one.pk, by=user_of(olga), now=START)
