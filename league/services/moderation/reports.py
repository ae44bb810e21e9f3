"""Reports by players of other players. Only moderators see them."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Match, Player, PlayerReport, StaffAction
from league.models.moderation import LONGEST_TEXT
from league.services.core.errors import Conflict, Forbidden, LimitReached, Refused
from league.services.core.isolation import gettext as _
from league.services.eligibility.reasons import refuse_banned
from league.services.moderation.impartial import refuse_own

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import User

PERMISSION = "league.change_playerreport"
DAY = timedelta(days=1)
MOST_A_DAY = 5
"""The most players whom one player can report in 24 hours."""
MOST_TIMES = 10
"""The most additions of a player to an open report."""


def report(
    player: Player,
    reason: str,
    text: str,
    *,
    by: Player,
    now: datetime,
    match: Match | None = None,
) -> PlayerReport:
    """Report a player to the moderators. A report that is still open takes in what is new.

    Raises:
        Forbidden: ``by`` is banned.
        Refused: there is no text or no such reason, the player is ``by``, or did not play in the
            match.
        LimitReached: ``by`` has reported too many players, or this one too often.
    """
    text = text.strip()[:LONGEST_TEXT]
    if not text:
        raise Refused("no_text", _("Say what happened. Only moderators read it."), field="text")
    if reason not in PlayerReport.Reason.values:
        raise Refused("reason", _("Choose one of the reasons."), field="reason")
    if player == by:
        raise Refused("own_player", _("You cannot report yourself."), field="player")
    if match is not None and not match.participants.filter(player=player).exists():
        raise Refused(
            "not_playing",
            _("%(player)s did not play in match %(number)d.")
            % {"player": player, "number": match.pk},
            field="match",
        )
    refuse_banned([], now, by=by)
    with transaction.atomic():
        # One report of theirs after the other: two at once would both be new, or pass the limit.
        Player.objects.select_for_update(no_key=True).get(pk=by.pk)
        earlier = PlayerReport.objects.open().filter(reporter=by, reported=player)
        known = earlier.order_by("pk").select_for_update().first()
        if known is not None:
            return add_to(known, reason, text, match, now)
        recent = PlayerReport.objects.filter(reporter=by, at__gt=now - DAY)
        if recent.count() >= MOST_A_DAY:
            message = _("You have reported %(count)d players in 24 hours. Wait a day.")
            raise LimitReached("too_many", message % {"count": MOST_A_DAY}, wait=86_400)
        return PlayerReport.objects.create(
            reporter=by,
            reported=player,
            match=match,
            reason=reason,
            text=text,
            at=now,
            latest_at=now,
        )


def add_to(
    known: PlayerReport, reason: str, text: str, match: Match | None, now: datetime
) -> PlayerReport:
    """Add another report to an open one about the same player. Saying it twice adds nothing."""
    if text in known.text and known.reason == reason:
        return known
    if known.times >= MOST_TIMES:
        message = _("You have reported %(player)s already. Moderators will read it.")
        raise LimitReached("reported", message % {"player": known.reported})
    about = PlayerReport.Reason(reason).label
    place = f" (#{match.pk})" if match else ""
    known.text += f"\n\n{now:%Y-%m-%d} {about}{place}: {text}"
    known.times += 1
    known.latest_at = now
    known.match = known.match or match
    known.save(update_fields=["text", "times", "latest_at", "match"])
    return known


def resolve(report_id: int, *, by: User, note: str, now: datetime) -> PlayerReport:
    """Resolve a report as a moderator, with a note on the findings.

    Raises:
        Forbidden: ``by`` may not, made the report, or is reported.
        Refused: there is no note.
        Conflict: it is already resolved.
    """
    if not note.strip():
        raise Refused("no_note", _("Write what you found."), field="note")
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_staff", _("Only moderators can resolve a report."))
    with transaction.atomic():
        one = PlayerReport.objects.select_for_update().get(pk=report_id)
        refuse_own(one.reported, by)
        refuse_own(one.reporter, by)
        if one.resolved_at is not None:
            raise Conflict("resolved", _("This report is already resolved."))
        close([one], by=by, note=note.strip(), now=now)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.CASE,
            reason=note.strip(),
            details={
                "player": one.reported_id,
                "name": one.reported.name,
                "report": one.pk,
                "step": "report resolved",
            },
            at=now,
        )
    return one


def close(found: Iterable[PlayerReport], *, by: User, note: str, now: datetime) -> None:
    """Mark reports as resolved."""
    for one in found:
        one.resolved_at, one.resolved_by, one.note = now, by, note
        one.save(update_fields=["resolved_at", "resolved_by", "note"])
