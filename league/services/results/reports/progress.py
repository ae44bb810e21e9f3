"""The state of the answers to an open report, for pages and the API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _

from league.models import Confirmation, CounterReport, Match, Player, Status
from league.services.results.reports import claims
from league.services.results.reports.agreement import silence_agrees
from league.services.results.reports.quorum import counts_at_deadline, silent_ranked, tally

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_NAMED = 20
"""Up to this many captains who confirmed are named."""


def state_of(match_id: int) -> str:
    """Return what changes with every step of an unsettled match, such as a report or an answer."""
    waiting = Q(counter_reports__state=CounterReport.State.OPEN)
    counted = Match.objects.annotate(
        confirmed=Count("confirmations", distinct=True),
        other=Max("counter_reports", filter=waiting, default=0),
    )
    rows = counted.filter(pk=match_id).values_list("status", "revision", "confirmed", "other")
    return ".".join(map(str, next(iter(rows), ())))


@dataclass(frozen=True)
class Progress:
    """The answers that an open report still needs."""

    silence_confirms: bool
    """Whether it counts if nobody answers any more."""
    has_quorum: bool = False
    """Whether it does because enough sides have confirmed it."""
    asked: Sequence[Player] = field(default_factory=list)
    """Players who have not said yet whether they quit."""
    ranked: Sequence[Player] = field(default_factory=list)
    """Ranked players of silent sides that can lose by it, up to ``MOST_NAMED``."""
    others: int = 1
    """The sides other than the reporting one."""
    needed: int = 1
    """The number of them who have to confirm."""
    confirmed: int = 0
    lacks_a_worse_side: bool = False
    """Whether a side placed below the reporting one still has to confirm."""
    named: Sequence[Player] = field(default_factory=list)
    """Captains who confirmed, first come first, up to ``MOST_NAMED``."""


def progress(match: Match) -> Progress | None:
    """Return what a report still needs, or ``None`` if the match is not waiting for answers."""
    if match.status != Status.REPORTED:
        return None
    rules = match.arena.result_settings()
    count = tally(match.pk)
    named: list[Player] = []
    if count.confirmed:
        answers = (
            Confirmation.objects.filter(match=match).select_related("player").order_by("at", "id")
        )
        named = [one.player for one in answers[:MOST_NAMED]]
    has_quorum = counts_at_deadline(match)
    confirmed = match.confirmations.values_list("player", flat=True)
    asked = claims.silent_players(match.pk, {match.reported_by_id, *confirmed})
    ranked = silent_ranked(match)[:MOST_NAMED] if count.others > 1 else []
    return Progress(
        silence_confirms=has_quorum or silence_agrees(match),
        has_quorum=has_quorum,
        asked=list(Player.objects.filter(pk__in=asked)),
        ranked=list(Player.objects.filter(pk__in=ranked)),
        others=count.others,
        needed=count.sides_needed(rules),
        confirmed=count.confirmed,
        lacks_a_worse_side=count.lacks_a_worse_side,
        named=named,
    )


def after_confirming(match: Match) -> str:
    """Return what to tell a captain who has confirmed a report."""
    if match.status == Status.RATED:
        return _("Confirmed. The match page shows the rating changes.")
    if counts_at_deadline(match):
        return _("Confirmed. It counts at the deadline, unless somebody disputes it before.")
    return _("Confirmed. More sides have to confirm before it counts.")
