"""Open dates follow their rosters: the new captain of a roster answers, moves and reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models import F, Q

from league.models import Arrangement, ArrangementStep, NoticeKind, Roster
from league.services.dates.people import everybody
from league.services.dates.steps import end_request, note
from league.services.notices.reading import mark_answered
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from datetime import datetime

    from league.models import Player

Kind = ArrangementStep.Kind
State = Arrangement.State
OPEN = [State.PROPOSED, State.ACCEPTED]


def follow(captains: Mapping[int, Player], now: datetime, **_sent: Any) -> None:
    """Give the open dates of rosters to their new captains, in the caller's transaction.

    ``captains`` are given by the id of their roster. The dates are locked in the order of their
    ids. One whose sides have the same captain now is over.
    """
    theirs = Q(proposer_roster__in=captains) | Q(opponent_roster__in=captains)
    # Also because PostgreSQL cannot lock rows that an outer join may lack, such as ``claimed_by``.
    rows = Arrangement.objects.select_for_update(of=("self",)).select_related(
        "arena", "proposer", "opponent", "proposer_roster", "opponent_roster", "claimed_by"
    )
    for one in rows.filter(theirs, state__in=OPEN).order_by("pk"):
        proposer = captains.get(one.proposer_roster_id or 0, one.proposer)
        opponent = captains.get(one.opponent_roster_id or 0, one.opponent)
        if proposer == opponent:
            end(one, now)
        elif (proposer, opponent) != (one.proposer, one.opponent):
            hand_over(one, proposer, opponent, now)


def catch_up(dates: Iterable[int], now: datetime) -> None:
    """Give dates that are open again to those who lead their rosters by now."""
    moved = Q(proposer_roster__isnull=False) & ~Q(proposer_roster__captain=F("proposer"))
    moved |= Q(opponent_roster__isnull=False) & ~Q(opponent_roster__captain=F("opponent"))
    rows = Arrangement.objects.filter(moved, pk__in=list(dates), state__in=OPEN)
    both = {pk for pair in rows.values_list("proposer_roster", "opponent_roster") for pk in pair}
    rosters = Roster.objects.filter(pk__in=both - {None}).select_related("captain")
    follow({roster.pk: roster.captain for roster in rosters}, now)


def hand_over(one: Arrangement, proposer: Player, opponent: Player, now: datetime) -> None:
    """Give a locked date to other captains. What waits for an answer waits for the new ones."""
    before = one.captains
    follows = {one.proposer_id: proposer, one.opponent_id: opponent}
    one.proposer, one.opponent, one.asked = proposer, opponent, follows[one.asked_id]
    if one.claimed_by_id is not None:
        one.claimed_by = follows[one.claimed_by_id]
    one.save(update_fields=["proposer", "opponent", "asked", "claimed_by"])
    for (was, _roster), captain in zip(before, [proposer, opponent], strict=True):
        if was != captain:
            mark_answered(was, NoticeKind.WAITING, now, arrangement=one)
            note(one, Kind.HANDED, now, by=captain)
            about = NoticeKind.WAITING if waits_for(one, captain) else NoticeKind.DATED
            notify(
                [captain], about, now, actor=one.other(captain), arena=one.arena, arrangement=one
            )


def waits_for(one: Arrangement, captain: Player) -> bool:
    """Return whether a captain has to answer a proposed time, a request or a claim."""
    if one.claimed_by_id is not None:
        return one.claimed_by_id != captain.pk
    unanswered = one.state == State.PROPOSED or one.request_id is not None
    return unanswered and one.asked_id == captain.pk


def end(one: Arrangement, now: datetime) -> None:
    """End a locked date whose sides have one captain, who cannot agree with themselves.

    A fixture gets another date once its sides have two captains again.
    """
    end_request(one)
    if one.state == State.PROPOSED:
        one.state, one.answered_at = State.WITHDRAWN, now
    else:
        one.state, one.changed_at = State.CALLED_OFF, now
        one.revision += 1
    one.claimed_by, one.claimed_at = None, None
    one.save(
        update_fields=["state", "answered_at", "changed_at", "claimed_by", "claimed_at", "revision"]
    )
    one.no_show_players.all().delete()
    for was in (one.proposer, one.opponent):
        mark_answered(was, NoticeKind.WAITING, now, arrangement=one)
    note(one, Kind.SAME, now)
    kind = NoticeKind.DATED if one.play_until is None else NoticeKind.FIXTURE
    for told in everybody(one):
        actor = one.opponent if told == one.proposer_id else one.proposer
        actor = actor if actor.pk != told else one.other(actor)
        notify([told], kind, now, actor=actor, arena=one.arena, arrangement=one)
