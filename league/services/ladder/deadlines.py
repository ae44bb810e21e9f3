"""Challenges whose time has come: the ignored are paid for, the accepted begin or lapse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Q

from league.models import Challenge, Match, Participant, Settlement, Status
from league.services.core.errors import Refused
from league.services.eligibility.reasons import is_locked
from league.services.ladder import forfeits
from league.services.ladder.challenges import begin, close, is_running, ladder_of

if TYPE_CHECKING:
    from datetime import datetime


def sweep(now: datetime, limit: int = 500) -> int:
    """See to challenges whose time has come; how many. Safe to run twice at once.

    Unanswered ones count as ignored, accepted ones begin once both are free, those not played in
    time come to nothing, and so do those of whose season no match can begin any more, or one of
    whose players is locked out.
    """
    waiting = Challenge.objects.to_come()
    over = Q(season__ends_at__lte=now) | Q(season__arena__is_open=False)
    gone = Q(challenger__user__is_active=False) | Q(challenged__user__is_active=False)
    due = [
        Challenge.objects.unanswered(now),
        Challenge.objects.unplayed(now),
        waiting.filter(over | gone),
        waiting.filter(state=Challenge.State.ACCEPTED),
    ]
    ids = {pk for some in due for pk in some.order_by("pk").values_list("pk", flat=True)[:limit]}
    return sum(see_to(pk, now) for pk in sorted(ids))


def see_to(challenge_id: int, now: datetime) -> bool:
    """Do what is due of one challenge, unless somebody else is at it."""
    with transaction.atomic():
        free = Challenge.objects.select_for_update(of=("self",), skip_locked=True)
        people = ("season__arena", "challenger__user", "challenged__user")
        one = free.select_related(*people).filter(pk=challenge_id).first()
        if one is None or one.state not in {Challenge.State.OPEN, Challenge.State.ACCEPTED}:
            return False
        if one.match_id is not None:
            return give_up(one, now)
        return move_on(one, now)


def move_on(one: Challenge, now: datetime) -> bool:
    """Do what is due of a challenge that has no match yet; the caller has it locked."""
    if one.state == Challenge.State.OPEN and is_running(one.season, now) and not locked_out(one):
        return ignore(one, now)
    late = one.play_by is not None and one.play_by <= now
    if late or not is_running(one.season, now) or locked_out(one):
        close(one, Challenge.State.LAPSED, now)
        return True
    try:
        begin(one, now)
    except Refused:  # the arena does not take such matches any more
        close(one, Challenge.State.LAPSED, now)
        return True
    one.save(update_fields=["match"])
    return one.match_id is not None


def locked_out(one: Challenge) -> bool:
    return is_locked(one.challenger) or is_locked(one.challenged)


def ignore(one: Challenge, now: datetime) -> bool:
    """An open challenge whose time is up costs the challenged what the ladder says."""
    if one.answer_by > now:
        return False
    ladder = ladder_of(one.season)
    cost = ladder.parameters.ignored_challenge_cost if ladder else 0
    one.match = forfeits.drop(one.season_id, one.challenged, cost, now)
    close(one, Challenge.State.IGNORED, now)
    return True


def give_up(one: Challenge, now: datetime) -> bool:
    """Make the match of a challenge void if its time is up and nobody has reported it."""
    if one.match_id is None or one.play_by is None or one.play_by > now:
        return False
    match = Match.objects.select_for_update(of=("self",), no_key=True).get(pk=one.match_id)
    if match.status != Status.LIVE:
        return False
    match.status, match.settlement = Status.VOID, Settlement.CHALLENGE
    match.settled_at = now
    match.save(update_fields=["status", "settlement", "settled_at"])
    Participant.objects.filter(match=match, live=True).update(live=False)
    close(one, Challenge.State.LAPSED, now)
    return True
