"""Entering a competition: places, the waiting list, checking in, and who may."""

from datetime import timedelta

import pytest

from league.models import (
    Arena,
    Competition,
    Entrant,
    Notice,
    NoticeKind,
    Player,
    Rating,
    Roster,
    Standing,
)
from league.services.competitions import progress
from league.services.competitions.running import entering
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, beats, roster
from tests.support.competition_steps import START, competition, enter, opened

HOUR = timedelta(hours=1)


def states(one: Competition) -> dict[str, str]:
    return dict(one.entrants.values_list("name", "state"))


def test_drafts_take_no_entries(duel: Arena, alice: Player) -> None:
    with pytest.raises(Conflict, match="State of Spring Cup: draft"):
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


def rate(arena: Arena, division: int | None = None, **ratings: float) -> None:
    """Give players a rating, and a division."""
    season = arena.seasons.get()
    for name, rating in ratings.items():
        player = Player.objects.get(name=name.capitalize())
        Rating.objects.create(
            season=season, player=player, rating=rating, games=9, last_played_at=NOW
        )
        Standing.objects.create(
            season_id=season.pk,
            player_id=player.pk,
            key=-rating,
            active=True,
            decaying=0,
            division=division,
        )


class TestRosters:
    @pytest.mark.parametrize(
        ("alices", "bobs", "enters"), [(1000, 1900, True), (1000, 2100, False)]
    )
    def test_their_mean_rating_counts(
        self, teams: Arena, owls: Roster, olga: Player, alices: int, bobs: int, enters: bool
    ) -> None:
        one = opened(teams, olga, entry={"rating_from": 1200, "rating_to": 1500})
        rate(teams, alice=alices, bob=bobs)
        if enters:
            entering.register(one.pk, by=owls.captain, now=NOW, roster=owls)
        else:
            with pytest.raises(Refused, match="The mean rating of Owls, 1550, is outside"):
                entering.register(one.pk, by=owls.captain, now=NOW, roster=owls)

    def test_a_strong_member_keeps_a_weak_captain_out_of_a_low_division(
        self, teams: Arena, owls: Roster, foxes: Roster, olga: Player
    ) -> None:
        names = [each.name for each in teams.seasons.get().season_rules().divisions.divisions]
        one = opened(teams, olga, entry={"divisions": f"{names[0]}, {names[1]}"})
        rate(teams, 0, alice=1000, charlie=1000)
        rate(teams, 3, bob=1900)
        rate(teams, 2, dora=1900)
        with pytest.raises(Refused, match="only for rosters in these divisions"):
            entering.register(one.pk, by=owls.captain, now=NOW, roster=owls)
        entering.register(one.pk, by=foxes.captain, now=NOW, roster=foxes)

    def test_a_late_entry_is_rated_as_it_would_be_seeded(
        self, teams: Arena, owls: Roster, foxes: Roster, eve: Player, olga: Player
    ) -> None:
        one = opened(teams, olga, "swiss", entry={"late_until": 2})
        others = [roster(teams, "Hawks", eve), roster(teams, "Jays", account("Fay"))]
        for each in (foxes, *others):
            entering.register(one.pk, by=each.captain, now=NOW, roster=each)
        progress.sweep(START)
        rate(teams, alice=1000, bob=1800)
        entering.register(one.pk, by=owls.captain, now=START, roster=owls)
        assert one.entrants.get(roster=owls).rating == 1400

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
