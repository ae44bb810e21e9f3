"""The inbox of a player."""

from __future__ import annotations

from datetime import timedelta
from functools import cache
from typing import TYPE_CHECKING

from django.db.models import BooleanField, Exists, ExpressionWrapper, F, OuterRef, Q

from league.models import (
    Arena,
    CounterReport,
    Notice,
    NoticeKind,
    Participant,
    Season,
    Side,
    Status,
)

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from django.db.models import Model, QuerySet

    from league.models import Player

KEPT = timedelta(days=180)
"""The time for which notices are kept."""
BATCH = 5_000
MOST_COUNTED = 99
"""The highest number of notices, and of anything else that waits, that is counted."""
NAMED = (
    "actor",
    "arena",
    "match__arena",
    "arrangement__arena",
    "arrangement__proposer",
    "arrangement__proposer_roster",
    "arrangement__opponent",
    "arrangement__opponent_roster",
    "roster__arena",
    "challenge__season__arena",
    "competition__season__arena",
    "challenge__challenger",
    "challenge__challenged",
    "award__action",
    "award__arena",
    "award__appeal__action",
    "letter",
    "team",
    "season__arena",
    "badge",
)
"""The relations that texts of notices name."""
PICTURED = tuple(
    f"{player}__profile"
    for player in (
        "actor",
        "arrangement__proposer",
        "arrangement__opponent",
        "challenge__challenger",
        "challenge__challenged",
    )
)
"""The profiles of players whose pictures an inbox shows."""


def inbox(player: Player) -> QuerySet[Notice]:
    """Return a player's notices, newest first, with what their texts name and its pictures."""
    named = with_names(Notice.objects.filter(player=player).order_by("-id"))
    return named.select_related(*PICTURED)


def with_names(notices: QuerySet[Notice]) -> QuerySet[Notice]:
    """Return notices with what their texts name. Of arenas and seasons that is little.

    ``asks_whether_left`` is true for those about a report which says that their reader quit, and
    which the reader cannot confirm because they lead no side. ``is_countered`` is true for those
    about a dispute with another result that waits for the reader's answer.
    """
    of_reader = {"match": OuterRef("match"), "player": OuterRef("player")}
    quits = Exists(Participant.objects.filter(**of_reader, quit=True))
    leads = Exists(Side.objects.filter(match=OuterRef("match"), captain=OuterRef("player")))
    of_report = Q(kind=NoticeKind.REPORTED, match__status=Status.REPORTED)
    asks = ExpressionWrapper(of_report & quits & ~leads, output_field=BooleanField())
    other = CounterReport.objects.filter(
        match=OuterRef("match"),
        state=CounterReport.State.OPEN,
        match__status=Status.DISPUTED,
        match__sides__index=F("match__reported_by_side"),
        match__sides__captain=OuterRef("player"),
    )
    countered = ExpressionWrapper(
        Q(kind=NoticeKind.DISPUTED) & Exists(other), output_field=BooleanField()
    )
    named = notices.select_related(*NAMED).defer(*fields_not_named())
    return named.annotate(asks_whether_left=asks, is_countered=countered)


@cache
def fields_not_named() -> tuple[str, ...]:
    """Return the fields of arenas and seasons that no text needs, more than half of all columns."""
    arenas = [path for path in NAMED if path.endswith("arena")]
    seasons = [path.removesuffix("__arena") for path in arenas if path.endswith("season__arena")]
    return tuple(
        f"{path}__{field.name}"
        for model, paths, named in (
            (Arena, arenas, {"id", "name", "slug"}),
            (Season, seasons, {"id", "name", "arena"}),
        )
        for path in paths
        for field in model._meta.concrete_fields  # noqa: SLF001 - Django's documented name
        if field.name not in named
    )


def unread(player: Player) -> QuerySet[Notice]:
    return Notice.objects.unseen().filter(player=player)


def mark_read(player: Player, now: datetime, ids: Iterable[int] | None = None) -> int:
    """Mark a player's notices as read, all of them without ``ids``. Return how many were unread."""
    chosen = unread(player) if ids is None else unread(player).filter(pk__in=list(ids))
    return chosen.update(seen_at=now, mail_at=None)


def mark_answered(player: Player, kind: NoticeKind, now: datetime, **about: Model) -> None:
    """Mark a player's notices about what they have just answered as read."""
    unread(player).filter(kind=kind, **about).update(seen_at=now, mail_at=None)


def forget_old(now: datetime) -> int:
    """Delete old notices and return how many."""
    # By id, as no index leads to old ones. Ids grow with time closely enough.
    oldest = Notice.objects.order_by("pk").values_list("pk", "created_at")[:BATCH]
    old = [pk for pk, created_at in oldest if created_at < now - KEPT]
    deleted, _by_model = Notice.objects.filter(pk__in=old).delete()
    return deleted
