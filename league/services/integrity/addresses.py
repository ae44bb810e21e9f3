"""Hashed addresses of reports and answers: who shared one, until no detector reads them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from league.models import Confirmation, CounterReport, Match, Player
from league.services.integrity.detectors import DAYS

if TYPE_CHECKING:
    from datetime import datetime
    from uuid import UUID

    from django.db.models import QuerySet

KEPT = timedelta(days=DAYS + 2)
"""The time for which hashes of addresses are kept, from the report or the answer on."""


REPORT = ("pk", "reported_by", "reported_from", "reported_at")


def forget_old(now: datetime) -> int:
    """Clear old hashes and return of how many reports and answers."""
    before = now - KEPT
    reports = Match.objects.filter(reported_from__isnull=False, reported_at__lt=before)
    confirmations = Confirmation.objects.filter(sent_from__isnull=False, at__lt=before)
    counter_reports = CounterReport.objects.filter(sent_from__isnull=False, at__lt=before)
    return (
        reports.update(reported_from=None, confirmed_from=None)
        + confirmations.update(sent_from=None)
        + counter_reports.update(sent_from=None)
    )


@dataclass(frozen=True)
class Shared:
    """Another player who reported or answered from the same address on the same day."""

    player: Player
    times: int
    latest: datetime


def shared_by(player: Player, now: datetime, most: int) -> list[Shared]:
    """Return the players who shared an address with a player lately, latest first.

    They sent reports or answers with a hash of the player's: in the player's matches, or reports in
    any match.
    """
    mine = Match.objects.filter(
        sides__captain=player, reported_from__isnull=False, reported_at__gt=now - KEPT
    )
    sent = sent_in(mine)
    own = {sender for _match, by, sender, _at in sent if by == player.pk}
    reports: QuerySet[Any, Any] = Match.objects.filter(reported_from__in=own).values_list(*REPORT)
    sent |= set(reports)
    times: dict[int, list[datetime]] = {}
    for _match, by, at in {(match, by, at) for match, by, sender, at in sent if sender in own}:
        if by != player.pk:
            times.setdefault(by, []).append(at)
    latest = sorted(times, key=lambda by: (-max(times[by]).timestamp(), by))[:most]
    named = Player.ever.in_bulk(latest) if latest else {}
    return [Shared(named[by], len(times[by]), max(times[by])) for by in latest]


def sent_in(matches: QuerySet[Match]) -> set[tuple[int, int, UUID, datetime]]:
    """Return the reports of matches and the answers: the match, who sent it, whence and when."""
    matches = matches.order_by()
    answers = Confirmation.objects.filter(match__in=matches, sent_from__isnull=False)
    others = CounterReport.objects.filter(match__in=matches, sent_from__isnull=False)
    rows: QuerySet[Any, Any] = matches.values_list(*REPORT).union(
        matches.filter(confirmed_from__isnull=False).values_list(
            "pk", "confirmed_by", "confirmed_from", "settled_at"
        ),
        answers.values_list("match", "player", "sent_from", "at"),
        others.values_list("match", "reporter", "sent_from", "at"),
    )
    return set(rows)
