"""Everything that waits for staff: how much of it, and since or until when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Count, Exists, Min, OuterRef, Q, Subquery, Value
from django.db.models.functions import Coalesce

from league.models import (
    Appeal,
    Arena,
    ArenaQueue,
    Challenge,
    Competition,
    DiscordBoard,
    Email,
    Fixture,
    Flag,
    Job,
    Match,
    Objection,
    PlayerClaim,
    PlayerReport,
    Status,
    Tick,
    Ticket,
    Webhook,
)
from league.models.reach import in_arenas, is_of_arenas
from league.services.site import frame

if TYPE_CHECKING:
    from collections.abc import Collection

    from django.db.models import QuerySet

    from league.models import Player

SOON = timedelta(days=7)
"""The time ahead for which starts and ends of seasons are announced."""
LAPSES = timedelta(hours=24)
"""The time ahead for which reports are announced that count without an answer, or lapse."""
GRACE = timedelta(minutes=5)
"""The longest delay in processing a challenge's deadline. Later, something is stuck."""
STUCK = timedelta(minutes=2)
"""The longest wait of an open queue's players without a tick."""
RECENT = timedelta(days=7)
"""For how long failed work is shown."""
STAND_STILL = {"challenges", "competitions", "queues"}
"""The kinds that stop during maintenance, which is no sign of trouble."""


@dataclass(frozen=True)
class Kind:
    """Rows that wait, and the field with the time since when or until when each waits."""

    rows: QuerySet[Any]
    since: str


@dataclass(frozen=True)
class Waiting:
    """The amount of one kind that waits for staff."""

    kind: str
    count: int
    since: datetime
    """The time at which the oldest began to wait, or at which the next is due."""


def waiting(
    now: datetime, arenas: Collection[int] | None = None, reader: Player | None = None
) -> dict[str, Waiting]:
    """Return the work that waits for ``reader``, by kind, without empty kinds.

    ``arenas`` limits it to what belongs to these arenas; ``None`` is the whole league.
    """
    still = STAND_STILL if frame.current().maintenance else set()
    first, *others = (
        count_statement(name, kind, arenas)
        for name, kind in kinds(now, reader).items()
        if name not in still and (arenas is None or is_of_arenas(kind.rows.model))
    )
    return {
        name: Waiting(name, count, since)
        for name, count, since in first.union(*others, all=True)
        if count
    }


def count_statement(name: str, kind: Kind, arenas: Collection[int] | None) -> QuerySet[Any, Any]:
    """Return a statement for the number of a kind's rows, and its first time."""
    rows: QuerySet[Any, Any] = kind.rows.order_by()
    if arenas is not None:
        rows = rows.filter(in_arenas(rows.model, arenas))
    found: QuerySet[Any, Any] = rows.values(waiting=Value(name))
    found = found.annotate(number=Count("pk", distinct=True), first_since=Min(kind.since))
    return found.values_list("waiting", "number", "first_since")


def waiting_rows(name: str, now: datetime, reader: Player | None) -> QuerySet[Any]:
    """Return the rows of a kind, which its list shows."""
    return kinds(now, reader)[name].rows


def kinds(now: datetime, reader: Player | None) -> dict[str, Kind]:
    """Return all kinds of work that may wait. Each reads a partial index, or a small table."""
    undecided = Match.objects.filter(status__in=[Status.LIVE, Status.REPORTED, Status.DISPUTED])
    soon, recently = now + SOON, now - RECENT
    return {
        "disputes": Kind(undecided.filter(status=Status.DISPUTED), "disputed_at"),
        "objections": Kind(
            Match.objects.filter(objections__state=Objection.State.OPEN), "objections__at"
        ),
        "lapsing": Kind(
            Match.objects.filter(status=Status.REPORTED, confirm_deadline__lt=now + LAPSES),
            "confirm_deadline",
        ),
        "flags": Kind(Flag.objects.filter(resolved_at=None), "raised_at"),
        "claims": Kind(PlayerClaim.objects.filter(state=PlayerClaim.State.OPEN), "made_at"),
        "appeals": Kind(Appeal.objects.filter(state=Appeal.State.OPEN), "at"),
        "reports": Kind(about_others(reader), "at"),
        "challenges": Kind(overdue(now - GRACE), "due"),
        "fixtures": Kind(Fixture.objects.needing_attention(), "round__closes_at"),
        "competitions": Kind(
            Competition.objects.filter(
                state=Competition.State.REGISTRATION, starts_at__lt=now - GRACE
            ),
            "starts_at",
        ),
        "unfinished": Kind(
            Competition.objects.unfinished().filter(season__ends_at__lt=soon), "season__ends_at"
        ),
        "starting": Kind(
            Arena.objects.filter(seasons__opened_at=None, seasons__starts_at__lt=soon),
            "seasons__starts_at",
        ),
        "ending": Kind(
            Arena.objects.filter(
                seasons__opened_at__isnull=False,
                seasons__archived_at=None,
                seasons__ends_at__lt=soon,
            ),
            "seasons__ends_at",
        ),
        "queues": Kind(stuck(now - STUCK), "since"),
        "jobs": Kind(
            Job.objects.filter(state=Job.State.FAILED, finished_at__gt=recently), "finished_at"
        ),
        "mails": Kind(
            Email.objects.filter(state=Email.State.FAILED, closed_at__gt=recently), "closed_at"
        ),
        "webhooks": Kind(
            Webhook.objects.exclude(paused__in=[Webhook.Paused.NOT, Webhook.Paused.STAFF]),
            "paused_at",
        ),
        "boards": Kind(DiscordBoard.objects.filter(stopped_at__isnull=False), "stopped_at"),
    }


def about_others(reader: Player | None) -> QuerySet[PlayerReport]:
    """Return open reports by players without those about ``reader``."""
    reports = PlayerReport.objects.filter(resolved_at=None)
    return reports.exclude(reported=reader) if reader else reports


def overdue(by: datetime) -> QuerySet[Challenge]:
    """Return challenges that should have been answered or played by then."""
    unanswered = Q(state=Challenge.State.OPEN, answer_by__lt=by)
    unplayed = Q(state=Challenge.State.ACCEPTED, play_by__lt=by)
    is_unplayed = Q(match=None) | Q(match__status=Status.LIVE)
    late = Challenge.objects.filter(unanswered | (unplayed & is_unplayed))
    return late.alias(due=Coalesce("play_by", "answer_by"))


def stuck(since: datetime) -> QuerySet[ArenaQueue]:
    """Return open queues whose players wait since before then without a tick."""
    first = Ticket.objects.filter(arena=OuterRef("arena"), state=Ticket.State.WAITING)
    ticks = Tick.objects.filter(arena=OuterRef("arena"), at__gt=since)
    open_queues = ArenaQueue.objects.filter(is_open=True, arena__is_open=True)
    return open_queues.alias(
        since=Subquery(first.order_by("queued_at").values("queued_at")[:1])
    ).filter(~Exists(ticks), since__lt=since)
