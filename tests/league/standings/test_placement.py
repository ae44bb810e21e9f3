"""Placement, inactivity and decay: who is ranked, and what players read about it."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from league.models import Arena, Player, Season
from league.services.core.clock import database_now
from league.services.integrity.standings import differences
from league.services.seasons.opening import adopt_rules, open_season
from league.services.standings.leaderboards import player_row
from league.services.standings.outlook import outlook
from league.services.standings.updating import update_pending
from tests.support.cast import NOW
from tests.support.season_steps import NEXT, set_season_rules, win

DAY = timedelta(days=1)
DECAY = {"points": 700, "grace_period": "3d", "decay_period": "7d", "recover_per_game": "1d"}


def rule(arena: Arena, **groups: Any) -> Season:
    """Set the rules of the running season before its first match."""
    set_season_rules(arena, **groups)
    season = arena.seasons.latest("starts_at")
    adopt_rules(season, arena)
    season.refresh_from_db()
    return season


def rank(season: Season, player: Player, now: datetime = NOW) -> int | None:
    update_pending(now)
    assert differences(season, now) == []
    row = player_row(season, player, now=now)
    assert row is not None
    return row.rank


def page_of(player: Player) -> str:
    answer = Client().get(player.get_absolute_url())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", answer.content.decode()))


def test_a_player_is_ranked_after_the_placement_matches_and_sees_how_many_are_left(
    duel: Arena, alice: Player, charlie: Player
) -> None:
    season = rule(duel, ranked={"opponents": 0, "placement_matches": 3, "window": "3650d"})
    win(duel, alice, charlie)
    match = win(duel, alice, charlie)
    assert rank(season, alice) is None
    assert "? provisional" in page_of(alice)
    assert "play 1 more rated match to be ranked" in page_of(alice)
    assert "not ranked" in page_of(alice)
    result = Client().get(match.get_absolute_url()).content.decode()
    assert "from fewer than 3 rated matches" in result
    board = Client().get(reverse("leaderboard", args=["duel"])).content.decode()
    assert "The leaderboard is empty" not in board
    assert re.search(r"Not ranked yet.*Alice.*1 more match.*Charlie.*1 more match", board, re.S)
    assert "To be ranked, play 3 rated matches" in board
    win(duel, alice, charlie)
    assert rank(season, alice) == 1
    assert "provisional" not in page_of(alice)
    assert "Percentile 100 of 100" in page_of(alice)


def test_a_returning_player_needs_fewer_placement_matches_than_a_newcomer(
    duel: Arena, alice: Player, bob: Player, charlie: Player
) -> None:
    win(duel, alice, charlie)
    set_season_rules(
        duel,
        start={"placement": "carry-over"},
        ranked={"opponents": 0, "placement_matches": 3, "returning_matches": 1, "window": "3650d"},
    )
    season = open_season(duel, starts_at=NEXT)
    later = NEXT + DAY
    win(duel, alice, bob, later)
    assert rank(season, alice, later) == 1
    assert rank(season, bob, later) is None
    row = player_row(season, bob, now=later)
    assert row is not None
    assert outlook(season, bob, row, now=later).missing == 2


def test_an_inactive_player_leaves_the_leaderboard_and_returns_with_a_match(
    duel: Arena, alice: Player, bob: Player
) -> None:
    season = rule(duel, ranked={"opponents": 0, "placement_matches": 0, "window": "30d"})
    win(duel, alice, bob)
    assert rank(season, alice) == 1
    later = NOW + 31 * DAY
    assert rank(season, alice, later) is None
    update_pending(database_now())
    assert "Inactive: no match in the last 30 days" in page_of(alice)
    win(duel, alice, bob, later)
    assert rank(season, alice, later) == 1


def test_a_player_sees_decay_coming_and_what_it_has_taken(
    duel: Arena, alice: Player, bob: Player
) -> None:
    season = rule(
        duel, ranked={"opponents": 0, "placement_matches": 0, "window": "3650d"}, decay=DECAY
    )
    played = database_now() - DAY
    win(duel, alice, bob, played)
    update_pending(database_now())
    page = page_of(alice)
    assert re.search(r"Decay starts in 1 day \d+ hours?\. A match delays it for 3 days\.", page)
    row = player_row(season, alice, now=played)
    assert row is not None

    away = played + 20 * DAY
    assert rank(season, alice, away) == 1
    decayed = player_row(season, alice, now=away)
    assert decayed is not None
    assert row.rating - decayed.rating == pytest.approx(700)
    seen = outlook(season, alice, decayed, now=away)
    assert seen.decays_in is None
    assert seen.taken == pytest.approx(700)
    assert seen.regained == pytest.approx(100)  # a day of the seven
    win(duel, alice, bob, away)
    assert rank(season, alice, away) == 1
    back = player_row(season, alice, now=away)
    assert back is not None
    held = outlook(season, alice, back, now=away)
    assert held.taken == pytest.approx(600)
    assert held.holds == 3 * DAY
    assert held.decays_in == 3 * DAY - timedelta(hours=1)  # it was played an hour before


def test_a_player_reads_what_a_match_brings_back_of_what_absence_has_taken(
    duel: Arena, alice: Player, bob: Player
) -> None:
    rule(duel, ranked={"opponents": 0, "placement_matches": 0, "window": "3650d"}, decay=DECAY)
    win(duel, alice, bob, database_now() - 20 * DAY)
    update_pending(database_now())
    taken = "Decay has taken 700 points. "
    regained = "The next match restores 100 of them and delays decay for 3 days."
    assert taken + regained in page_of(alice)


def test_nobody_is_warned_of_a_decay_that_would_begin_after_the_end_of_the_season(
    duel: Arena, alice: Player, bob: Player
) -> None:
    season = rule(
        duel, ranked={"opponents": 0, "placement_matches": 0, "window": "3650d"}, decay=DECAY
    )
    win(duel, alice, bob)
    rank(season, alice)
    row = player_row(season, alice, now=NOW)
    assert row is not None
    assert row.last_played_at is not None
    begins = row.last_played_at + 3 * DAY
    second = timedelta(seconds=1)
    for ends_at, warned in ((begins + second, begins - NOW), (begins, None), (NOW + second, None)):
        season.ends_at = ends_at
        assert outlook(season, alice, row, now=NOW).decays_in == warned
