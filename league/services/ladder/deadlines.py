"""Deadlines of challenges: penalise ignored ones, and end accepted ones that nobody plays."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Challenge, Match, Participant, Settlement, Status
from league.services.core.kill_points import committing
from league.services.eligibility.reasons import is_locked
from league.services.ladder import forfeits
from league.services.ladder.challenges import close, is_running, ladder_of
from league.services.site import frame

if TYPE_CHECKING:
    from datetime import datetime


def sweep(now: datetime, limit: int = 500) -> int:
    """Process challenges that are due and return how many changed. Safe to run concurrently.

    Unanswered challenges count as ignored. Challenges lapse if they are not played in time, if no
    match of their season can begin any more, or if the account of a player is locked.

    Nothing is due during maintenance. Its end postpones all deadlines.
    """
    if frame.current().maintenance:
        return 0
    waiting = Challenge.objects.to_come()
    over = Q(season__ends_at__lte=now) | Q(season__arena__is_open=False)
    gone = Q(challenger__user__is_active=False) | Q(challenged__user__is_active=False)
    due = [
        Challenge.objects.unanswered(now),
        Challenge.objects.unplayed(now),
        waiting.filter(over | gone),
    ]
    ids = {pk for some in due for pk in some.order_by("pk").values_list("pk", flat=True)[:limit]}
    return sum(process(pk, now) for pk in sorted(ids))


def process(challenge_id: int, now: datetime) -> bool:
    """Process one challenge, unless another process has it locked."""
    with committing("challenge deadline"):
        free = Challenge.objects.select_for_update(of=("self",), skip_locked=True)
        people = ("season__arena", "challenger__user", "challenged__user")
        one = free.select_related(*people).filter(pk=challenge_id).first()
        if one is None or one.state not in {Challenge.State.OPEN, Challenge.State.ACCEPTED}:
            return False
        if one.match_id is not None:
            return void_if_late(one, now)
        return advance(one, now)


def advance(one: Challenge, now: datetime) -> bool:
    """Process a locked challenge that has no match yet."""
    if one.state == Challenge.State.OPEN and is_running(one.season, now) and not locked_out(one):
        return forfeit_if_ignored(one, now)
    late = one.play_by is not None and one.play_by <= now
    if late or not is_running(one.season, now) or locked_out(one):
        close(one, Challenge.State.LAPSED, now)
        return True
    return False


def locked_out(one: Challenge) -> bool:
    """Return whether one of the players has a locked account."""
    return is_locked(one.challenger) or is_locked(one.challenged)


def forfeit_if_ignored(one: Challenge, now: datetime) -> bool:
    """Charge the challenged player the ladder's cost if the time to answer has run out."""
    if one.answer_by > now:
        return False
    ladder = ladder_of(one.season)
    cost = ladder.parameters.ignored_challenge_cost if ladder else 0
    one.match = forfeits.drop(one.season_id, one.challenged, cost, now)
    close(one, Challenge.State.IGNORED, now)
    return True


def void_if_late(one: Challenge, now: datetime) -> bool:
    """Void the match of a challenge that nobody reported in time."""
    if one.match_id is None or one.play_by is None or one.play_by > now:
        return False
    # A report may have come since. It locks the match, so its status is the last word.
    match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=one.match_id)
    if match.status != Status.LIVE:
        return False
    match.status, match.settlement = Status.VOID, Settlement.CHALLENGE
    match.settled_at = now
    match.save(update_fields=["status", "settlement", "settled_at"])
    Participant.objects.filter(match=match, live=True).update(live=False)
    close(one, Challenge.State.LAPSED, now)
    return True
