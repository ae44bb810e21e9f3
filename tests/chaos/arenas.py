"""Arenas and people for scenarios, at the database's present time."""

from datetime import datetime, timedelta
from itertools import count
from typing import Any
from uuid import uuid4

from league.models import Arena, ArenaQueue, Match, Player, Proposal, User
from league.services.core.clock import database_now
from league.services.queue.queueing import join
from league.services.queue.ticks import tick
from league.services.results.reports import answers, reporting
from league.services.seasons.opening import open_season
from tests.support.cast import RANKED_AT_ONCE, side
from tests.support.queue_steps import ANYBODY

_numbers = count(1)


def new_arena(kind: str, *, opens: bool = True, **settings: Any) -> Arena:
    """Open an arena in which every match counts fully and nobody meets a limit."""
    number = next(_numbers)
    settings.setdefault("season_rules", RANKED_AT_ONCE)
    limits = {"open_reports": 10_000, "recent_reports": 10_000}
    slug = f"{kind}-{number}"
    made = Arena(name=f"{kind.capitalize()} {number}", slug=slug, limits=limits, **settings)
    made.full_clean()
    made.save()
    if opens:
        open_season(made, starts_at=database_now() - timedelta(days=365))
    return made


def duel() -> Arena:
    """Return the arena for scenarios that need none of their own."""
    return Arena.objects.filter(slug__startswith="common").first() or new_arena("common")


def add_queue(arena: Arena) -> None:
    """Give an arena a queue that pairs any two players, every second."""
    rules = {"queue": {**ANYBODY, "iteration_interval": "1s"}}
    queue = ArenaQueue(arena=arena, matcher="new", rules=rules, bars_timeouts=False)
    queue.full_clean()
    queue.save()


def new_queue(kind: str) -> Arena:
    """Open an arena with such a queue."""
    arena = new_arena(kind)
    add_queue(arena)
    return arena


def person(name: str = "Player", *, superuser: bool = False) -> Player:
    """Create an account with a player."""
    name = f"{name} {next(_numbers)}"
    user = User.objects.create(
        username=name.lower().replace(" ", ""), is_staff=superuser, is_superuser=superuser
    )
    return Player.objects.create(name=name, user=user)


def reported(arena: Arena, winner: Player, loser: Player, now: datetime | None = None) -> Match:
    """Let the winner report a duel."""
    now = now or database_now()
    return reporting.report(
        arena,
        [side(winner, place=0), side(loser, place=1)],
        reporter=winner,
        played_at=now - timedelta(minutes=1),
        now=now,
        client_token=uuid4(),
    )


def rated(arena: Arena, winner: Player, loser: Player, now: datetime | None = None) -> Match:
    """Let the winner report a duel and the loser confirm it."""
    made = reported(arena, winner, loser, now)
    return answers.confirm(made.pk, by=loser, now=now or database_now())


def found_match(arena: Arena, one: Player, other: Player) -> Proposal:
    """Queue two players and wait until a tick has proposed a match to them."""
    ticket = join(arena, one, [], now=database_now())
    join(arena, other, [], now=database_now())
    for _attempt in range(100):
        tick(arena.pk, now=database_now(), seed=1)
        ticket.refresh_from_db()
        if ticket.proposal:
            return ticket.proposal
    raise AssertionError("no match was proposed")
