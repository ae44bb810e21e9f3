"""Ticks: a queue's tickets become proposed matches."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from league.models import ArenaQueue, Proposal, Tick, Ticket
from league.services.points import grace
from league.services.queue.forecasts import forecasts
from league.services.queue.snapshots import Snapshot, snapshot
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from matchmaking.tick import Tick as Outcome
    from matchmaking.ticket import Queue

KEPT = timedelta(days=7)
"""How long ticks can be run again and explained."""

TRY_LOCK = "SELECT pg_try_advisory_xact_lock(hashtextextended('laurel queue', %s))"

CLAIM = """
    SELECT id FROM league_ticket WHERE id = ANY(%s) AND state = 'waiting'
    ORDER BY id FOR UPDATE SKIP LOCKED
"""
SEAT = """
    UPDATE league_ticket AS t SET state = 'proposed', proposal_id = u.proposal, team = u.team
    FROM unnest(%s::bigint[], %s::bigint[], %s::smallint[]) AS u(ticket, proposal, team)
    WHERE t.id = u.ticket
"""
TO_THE_BACK = """
    UPDATE league_ticket AS t SET place = back.place
    FROM (SELECT u.id, nextval('league_ticket_place') AS place
        FROM (SELECT * FROM unnest(%s::bigint[]) WITH ORDINALITY AS u(id, nth) ORDER BY nth) AS u)
        AS back
    WHERE t.id = back.id AND t.state = 'waiting'
"""


def due(now: datetime) -> list[int]:
    """The arenas whose queue's next tick is due: somebody waits, and the interval is over."""
    waiting = Ticket.objects.waiting().filter(arena=OuterRef("arena"))
    queues = ArenaQueue.objects.open().filter(Exists(waiting)).select_related("arena")
    return [queue.arena_id for queue in queues if is_due(queue, now)]


def is_due(queue: ArenaQueue, now: datetime) -> bool:
    """Whether no tick is less than an interval away. One that is further in the future, of a clock
    that was stepped back since, holds nothing up; one a little ahead is another worker's, which
    looked at the clock later and had the lock earlier."""
    interval = timedelta(seconds=queue.matching().queue.iteration_interval)
    return not queue.arena.ticks.filter(at__gt=now - interval, at__lt=now + interval).exists()


def tick(
    arena_id: int, *, now: datetime, seed: int, clock: Callable[[], float] = time.monotonic
) -> Tick | None:
    """Run the arena's matcher once and propose what it finds; ``None`` if it was not due.

    Two at once, or one killed half-way, are as if there had been one or none: the whole tick is one
    transaction under the arena's lock, and it claims only tickets that still wait.
    """
    with transaction.atomic():
        queue = ArenaQueue.objects.open().select_related("arena").filter(arena=arena_id).first()
        if queue is None or not take_lock(arena_id) or not is_due(queue, now):
            return None
        season = queue.arena.current_season(now)
        if season and grace.no_start_until(season, now):
            return None
        seen = snapshot(season, now) if season else Snapshot([])
        if season is None or not seen.tickets:
            return None
        rules = queue.matching()
        waiting = seen.queue()
        began = clock()
        limit = rules.queue.iteration_limit
        outcome = run(
            waiting,
            rules,
            queue.matcher,
            now=now.timestamp(),
            seed=seed,
            deadline=(lambda: clock() - began > limit) if limit else None,
        )
        seconds = clock() - began
        found = teams_of(outcome, seen)
        by_id = {ticket.id: ticket for ticket in seen.tickets}
        teams = [[[by_id[ticket] for ticket in team] for team in teams] for teams in found]
        made = propose(queue, found, forecasts(queue, season, teams, now), now)
        ids = [ticket.id for ticket in seen.tickets]
        reorder([ids[index] for index in outcome.left], ids)
        return Tick.objects.create(
            arena=queue.arena,
            at=now,
            seed=seed,
            matcher=queue.matcher,
            rules=rules.model_dump(mode="json"),
            queue=seen.packed(),
            found=found,
            tickets=len(ids),
            matches=len(found),
            proposed=len(made),
            seconds=seconds,
        )


def take_lock(arena_id: int) -> bool:
    """Whether this transaction has the arena's lock now; another's tick is not waited for."""
    with connection.cursor() as cursor:
        cursor.execute(TRY_LOCK, [arena_id])
        taken: bool = cursor.fetchone()[0]
    return taken


def run(
    waiting: Queue,
    rules: Rules,
    matcher: str,
    *,
    now: float,
    seed: int,
    deadline: Callable[[], bool] | None = None,
) -> Outcome:
    """What a matcher makes of a queue; ``now`` in seconds since 1970."""
    return MATCHERS[matcher].match(
        waiting,
        rules,
        now=now,
        generator=np.random.default_rng(seed),
        deadline=deadline,
    )


def propose(
    queue: ArenaQueue,
    found: Sequence[Sequence[Sequence[Any]]],
    chances: Sequence[float | None],
    now: datetime,
) -> list[Proposal]:
    """Propose those matches of which every ticket still waits; the others are let be."""
    wanted = [ticket for teams in found for team in teams for ticket in team]
    claimed = claim(wanted)
    made = Proposal.objects.bulk_create(
        Proposal(
            arena=queue.arena,
            proposed_at=now,
            deadline=now + queue.ready_window,
            seats=teams,
            forecast=chance,
        )
        for teams, chance in zip(found, chances, strict=True)
        if claimed.issuperset(ticket for team in teams for ticket in team)
    )
    seat(made)
    return made


def seat(proposals: Sequence[Proposal]) -> None:
    """Give the tickets of new ready checks their team."""
    rows = [
        (ticket, proposal.pk, number)
        for proposal in proposals
        for number, team in enumerate(proposal.seats, start=1)
        for ticket in team
    ]
    if rows:
        with connection.cursor() as cursor:
            cursor.execute(SEAT, [list(column) for column in zip(*rows, strict=True)])


def claim(tickets: Sequence[int]) -> set[int]:
    """Lock those of the tickets that still wait; their ids."""
    with connection.cursor() as cursor:
        cursor.execute(CLAIM, [list(tickets)])
        return {row[0] for row in cursor.fetchall()}


def reorder(left: Sequence[Any], before: Sequence[Any]) -> None:
    """Move to the back whoever the matcher put behind others that came later."""
    places = {ticket: place for place, ticket in enumerate(before)}
    kept = 0
    while kept < len(left) and (kept == 0 or places[left[kept - 1]] < places[left[kept]]):
        kept += 1
    if kept < len(left):
        with connection.cursor() as cursor:
            cursor.execute(TO_THE_BACK, [list(left[kept:])])


def run_again(tick: Tick) -> list[list[list[Any]]]:
    """What the tick's matcher finds, run on the same queue, rules, time and seed: ``tick.found``,
    unless its time was up before it was done."""
    seen = Snapshot.unpacked(bytes(tick.queue))
    outcome = run(
        seen.queue(),
        Rules.model_validate(tick.rules),
        tick.matcher,
        now=tick.at.timestamp(),
        seed=tick.seed,
    )
    return teams_of(outcome, seen)


def teams_of(outcome: Outcome, seen: Snapshot) -> list[list[list[Any]]]:
    """The ids of the tickets in both teams of each match."""
    return [
        [[seen.tickets[index].id for index in team] for team in (match.team1, match.team2)]
        for match in outcome.matches
    ]


def forget_old_ticks(now: datetime) -> int:
    """Delete ticks that nobody will ask about any more; how many."""
    deleted, _by_model = Tick.objects.filter(at__lt=now - KEPT).delete()
    return deleted
