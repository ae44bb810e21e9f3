"""Steps of captains who enter a competition and play its fixtures."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from league.models import (
    Arena,
    Arrangement,
    Competition,
    Entrant,
    Fixture,
    FixtureGame,
    Match,
    Player,
)
from league.services.competitions import progress
from league.services.competitions.running import entering, starting
from league.services.dates import playing
from league.services.results.reports.answers import confirm
from tests.support.cast import NOW, account, side
from tests.support.result_steps import user_of

START = NOW + timedelta(days=1)


def competition(arena: Arena, format_: str = "table", **rules: Any) -> Competition:
    """Return a draft in the arena's season that starts tomorrow."""
    return Competition.objects.create(
        season=arena.seasons.get(),
        name="Spring Cup",
        format=format_,
        rules=rules,
        seed=1,
        starts_at=START,
    )


def opened(arena: Arena, olga: Player, format_: str = "table", **rules: Any) -> Competition:
    """Return a competition that is open for entries."""
    made = competition(arena, format_, **rules)
    return starting.open_for_entries(made.pk, by=user_of(olga), now=NOW)


def enter(one: Competition, *players: Player, now: datetime = NOW) -> None:
    for player in players:
        entering.register(one.pk, by=player, now=now)


def crowd(count: int) -> list[Player]:
    return [account(f"Player {number:03}") for number in range(1, count + 1)]


def begun(
    arena: Arena, olga: Player, players: Sequence[Player], format_: str = "table", **rules: Any
) -> Competition:
    """Return a competition of these players whose first round is open."""
    one = opened(arena, olga, format_, **rules)
    enter(one, *players)
    progress.sweep(START)
    one.refresh_from_db()
    return one


def fixture_of(one: Competition, home: Player, away: Player) -> Fixture:
    """Return the fixture of two players, whoever is at home."""
    pair = [home, away]
    return one.fixtures.with_sides().get(home__player__in=pair, away__player__in=pair)


def sides_of(fixture: Fixture) -> tuple[Entrant, Entrant]:
    """Return both sides of a fixture that has them."""
    assert fixture.home
    assert fixture.away
    return fixture.home, fixture.away


def date_of(fixture: Fixture) -> Arrangement:
    """Return the latest date of a fixture."""
    return FixtureGame.objects.filter(fixture=fixture).latest("number").arrangement


def play(
    fixture: Fixture, winner: Player | None, *, score: tuple[float, float] | None = None
) -> Match:
    """Report a fixture at its date as won by a player, ``None`` for a draw, and confirm it."""
    date = date_of(fixture)
    now = date.play_at + timedelta(hours=1)
    captains = [date.proposer, date.opponent]
    places = [0 if winner in {None, captain} else 1 for captain in captains]
    scores = score or (None, None)
    sides = [
        side(captain, place=place, score=points)
        for captain, place, points in zip(captains, places, scores, strict=True)
    ]
    reporter, other = captains
    match = playing.report(date.pk, sides, reporter=reporter, played_at=date.play_at, now=now)
    return confirm(match.pk, by=other, now=now)
