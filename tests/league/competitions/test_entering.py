"""Entering a competition: places, the waiting list, checking in, and who may."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from league.models import Competition, Entrant, Notice, NoticeKind, Rating
from league.services.competitions import entering, progress
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.answers import confirm
from tests.support.cast import NOW, beats, roster
from tests.support.competition_steps import START, competition, enter, opened

if TYPE_CHECKING:
    from league.models import Arena, Player, Roster

HOUR = timedelta(hours=1)


def states(one: Competition) -> dict[str, str]:
    return dict(one.entrants.values_list("name", "state"))


def test_drafts_take_no_entries(duel: Arena, alice: Player) -> None:
    with pytest.raises(Conflict, match="Spring Cup is draft"):
        entering.register(competition(duel).pk, by=alice, now=NOW)


def test_a_place_that_is_left_goes_to_the_first_who_waits(
    duel: Arena, alice: Player, bob: Player, charlie: Player, dora: Player, olga: Player
) -> None:
    one = opened(duel, olga, entry={"entrants": 2, "waiting": 1})
    enter(one, alice, bob, charlie)
    assert states(one)["Charlie"] == "waiting"
    with pytest.raises(Conflict, match="Spring Cup is full"):
        entering.register(one.pk, by=dora, now=NOW)
    entering.leave(one.pk, by=alice, now=NOW)
    assert states(one) == {"Bob": "registered", "Charlie": "registered"}
    assert Notice.objects.get(player=charlie).kind == NoticeKind.COMPETITION


def test_nobody_enters_twice(duel: Arena, alice: Player, olga: Player) -> None:
    one = opened(duel, olga)
    enter(one, alice)
    with pytest.raises(Conflict, match="already entered"):
        enter(one, alice)


def test_entries_close_with_the_first_round(duel: Arena, alice: Player, olga: Player) -> None:
    one = opened(duel, olga)
    with pytest.raises(Conflict, match="Entries have closed"):
        enter(one, alice, now=START)


def test_who_does_not_check_in_loses_the_place(
    duel: Arena, alice: Player, bob: Player, charlie: Player, olga: Player
) -> None:
    one = opened(duel, olga, entry={"entrants": 2, "check_in": "1h"})
    enter(one, alice, bob, charlie)
    with pytest.raises(Conflict, match="Nobody can check in now"):
        entering.check_in(one.pk, by=alice, now=START - 2 * HOUR)
    entering.check_in(one.pk, by=alice, now=START - HOUR)
    with pytest.raises(Conflict, match="waiting list"):
        entering.check_in(one.pk, by=charlie, now=START - HOUR)
    progress.sweep(START)
    assert states(one) == {"Alice": "playing", "Charlie": "playing"}


def test_without_enough_entrants_it_does_not_start(
    duel: Arena, alice: Player, olga: Player
) -> None:
    one = opened(duel, olga)
    enter(one, alice)
    assert progress.sweep(START) == 0
    one.refresh_from_db()
    assert one.state == Competition.State.REGISTRATION


def test_ratings_out_of_range_cannot_enter(
    duel: Arena, alice: Player, bob: Player, olga: Player
) -> None:
    match = beats(alice, bob, duel)
    confirm(match.pk, by=bob, now=NOW)
    best = Rating.objects.get(player=alice).rating
    one = opened(duel, olga, entry={"rating_to": best - 1})
    with pytest.raises(Refused, match="outside the range of"):
        enter(one, alice)
    enter(one, bob)


def test_divisions_can_be_asked_for(duel: Arena, alice: Player, olga: Player) -> None:
    one = opened(duel, olga, entry={"divisions": "Gold, Silver"})
    with pytest.raises(Refused, match="these divisions: Gold, Silver"):
        enter(one, alice)


def test_players_without_an_account_cannot_enter(duel: Arena, alice: Player, olga: Player) -> None:
    alice.user = None
    with pytest.raises(Forbidden):
        entering.register(opened(duel, olga).pk, by=alice, now=NOW)


class TestRosters:
    def test_nobody_plays_for_two_sides(
        self, teams: Arena, owls: Roster, alice: Player, bob: Player, eve: Player, olga: Player
    ) -> None:
        one = opened(teams, olga)
        entering.register(one.pk, by=alice, now=NOW, roster=owls)
        others = roster(teams, "Hawks", eve, bob)
        with pytest.raises(Conflict, match="already plays for Owls"):
            entering.register(one.pk, by=eve, now=NOW, roster=others)

    def test_only_its_captain_enters_a_roster(
        self, teams: Arena, owls: Roster, bob: Player, olga: Player
    ) -> None:
        with pytest.raises(Refused, match="do not lead"):
            entering.register(opened(teams, olga).pk, by=bob, now=NOW, roster=owls)

    def test_a_deleted_roster_keeps_its_name(
        self, teams: Arena, owls: Roster, alice: Player, olga: Player
    ) -> None:
        one = opened(teams, olga)
        mine = entering.register(one.pk, by=alice, now=NOW, roster=owls)
        owls.delete()
        mine = Entrant.objects.with_people().get(pk=mine.pk)
        assert (mine.name, mine.captain) == ("Owls", alice)
