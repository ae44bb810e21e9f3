"""Attacks that win points from accomplices in an honest league."""

from datetime import timedelta
from itertools import combinations
from typing import Any

from league.models import Arena, Flag, Match, Player, Season
from league.services.core.clock import database_now
from league.services.integrity.detectors import RISER_GAMES
from league.services.integrity.flags import raise_all
from league.services.standings.connections import refresh
from league.services.standings.leaderboards import player_row
from league.services.standings.updating import update_pending
from tests.attacks import time
from tests.attacks.outcome import Outcome
from tests.attacks.people import Person, free_for_all, new_arena, rating_of, sign_up

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


def patient_over_fresh_accounts(address: str) -> Outcome:
    """A newcomer in Elo beats sixty fresh accounts, then plays honestly until ranked."""
    return patient(address, "patience", "Steady", wins=60, rating_system="elo")


def patient_while_uncertain(address: str) -> Outcome:
    """The same in Glicko-2, where a newcomer's first wins gain much, over five."""
    return patient(address, "uncertain", "Certain", wins=5, rating_system="glicko-2")


def patient(address: str, slug: str, name: str, *, wins: int, rating_system: str) -> Outcome:
    """Beat fresh accounts, then play an honest match a day, and win every other, until ranked.

    Another newcomer has the same honest record and nothing else.
    """
    arena, members = honest_members(address, slug, name, rating_system=rating_system)
    cheat, other = sign_up(address, f"Patient {slug}"), sign_up(address, f"Candid {slug}")
    fresh = [sign_up(address, f"Early {slug} {number}") for number in range(wins)]
    farmed = farm(arena, cheat, fresh)
    pairs = sorted(combinations(members, 2), key=lambda pair: members.index(pair[1]) % 5)
    honest, least = 0, 10 if wins < 10 else 26
    while honest < least or (rank_of(cheat.player, arena) is None and honest < 200):
        for newcomer in (cheat, other):
            pair = (newcomer, members[honest % 12])
            agreed_win(arena, *(pair if (honest + honest // 12) % 2 else pair[::-1]))
        for number in range(3 * honest, 3 * honest + 3):  # the others do not rest
            one, two = pairs[number % len(pairs)]
            agreed_win(arena, *((one, two) if (number // len(pairs)) % 2 else (two, one)))
        time.passes(arena, timedelta(days=1))
        honest += 1
        if honest >= least:
            workers_run()
    gain = (rating_of(cheat.player, arena) or 0) - (rating_of(other.player, arena) or 0)
    rank = rank_of(cheat.player, arena)
    return Outcome(
        farmed.tried,
        farmed.accepted,
        f"{farmed.effect}, then {honest} honest matches until rank {rank}, "
        f"{gain:+.0f} points above the same record without the wins",
        (farmed.failed or wins < RISER_GAMES) and (rank is None or gain <= HONEST_GAIN + ROUNDING),
    )


def races_over_five_accounts(address: str) -> Outcome:
    """An honest ranked player wins ten agreed free-for-alls a week over the same five accounts."""
    arena, members = free_for_all("races"), twelve(address, "Jockey")
    for number in range(24):
        field = [members[(number + 2 * step + number // 12) % 12] for step in range(6)]
        agreed_race(arena, field)
        time.passes(arena, timedelta(days=1))
    workers_run()
    cheat, accounts = members[0], [sign_up(address, f"Also Ran {number}") for number in range(5)]
    before = rating_of(cheat.player, arena) or 0
    assert rank_of(cheat.player, arena) is not None
    accepted = days = 0
    while accepted < 10 * WEEKS and days < 7 * WEEKS:
        won = agreed_race(arena, [cheat, *accounts])
        accepted += won
        if not won:
            time.passes(arena, timedelta(days=1))
            days += 1
    workers_run()
    gain = (rating_of(cheat.player, arena) or 0) - before
    rank = rank_of(cheat.player, arena)
    return Outcome(
        10 * WEEKS,
        accepted,
        f"{gain:+.0f} points in {days} days, {'no rank' if rank is None else f'rank {rank}'}",
        rank is None or gain <= HONEST_GAIN + ROUNDING,
    )


def agreed_race(arena: Arena, order: list[Person]) -> bool:
    """Report an order of finish and let the others confirm it until it counts."""
    report = order[0].report(arena, *(one.player for one in order))
    if report.body.get("code") == "reports_per_time":
        time.passes(arena, timedelta(minutes=11))
        report = order[0].report(arena, *(one.player for one in order))
    for other in order[1:]:
        if report.accepted and not Match.objects.rated().filter(pk=report.body["id"]).exists():
            other.confirm(report)
    return report.accepted


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
    arena, members = honest_members(address, slug, name)
    return arena, members[0]


def honest_members(
    address: str, slug: str, name: str, **settings: Any
) -> tuple[Arena, list[Person]]:
    """Do the same, and return all twelve."""
    arena = new_arena(slug, **settings)
    members = twelve(address, name)
    for round_ in range(2):
        if round_:  # nobody rests before the attack: the first win after a rest counts for more
            time.passes(arena, timedelta(days=8))
        for nth, (one, other) in enumerate(combinations(members, 2)):
            agreed_win(arena, *((one, other) if (nth + round_) % 2 else (other, one)))
    workers_run()
    assert rank_of(members[0].player, arena) is not None
    return arena, members


def twelve(address: str, name: str) -> list[Person]:
    return [
        sign_up(address, name if number == 1 else f"{name} {number}") for number in range(1, 13)
    ]


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
    for season in Season.objects.opened().filter(archived_at=None).select_related("arena"):
        refresh(season, now)
    update_pending(now)
    raise_all(now)


def rank_of(player: Player, arena: Arena) -> int | None:
    now = database_now()
    season = arena.current_season(now)
    row = player_row(season, player, now=now) if season else None
    return row.rank if row else None
