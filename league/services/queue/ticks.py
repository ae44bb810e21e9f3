"""Ticks: run a queue's matcher and propose the matches it finds."""

from __future__ import annotations

import time
from datetime import timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.db.models import Exists, OuterRef

from league import measuring
from league.models import ArenaQueue, NoticeKind, Proposal, Tick, Ticket, TicketArena, TicketMember
from league.schedule import SECONDS
from league.services.core.kill_points import committing
from league.services.core.turns import try_turn
from league.services.notices.writing import notify
from league.services.points import grace
from league.services.queue import filling, kept_ticks
from league.services.queue.fair_odds import KeptVerdicts, ShownOdds
from league.services.queue.pools import in_pools, modes_without
from league.services.queue.regions import regions_of_matches
from league.services.queue.snapshots import Snapshot, take_snapshot
from league.services.site import frame
from matchmaking import modes as game_modes
from matchmaking.matchers import MATCHERS
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from matchmaking.tick import Forecast
    from matchmaking.tick import Tick as Outcome
    from matchmaking.ticket import Queue
    from matchmaking.ticket import Ticket as Waiting

BETWEEN_LOOKS = timedelta(seconds=SECONDS["start_due_ticks"])

SEATED_AT_ONCE = 500
"""Tickets in an update. The time it takes grows with the square of this number."""
# Tickets that the tick of another arena has claimed keep their place, so that none waits for it.
TO_THE_BACK = """
    WITH back AS MATERIALIZED (
        SELECT u.id, nextval('league_ticket_place') AS place
        FROM (SELECT * FROM unnest(%(left)s::bigint[]) WITH ORDINALITY AS u(id, nth) ORDER BY nth)
            AS u
    ), free AS MATERIALIZED (
        SELECT id FROM league_ticket
        WHERE id = ANY(%(left)s) AND arena_id = %(arena)s AND state = 'waiting'
        ORDER BY id FOR UPDATE SKIP LOCKED
    ), own AS (
        UPDATE league_ticket AS t SET place = back.place FROM back
        WHERE t.id = back.id AND t.id IN (SELECT id FROM free)
    )
    UPDATE league_ticketarena AS also SET place = back.place FROM back
    WHERE also.ticket_id = back.id AND also.arena_id = %(arena)s
"""


def due_arenas(now: datetime) -> list[int]:
    """Return the ids of arenas whose queue has tickets and whose tick interval has passed."""
    if frame.current().maintenance:  # tickets keep their places
        return []
    waiting = Ticket.objects.waiting()
    own = waiting.filter(arena=OuterRef("arena"))
    also = TicketArena.objects.filter(arena=OuterRef("arena"), ticket__in=waiting)
    queues = ArenaQueue.objects.open().filter(Exists(own) | Exists(also)).select_related("arena")
    return [queue.arena_id for queue in queues if is_due(queue, now)]


def is_due(queue: ArenaQueue, now: datetime) -> bool:
    """Return whether no tick of the arena is less than an interval away.

    The dispatcher looks once in a while and a little early or late, so a tick is due at the look
    nearest to its time. Otherwise a look that comes a hair early would put it off to the next one.

    A tick a little in the future is another worker's, which read the clock later and got the lock
    earlier. One further ahead dates from before the clock was set back and is ignored.
    """
    interval = timedelta(seconds=queue.matching().queue.iteration_interval)
    interval -= min(BETWEEN_LOOKS, interval) / 2
    return not queue.arena.ticks.filter(at__gt=now - interval, at__lt=now + interval).exists()


def tick(
    arena_id: int, *, now: datetime, seed: int, clock: Callable[[], float] = time.monotonic
) -> Tick | None:
    """Run the arena's matcher once and propose what it finds. Return ``None`` if it was not due.

    The whole tick is one transaction under the arena's lock, and it claims only tickets that are
    still waiting. So two concurrent ticks act as one, and a killed tick as none.
    """
    if frame.current().maintenance:
        return None
    with committing("tick"):
        queue = ArenaQueue.objects.open().select_related("arena").filter(arena=arena_id).first()
        if queue is None or not try_turn("laurel queue", arena_id) or not is_due(queue, now):
            return None
        season = queue.arena.current_season(now)
        if season and grace.no_start_until(season, now):
            return None
        rules = queue.matching_in(season) if season else queue.matching()
        if season and queue.fills_seats:
            filling.fill_seats(queue, season, now)
        snapshot = take_snapshot(season, rules, now) if season else Snapshot([])
        if season is None or snapshot.states is None:
            return None
        states, snapshot = snapshot.states, in_pools(queue, snapshot)
        waiting = snapshot.queue()
        odds = ShownOdds(queue, season, waiting, states, rules, now)
        began = clock()
        limit = rules.queue.iteration_limit
        outcome = run_matcher(
            waiting,
            rules,
            queue.matcher,
            now=now.timestamp(),
            seed=seed,
            deadline=(lambda: clock() - began > limit) if limit else None,
            forecast=odds,
        )
        seconds = clock() - began
        found = matched_ticket_ids(outcome, snapshot)
        by_id = {ticket.id: ticket for ticket in snapshot.tickets}
        regions = regions_of_matches(
            waiting, outcome.matches, snapshot.wishes, rules, now=now, seed=seed
        )
        modes = modes_without(queue, modes_of(outcome, waiting, seed))
        ways = list(zip(modes, regions, strict=True))
        proposals = propose(queue, found, odds.of(outcome.matches), ways, now)
        measure(queue, seconds, [by_id[ticket] for ticket in tickets_in(proposals)], now)
        ids = [ticket.id for ticket in snapshot.tickets]
        reorder(queue, [ids[index] for index in outcome.left], ids)
        made = Tick(
            arena=queue.arena,
            at=now,
            seed=seed,
            matcher=queue.matcher,
            found=found,
            tickets=len(ids),
            matches=len(found),
            proposed=len(proposals),
            seconds=seconds,
        )
        return kept_ticks.store(
            made, rules.model_dump(mode="json"), snapshot, verdicts=odds.verdicts
        )


def run_matcher(
    waiting: Queue,
    rules: Rules,
    matcher: str,
    *,
    now: float,
    seed: int,
    deadline: Callable[[], bool] | None = None,
    forecast: Forecast | None = None,
) -> Outcome:
    """Run a matcher on a queue. ``now`` is in seconds since 1970."""
    return MATCHERS[matcher].match(
        waiting,
        rules,
        now=now,
        generator=np.random.default_rng(seed),
        deadline=deadline,
        forecast=forecast,
    )


def modes_of(outcome: Outcome, waiting: Queue, seed: int) -> list[str]:
    """Return the game mode of each match that a tick with this seed has found."""
    return game_modes.draw_modes(waiting, outcome.matches, np.random.default_rng(seed))


def propose(
    queue: ArenaQueue,
    found: Sequence[Sequence[Sequence[Any]]],
    chances: Sequence[float | None],
    ways: Sequence[tuple[str, str]],
    now: datetime,
) -> list[Proposal]:
    """Propose the matches whose tickets are all still waiting, and skip the others.

    ``ways`` has the game mode and the region of each.
    """
    wanted = [ticket for teams in found for team in teams for ticket in team]
    claimed = claim(wanted)
    proposals = Proposal.objects.bulk_create(
        Proposal(
            arena=queue.arena,
            proposed_at=now,
            deadline=now + queue.ready_window,
            seats=teams,
            forecast=chance,
            mode=mode,
            region=region,
        )
        for teams, chance, (mode, region) in zip(found, chances, ways, strict=True)
        if claimed.issuperset(ticket for team in teams for ticket in team)
    )
    seat(proposals)
    players = TicketMember.objects.filter(ticket__proposal__in=proposals)
    notify(players.values_list("player", flat=True), NoticeKind.FOUND, now, arena=queue.arena)
    return proposals


def tickets_in(proposals: Sequence[Proposal]) -> list[int]:
    """Return the ids of the tickets in proposals."""
    return [ticket for proposal in proposals for team in proposal.seats for ticket in team]


def measure(queue: ArenaQueue, seconds: float, tickets: Sequence[Waiting], now: datetime) -> None:
    """Record how long a tick's matcher took, and how long the tickets of its matches waited."""
    measuring.tick_seconds.labels(queue.arena.slug).observe(seconds)
    for ticket in tickets:
        wait = max(now.timestamp() - ticket.queued_at, 0.0)
        measuring.queue_wait_seconds.labels(queue.arena.slug).observe(wait)


def seat(proposals: Sequence[Proposal]) -> None:
    """Record the ready check and team of each ticket in new proposals."""
    seated = [
        Ticket(pk=ticket, state=Ticket.State.PROPOSED, proposal=proposal, team=number)
        for proposal in proposals
        for number, team in enumerate(proposal.seats, start=1)
        for ticket in team
    ]
    Ticket.objects.bulk_update(seated, ["state", "proposal", "team"], batch_size=SEATED_AT_ONCE)


def claim(tickets: Sequence[int]) -> set[int]:
    """Lock the tickets that are still waiting and return their ids."""
    # In id order, as everywhere. A ticket that is locked is being left, and counts as gone.
    free = Ticket.objects.waiting().filter(pk__in=tickets).order_by("pk")
    return set(free.select_for_update(skip_locked=True).values_list("pk", flat=True))


def reorder(queue: ArenaQueue, left: Sequence[Any], before: Sequence[Any]) -> None:
    """Move tickets to the back that the matcher put behind later arrivals."""
    places = {ticket: place for place, ticket in enumerate(before)}
    kept = 0
    while kept < len(left) and (kept == 0 or places[left[kept - 1]] < places[left[kept]]):
        kept += 1
    if kept < len(left):
        with connection.cursor() as cursor:
            moved: dict[str, Any] = {"left": list(left[kept:]), "arena": queue.arena_id}
            cursor.execute(TO_THE_BACK, moved)


def run_again(tick: Tick) -> list[list[list[Any]]]:
    """Run the tick's matcher again on the same queue, rules, time and seed.

    The result equals ``tick.found`` unless the tick ran out of time.
    """
    snapshot = kept_ticks.snapshot_of(tick)
    outcome = run_matcher(
        snapshot.queue(),
        Rules.model_validate(tick.rules),
        tick.matcher,
        now=tick.at.timestamp(),
        seed=tick.seed,
        forecast=KeptVerdicts(kept_ticks.verdicts_of(tick)),
    )
    return matched_ticket_ids(outcome, snapshot)


def matched_ticket_ids(outcome: Outcome, snapshot: Snapshot) -> list[list[list[Any]]]:
    """Return the ids of the tickets in both teams of each match."""
    return [
        [[snapshot.tickets[index].id for index in team] for team in (match.team1, match.team2)]
        for match in outcome.matches
    ]
