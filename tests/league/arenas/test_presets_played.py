"""Presets that reproduce a source do so for a whole season, and equals are never silenced."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from itertools import combinations

import pytest

from league.models import Arena, Match, Player, Standing
from league.services.arenas.presets import AS_RATED, PRESETS
from league.services.arenas.starting import from_preset
from league.services.integrity.ratings import verify
from league.services.results.reports.answers import confirm
from league.services.results.reports.reporting import report
from league.services.seasons.opening import publish
from league.services.standings.updating import update_pending
from tests.support.cast import NOW, account, roster, side
from tests.support.result_steps import user_of

RATED = [key for key in PRESETS if key != "ladder"]


def opened(key: str, by: Player) -> Arena:
    """Open an arena of a preset, in which captains may report."""
    made = from_preset(PRESETS[key], name="New", slug="new", by=user_of(by), now=NOW)
    made.result_rules = {}
    made.save()
    publish(made.pk, by=user_of(by), now=NOW)
    return made


def play(made: Arena, teams: Sequence[Sequence[Player]], at: datetime) -> Match:
    """Report a match, the winners first, which everybody confirms."""
    sides = [side(team[0], *team[1:], place=place) for place, team in enumerate(teams)]
    mode = made.modes[0] if made.modes else ""
    match = report(made, sides, reporter=teams[0][0], played_at=at, now=at, mode=mode)
    for team in teams[1:]:
        if not Match.objects.rated().filter(pk=match.pk).exists():
            confirm(match.pk, by=team[0], now=at)
    return Match.objects.rated().get(pk=match.pk)


@pytest.mark.parametrize("key", RATED)
def test_the_first_ten_meetings_of_equals_count(key: str, olga: Player) -> None:
    made = opened(key, olga)
    teams = [
        [account(f"Player {number} {member}") for member in range(made.team_size_min)]
        for number in range(made.sides_min)
    ]
    for team in teams:
        if len(team) > 1:
            roster(made, team[0].name, *team)
    for number in range(10):
        match = play(made, teams, NOW + number * timedelta(days=1))
        if "fair_play" in PRESETS[key].arena["season_rules"]:
            assert (match.weight, match.one_sided) == (1, None)
        assert match.one_sided is None or match.one_sided >= 0.5
        teams = teams[1:] + teams[:1]
    assert verify(made.seasons.get()) == []


def test_fermi_duels_count_fully_for_a_whole_season(olga: Player) -> None:
    made = opened("kreimeier-duel", olga)
    players = [account(f"Player {number}") for number in range(6)]
    now = NOW
    for _ in range(3):
        for one, other in combinations(players, 2):
            now += timedelta(hours=8)
            match = play(made, [[one], [other]], now)
            assert (match.weight, match.one_sided) == (1, None)
    assert verify(made.seasons.get()) == []


def test_drivers_of_one_field_race_all_season_and_are_ranked_soon(olga: Player) -> None:
    made = opened("racing", olga)
    drivers = [[account(f"Driver {number}")] for number in range(5)]
    for number in range(12):  # six races on each of two evenings
        day, race = divmod(number, 6)
        match = play(made, drivers, NOW + timedelta(days=7 * day, minutes=20 * race))
        assert (match.weight, match.one_sided) == (1, None)
        drivers = drivers[1:] + drivers[:1]
        update_pending(NOW + timedelta(days=7 * day, minutes=20 * race))
        ranked = Standing.objects.filter(active=True).count()
        assert ranked == (5 if number >= 2 else 0)
    assert verify(made.seasons.get()) == []


def test_presets_of_a_source_count_every_match_fully() -> None:
    of_a_source = {
        "chess-club",
        "contests",
        "football",
        "gw2-ranked",
        "gw2-unranked",
        "table-tennis",
    }
    of_a_source |= {"kreimeier-duel", "kreimeier-deathmatch"}
    found = {
        key
        for key, preset in PRESETS.items()
        if preset.arena["season_rules"].get("fair_play") == AS_RATED["fair_play"]
    }
    assert found == of_a_source
