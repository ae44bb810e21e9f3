"""Lists and pages find the rows that a simple rule in Python finds."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest

from league.models import Arena, Match, Player, Rating, Status
from league.services.following.follows import follow, follows
from league.services.people.players import shown_player
from league.services.results.records.lines import lines_of, open_ids
from league.services.results.records.profiles import seasons_played
from league.services.results.records.timeline import whole_match
from league.services.results.reports.reporting import report
from tests.support.cast import NOW, arena, beats
from tests.support.result_steps import placed
from tests.support.season_steps import win

pytestmark = pytest.mark.usefixtures("countless_reports")


def test_open_matches_are_those_without_a_settled_result(
    duel: Arena, teams: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    for place in (duel, teams):
        win(place, alice, charlie, now=NOW)
        for status in Status:
            if status != Status.RATED:
                made = [beats(alice, charlie, place), beats(bob, charlie, place)]
                Match.objects.filter(pk__in=[one.pk for one in made]).update(status=status)
    earlier = [one.pk for one in Match.objects.order_by("pk")[1::3]]
    Match.objects.filter(pk__in=earlier).update(played_at=NOW - timedelta(days=1))
    for player in (alice, bob, charlie):
        theirs = Match.objects.open().filter(participants__player=player)
        theirs = theirs.order_by("-played_at", "-pk")
        assert theirs.count() in {6, 12}
        assert open_ids(player) == [one.pk for one in theirs]
        assert open_ids(player, duel) == [one.pk for one in theirs.filter(arena=duel)]


def test_seasons_played_are_those_with_matches_latest_first(alice: Player, bob: Player) -> None:
    """Of Alice, of an account that was merged into hers, and of Bob."""
    gone = Player.objects.create(name="Old Alice")
    seasons = [arena(f"arena-{number}").seasons.get() for number in range(5)]
    hours = [None, 3, 1, 1, 2]
    for player, least in ((alice, 0), (gone, 1), (bob, 0)):
        for number, season in list(enumerate(seasons))[least:]:
            hour = hours[number - least]
            Rating.objects.create(
                season=season,
                player=player,
                rating=1500.0,
                deviation=350.0,
                volatility=0.06,
                games=number % 3,
                ignored=number // 3 % 2,
                last_played_at=None if hour is None else NOW - timedelta(hours=hour),
            )
    Player.objects.filter(pk=gone.pk).update(merged_into=alice)

    def latest(one: Rating) -> tuple[float, int]:
        return -(one.last_played_at.timestamp() if one.last_played_at else 0.0), -one.pk

    for player, ids, count in ((alice, {alice.pk, gone.pk}, 8), (bob, {bob.pk}, 4)):
        ratings = [one for one in Rating.objects.all() if one.player_id in ids]
        shown = [one for one in ratings if one.games + one.ignored > 0]
        expected = [(one.season_id, one.player_id, one.wins) for one in sorted(shown, key=latest)]
        found = [(one.season.pk, one.player.pk, one.record.wins) for one in seasons_played(player)]
        assert found == expected
        assert len(found) == count


def test_followed_players_are_those_that_are_followed(
    alice: Player, bob: Player, charlie: Player
) -> None:
    """Also by an old link to somebody who was merged into another player."""
    gone = Player.objects.create(name="Old Charlie", merged_into=charlie)
    follow(alice, charlie, now=NOW)
    follow(bob, alice, now=NOW)
    for reader in (alice, bob, None):
        for shown, person in ((alice, alice), (bob, bob), (charlie, charlie), (gone, charlie)):
            assert shown_player(shown.pk, reader).followed is follows(reader, person)


def test_sides_and_winners_of_a_match_are_counted(
    melee: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    sides = placed(alice, bob, charlie)
    made = report(melee, sides, reporter=alice, played_at=NOW, now=NOW, client_token=uuid4())
    for match in (whole_match(made.pk), lines_of([made.pk])[made.pk]):
        found: Any = match
        assert (found.side_count, found.winner_count) == (3, 1)
