"""A match's reports, answers and messages, as its page shows them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from league.models import Status
from league.services.results.records import timeline
from league.services.results.reports import countering
from league.services.results.staff import threads
from league.web.core.acting import account_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Match, Player

MOST_PLACED = 16
"""The most sides of a result in the history, best first."""


@dataclass(frozen=True)
class Placed:
    """A side's name, place from 1 and score in a result that is not the match's own."""

    name: str
    place: int
    score: float | None


@dataclass(frozen=True)
class Moment:
    """An event with the result that it shows."""

    event: timeline.Entry
    placed: Sequence[Placed]
    more: int
    """The number of sides that are not shown."""


def history_context(
    request: HttpRequest, match: Match, me: Player | None, now: datetime
) -> dict[str, Any]:
    """Return the history of a match, and what the reader can add to it."""
    objection = timeline.open_objection(match)
    discussion = threads.discussion_of(match, objection)
    discussed = match.disputed_at is not None or bool(timeline.objections_of(match))
    since = threads.read_since(match, request.user, me) if discussed else None
    waiting = timeline.open_counter_report(match)
    events = timeline.entries(match, read_since=since)
    names = side_names(match) if any(event.placings for event in events) else []
    return {
        "history": [moment_of(event, names) for event in events],
        "counter_report": waiting,
        "countered": place_sides(waiting.placings, names)[:MOST_PLACED] if waiting else [],
        "may_answer_counter": waiting is not None
        and me is not None
        and countering.asking(me).filter(pk=match.pk).exists(),
        "may_change": me is not None
        and match.status == Status.REPORTED
        and match.reported_by_id == me.pk,
        "may_remove": threads.is_staff(request.user, match),
        "may_write": since is not None
        and threads.may_write(match, discussion, account_of(request), me, now),
        "discussion": discussion,
        "objection": objection,
        "may_withdraw_objection": objection is not None
        and me is not None
        and objection.player_id == me.pk,
        "now": now,
    }


def side_names(match: Match) -> list[str]:
    sides = match.sides.select_related("roster", "captain").order_by("index")
    return [side.roster.name if side.roster else side.captain.name for side in sides]


def moment_of(event: timeline.Entry, names: Sequence[str]) -> Moment:
    rows = place_sides(event.placings, names)
    return Moment(event, rows[:MOST_PLACED], max(0, len(rows) - MOST_PLACED))


def place_sides(placings: Iterable[Sequence[Any]], names: Sequence[str]) -> list[Placed]:
    """Return a result with the names of its sides, best first."""
    rows = [
        Placed(name, place + 1, score)
        for name, (place, score) in zip(names, placings, strict=False)
    ]
    return sorted(rows, key=lambda row: row.place)
