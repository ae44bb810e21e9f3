"""Run the ticks of the last day again, under the rules of their time and under others.

Parties arrive as they did. Both runs start with the queue as the first tick found it, and decide
from there whom to match: a party that was matched in reality waits on until a run matches it too,
and one that left the queue leaves both. If one of its players queued again since, it has left.

So the two runs can be compared with each other. What they cannot tell: who would have come or
given up under other rules, which ready checks would have failed, and how ratings would have moved.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import transaction

from league.models import Arena, ArenaQueue, Job, StaffAction, Tick
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.staff_log import of_arena
from league.services.jobs import jobs
from league.services.queue.fair_odds import odds_of_given
from league.services.queue.kept_ticks import inflate
from league.services.queue.snapshots import Snapshot, ticket_from_json
from league.services.queue.ticks import run_matcher
from matchmaking.lab.quality import figures, quality
from matchmaking.rules.arena import Rules

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from league.models import Season, User
    from league.services.jobs.jobs import Progress
    from matchmaking.lab.quality import Quality
    from matchmaking.ticket import Ticket

KIND = "queue-trial"
SPAN = timedelta(days=1)
MOST_SECONDS = 300.0
"""Seconds that the matcher took for all ticks that are run again. Earlier ones are left out."""
MOST_BETWEEN = 20
"""Runs of the matcher in a time in which nobody waited in reality, and so no tick was kept."""
MOST_AT_ONCE = 3
"""Re-runs of one person that wait or run."""


@dataclass(frozen=True)
class Settings:
    """The settings that make the matches of a queue."""

    matcher: str
    rules: Rules


@dataclass(frozen=True)
class Seen:
    """A stored tick with the queue that its matcher got."""

    tick: Tick
    tickets: dict[Any, dict[str, Any]]
    """By id, in the order of the queue, as JSON values."""
    met: list[tuple[Any, Any]]


@dataclass
class Run:
    """A queue under some settings, one tick after another."""

    queue: ArenaQueue
    season: Season
    waiting: dict[Any, Ticket] = field(default_factory=dict)
    """By id, in the order of the queue."""
    met: set[tuple[Any, Any]] = field(default_factory=set)
    matched: set[Any] = field(default_factory=set)
    matches: list[Quality] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    lengths: list[int] = field(default_factory=list)

    def arrive(self, tickets: Mapping[Any, dict[str, Any]]) -> None:
        """Let the parties of a stored queue wait, except those that are matched already."""
        for key, entry in tickets.items():
            if key in self.matched:
                continue
            ticket = ticket_from_json(entry)
            if key not in self.waiting:
                self.leave_for(ticket)
            self.waiting[key] = ticket

    def leave_for(self, new: Ticket) -> None:
        """Let parties leave whose players have queued again."""
        people = {player.id for player in new.players}
        for key, ticket in list(self.waiting.items()):
            if not people.isdisjoint(player.id for player in ticket.players):
                del self.waiting[key]

    def match(self, settings: Settings, now: float, seed: int) -> None:
        """Run the matcher once, with the forecasts of the season."""
        self.lengths.append(len(self.waiting))
        if not self.waiting:
            return
        keys = list(self.waiting)
        met = [pair for pair in self.met if self.waiting.keys() >= set(pair)]
        queue = Snapshot(list(self.waiting.values()), sorted(met)).queue()
        rules, at = settings.rules, datetime.fromtimestamp(now, UTC)
        odds = odds_of_given(self.queue, self.season, queue, rules, at)
        outcome = run_matcher(queue, rules, settings.matcher, now=now, seed=seed, forecast=odds)
        for match in outcome.matches:
            self.matches.append(quality(queue, match, rules.scale))
            self.waits += queue.waits(now)[list(match.tickets)].tolist()
            self.matched.update(keys[at] for at in match.tickets)
        self.waiting = {keys[at]: self.waiting[keys[at]] for at in outcome.left}

    def figures(self, now: float) -> dict[str, float | None]:
        """Return the figures of the run until now."""
        still = [max(now - ticket.queued_at, 0.0) for ticket in self.waiting.values()]
        found = asdict(figures(self.matches, self.waits, still, self.lengths))
        gaps = [one.gap for one in self.matches]
        found["gap_p95"] = float(np.percentile(gaps, 95)) if gaps else float("nan")
        found["waiting"] = len(still)
        return {name: value if np.isfinite(value) else None for name, value in found.items()}


def ask(
    arena: Arena,
    settings: Settings,
    *,
    by: User,
    now: datetime,
    typed: Mapping[str, list[str]] | None = None,
) -> Job:
    """Store a job that runs the last day's ticks of an arena again with these settings.

    ``typed`` is the form that they come from, for whoever applies them afterwards.

    Raises:
        Refused: no tick of that time is kept.
        Conflict: this person has too many such jobs running.
    """
    if not ticks_since(arena, now - SPAN).exists():
        raise Refused(
            "no_ticks",
            _("Nobody has waited in this queue in the last 24 hours, so nothing is kept."),
        )
    running = Job.objects.filter(kind=KIND, by=by, state=Job.State.WAITING, cancelled_at=None)
    if running.count() >= MOST_AT_ONCE:
        raise Conflict(
            "too_many",
            _("%(count)d of your trials are still running. Wait for one, or cancel it.")
            % {"count": MOST_AT_ONCE},
        )
    title = _("Trial of other settings for the queue of %(arena)s") % {"arena": arena}
    written = settings.rules.model_dump(mode="json")
    return jobs.ask(
        KIND,
        title,
        by=by,
        now=now,
        arena=arena,
        matcher=settings.matcher,
        rules=written,
        typed=typed or {},
    )


def ticks_since(arena: Arena, since: datetime) -> Any:
    return Tick.objects.filter(arena=arena, at__gte=since).order_by("at", "pk")


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:  # noqa: ARG001 - as all work
    """Do the work of a job of the kind ``queue-trial``. It writes nothing."""
    arena = job.arena
    if arena is None:
        raise Refused("no_arena", _("The arena no longer exists."))
    season = arena.seasons.filter(starts_at__lte=job.at).order_by("-starts_at").first()
    queue = ArenaQueue.objects.select_related("arena").filter(arena=arena).first()
    if season is None or queue is None:
        raise Refused("no_season", _("The arena has no season or no queue."))
    given = Rules.model_validate(job.given["rules"])
    new = Settings(job.given["matcher"], given.on_scale(season.system().scale))
    first, left_out = first_tick(arena, job.at - SPAN)
    ticks = ticks_since(arena, job.at - SPAN).filter(pk__gte=first, at__lte=job.at)
    total = ticks.count()
    runs = Run(queue, season), Run(queue, season)
    before: Seen | None = None
    for done, seen in enumerate(read_ticks(ticks), start=1):
        progress(_("Running ticks again"), done, total)
        rules = Settings(seen.tick.matcher, Rules.model_validate(seen.tick.rules))
        for run, settings in zip(runs, (rules, new), strict=True):
            step(run, settings, before, seen)
        before = seen
    if before is None:
        raise Refused("no_ticks", _("The ticks of that time are no longer kept."))
    at = before.tick.at
    return {
        "arena": arena.pk,
        "ticks": total,
        "left_out": left_out,
        "since": ticks.values_list("at", flat=True).first().isoformat(),
        "until": at.isoformat(),
        "old": runs[0].figures(at.timestamp()),
        "new": runs[1].figures(at.timestamp()),
        "differences": differences(before.tick.matcher, before.tick.rules, job.given),
    }


def settle(job: Job, outcome: str) -> None:
    """Note that the settings of a re-run were ``applied`` or ``discarded``.

    Raises ``Conflict`` if somebody has done either before.
    """
    with transaction.atomic():
        found = Job.objects.select_for_update(of=["self"]).filter(pk=job.pk, kind=KIND).get()
        if "outcome" in found.result:
            raise Conflict("decided", describe_decision(found))
        found.result = {**found.result, "outcome": outcome}
        found.save(update_fields=["result"])


def describe_decision(job: Job) -> str:
    """Return what was decided about the settings of a re-run, empty if nothing yet."""
    outcome = (job.result or {}).get("outcome")
    if outcome is None:
        return ""
    if outcome == "applied":
        return _("These settings have been applied already.")
    return _("These settings have been discarded.")


def discard(job: Job, *, by: User, reason: str, now: datetime) -> None:
    """Decide against the settings of a re-run. The staff log keeps them.

    Raises:
        Refused: there is no reason.
        Conflict: they were applied or discarded already.
    """
    if not reason.strip():
        raise Refused("no_reason", _("Give a reason for the staff log."), field="reason")
    with transaction.atomic():
        settle(job, "discarded")
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.DELETED,
            reason=reason.strip(),
            details={
                "model": "league.job",
                "id": str(job.pk),
                "object": job.title,
                **of_arena(job.arena),
            },
            before={name: new for name, _old, new in job.result["differences"]},
            at=now,
        )


def first_tick(arena: Arena, since: datetime) -> tuple[int, int]:
    """Return the first tick to run again, and how many earlier ones that leaves out.

    The latest ones that took the matcher ``MOST_SECONDS`` together are run again.
    """
    rows = list(ticks_since(arena, since).values_list("pk", "seconds"))
    if not rows:
        raise Refused("no_ticks", _("The ticks of that time are no longer kept."))
    spent, chosen = rows[-1][1], len(rows) - 1
    while chosen > 0 and spent + rows[chosen - 1][1] <= MOST_SECONDS:
        chosen -= 1
        spent += rows[chosen][1]
    return rows[chosen][0], chosen


def read_ticks(ticks: Any) -> Iterator[Seen]:
    """Yield stored ticks with their queues, in order."""
    for tick in ticks.iterator(chunk_size=100):
        queue = inflate(tick.queue)
        tickets = {ticket["id"]: ticket for ticket in queue["tickets"]}
        yield Seen(tick, tickets, [(one, other) for one, other in queue["met"]])


def step(run: Run, settings: Settings, before: Seen | None, seen: Seen) -> None:
    """Let a run live through the time since the tick ``before``, and through a tick."""
    now, seed = seen.tick.at.timestamp(), seen.tick.seed
    if before is not None:
        between(run, settings, before.tick.at.timestamp(), now, seed)
        found = {ticket for match in before.tick.found for team in match for ticket in team}
        for key in before.tickets.keys() - seen.tickets.keys() - found:
            run.waiting.pop(key, None)
    run.met.update(seen.met)
    run.arrive(seen.tickets)
    run.match(settings, now, seed)


def between(run: Run, settings: Settings, since: float, until: float, seed: int) -> None:
    """Run the matcher while nobody waited in reality, if somebody waits in the run."""
    pause = max(settings.rules.queue.iteration_interval, (until - since) / (MOST_BETWEEN + 1))
    if until - since < 2 * pause:
        return
    for moment in np.arange(since + pause, until - pause / 2, pause).tolist():
        if run.waiting:
            run.match(settings, moment, seed)


def differences(matcher: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> list[list[Any]]:
    """Return the names of the settings that differ, with both values."""
    was, now = flat(old), flat(new["rules"])
    found = [["matcher", matcher, new["matcher"]]] if matcher != new["matcher"] else []
    return found + [
        [name, was.get(name), now.get(name)]
        for name in sorted({*was, *now})
        if was.get(name) != now.get(name)
    ]


def flat(values: Mapping[str, Any], path: str = "") -> dict[str, Any]:
    """Return nested values by their path, such as ``matcher.dishonor_distance``."""
    found: dict[str, Any] = {}
    for name, value in values.items():
        if isinstance(value, dict):
            found |= flat(value, f"{path}{name}.")
        else:
            found[path + name] = value
    return found
