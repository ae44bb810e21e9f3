"""Attacks that win points from accomplices in an honest league."""

from __future__ import annotations

from datetime import timedelta
from itertools import combinations

from league.models import Arena, Flag, Player
from league.services.core.clock import database_now
from league.services.integrity.flags import raise_all
from league.services.standings.connections import refresh_due
from league.services.standings.leaderboards import player_row
from league.services.standings.updating import update_pending
from tests.attacks import time
from tests.attacks.outcome import Outcome
from tests.attacks.people import Person, new_arena, rating_of, sign_up

HONEST_GAIN = 20.0
"""Points above an honest record that a cheat may win at most, if they are ranked at all."""
WEEKS = 26
ROUNDING = 0.01
"""The rules approach the limit by ever smaller steps."""


def wins_over_one_friend(address: str) -> Outcome:
    """A hundred agreed wins over one second account."""
    cheat, friend = sign_up(address, "Farmer"), sign_up(address, "Friend")
    return farm(football(), cheat, [friend] * 100)


def wins_over_fresh_accounts(address: str) -> Outcome:
    """An agreed win over each of sixty fresh accounts."""
    cheat = sign_up(address, "Grower")
    return farm(football(), cheat, [sign_up(address, f"Sock {number}") for number in range(60)])


def ranked_over_one_friend(address: str) -> Outcome:
    """An honest ranked player wins ten agreed matches a week for half a year."""
    arena, cheat = honest_league(address, "half-a-year", "Regular")
    friend = sign_up(address, "Second Self")
    return farm(arena, cheat, [friend] * 10 * WEEKS)


def ranked_over_fresh_accounts(address: str) -> Outcome:
    """An honest ranked player wins an agreed match over each of sixty fresh accounts."""
    arena, cheat = honest_league(address, "fresh-accounts", "Veteran")
    return farm(arena, cheat, [sign_up(address, f"Fresh {number}") for number in range(60)])


def a_ring_joined_by_one_match(address: str) -> Outcome:
    """Six accounts feed one of them, and one of the others plays one match in the league."""
    arena, member = honest_league(address, "ringed", "Host")
    ring = [sign_up(address, f"Ring {number}") for number in range(6)]
    tried = accepted = 0
    for _round in range(3):
        for one, other in combinations(ring, 2):
            tried += 1
            accepted += agreed_win(arena, one, other)
        time.passes(arena, timedelta(days=8))
    agreed_win(arena, member, ring[-1])
    outcome = farm(arena, ring[0], ring[1:] * 6)
    ranked = sum(rank_of(one.player, arena) is not None for one in ring)
    return Outcome(
        tried + 1 + outcome.tried,
        accepted + 1 + outcome.accepted,
        f"{outcome.effect}, {ranked} of 6 ranked",
        not ranked,
    )


def football() -> Arena:
    return Arena.objects.get(slug="football")


def honest_league(address: str, slug: str, name: str) -> tuple[Arena, Person]:
    """Open an arena where twelve players of equal strength have played; return it and one."""
    arena = new_arena(slug)
    members = [sign_up(address, name)]
    members += [sign_up(address, f"{name} {number}") for number in range(2, 13)]
    for round_ in range(2):
        for nth, (one, other) in enumerate(combinations(members, 2)):
            agreed_win(arena, *((one, other) if (nth + round_) % 2 else (other, one)))
        time.passes(arena, timedelta(days=8))
    workers_run()
    assert rank_of(members[0].player, arena) is not None
    return arena, members[0]


def agreed_win(arena: Arena, winner: Person, loser: Person) -> bool:
    report = winner.report(arena, winner.player, loser.player)
    if report.body.get("code") == "reports_per_time":
        time.passes(arena, timedelta(minutes=11))
        report = winner.report(arena, winner.player, loser.player)
    return report.accepted and loser.confirm(report).accepted


def farm(arena: Arena, cheat: Person, accomplices: list[Person]) -> Outcome:
    """Win agreed matches for half a year, and wait a day whenever a limit stops it."""
    started_at = rating_of(cheat.player, arena) or arena.system().newcomers(1, 0).rating[0]
    accepted = days = 0
    for accomplice in accomplices:
        while not (won := agreed_win(arena, cheat, accomplice)) and days < 7 * WEEKS:
            time.passes(arena, timedelta(days=1))
            days += 1
        accepted += won
    workers_run()
    gain = (rating_of(cheat.player, arena) or started_at) - started_at
    rank = rank_of(cheat.player, arena)
    flags = Flag.objects.filter(player=cheat.player).count()
    return Outcome(
        len(accomplices),
        accepted,
        f"{gain:+.0f} points in {days} days, "
        f"{'no rank' if rank is None else f'rank {rank}'}, {flags} flags for staff",
        (rank is None or gain <= HONEST_GAIN + ROUNDING) and flags > 0,
    )


def workers_run() -> None:
    now = database_now()
    update_pending(now)
    refresh_due(now)
    update_pending(now)
    raise_all(now)


def rank_of(player: Player, arena: Arena) -> int | None:
    now = database_now()
    season = arena.current_season(now)
    row = player_row(season, player, now=now) if season else None
    return row.rank if row else None
