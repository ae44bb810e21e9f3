"""Lists of arrangements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Arrangement, Challenge, RosterMember
from league.models.challenge import AGREED
from league.services.dates.limits import REPORT_WITHIN
from ratings.systems.ladder.system import Ladder

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from django.db.models.functions import Now

    from league.models import Arena, Player
    from league.models.arrangement import ArrangementQuerySet


def waiting_for(player: Player, now: datetime | Now) -> ArrangementQuerySet:
    """Return the proposals, requests and no-shows that ``player`` can answer, the next match first.

    ``now`` can be the time of the database.
    """
    claimed = Q(claimed_by__isnull=False, play_at__gt=now - REPORT_WITHIN)
    proposed = Q(state=Arrangement.State.PROPOSED, play_at__gt=now)
    in_time = proposed | Q(request_until__gt=now) | claimed
    return Arrangement.objects.waiting_for(player).filter(in_time).order_by("play_at", "id")


def waiting_for_others(player: Player, now: datetime) -> ArrangementQuerySet:
    """Return the proposals of ``player`` that the other captain has to answer."""
    theirs = Arrangement.objects.proposed().of(player).exclude(asked=player)
    return theirs.filter(play_at__gt=now).in_lines().order_by("play_at", "id")


def to_play(player: Player) -> ArrangementQuerySet:
    """Return the agreed dates of a player, alone or with a roster, the next one first."""
    rosters = RosterMember.objects.filter(player=player).values("roster")
    theirs = Q(proposer_roster__in=rosters) | Q(opponent_roster__in=rosters)
    mine = Arrangement.objects.accepted().filter(Q(proposer=player) | Q(opponent=player) | theirs)
    return mine.order_by("play_at", "id")


def challenge_of(one: Arrangement) -> Challenge | None:
    """Return the accepted challenge that the two players of an arrangement are yet to play."""
    if one.arena.rating_system != Ladder.name or one.proposer_roster_id or one.opponent_roster_id:
        return None
    season = Challenge.objects.filter(season__arena=one.arena).filter(AGREED)
    return season.between(one.proposer, one.opponent).order_by("play_by").first()


def dates_of(one: Challenge) -> ArrangementQuerySet:
    """Return the proposed and agreed dates on which a challenge can be played, the next one first.

    They are those of :func:`challenge_of`.
    """
    pair = Arrangement.objects.between(one.challenger, one.challenged)
    alone = pair.filter(arena=one.season.arena, proposer_roster=None, opponent_roster=None)
    coming = alone.filter(state__in=[Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED])
    return coming.in_lines().order_by("play_at", "id")


def upcoming(arena: Arena) -> ArrangementQuerySet:
    """Return the agreed dates of an arena whose match is not reported, the next one first."""
    return arena.arrangements.accepted().in_lines().order_by("play_at", "id")


def upcoming_of(rosters: Collection[int]) -> ArrangementQuerySet:
    """Return the agreed dates of rosters whose match is not reported, the next one first."""
    theirs = Q(proposer_roster__in=rosters) | Q(opponent_roster__in=rosters)
    return Arrangement.objects.accepted().filter(theirs).in_lines().order_by("play_at", "id")


def past(arena: Arena, player: Player | None) -> ArrangementQuerySet:
    """Return the arrangements that are over and visible to ``player``, latest first."""
    waiting = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED]
    over = arena.arrangements.visible_to(player).exclude(state__in=waiting)
    return over.in_lines().order_by("-play_at", "-id")
