"""Claims in a report that players quit, which cost them dishonor and perhaps rating.

Two captains could agree on a claim against a third player. So a claim counts only by the player's
own word: they left on the page of the match, they report or confirm that they quit, or they say so
when they are asked. Nobody is asked in a match from a queue, where players leave by the match's
page. Its game server and staff decide without being asked.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db.models import Count, Exists, Max, OuterRef, Q
from django.utils.translation import gettext as _

from league.models import (
    Agreement,
    Confirmation,
    DishonorAward,
    Match,
    NoticeKind,
    Offence,
    Participant,
    Side,
    Status,
)
from league.services.core.errors import Conflict, Forbidden
from league.services.dishonor import discipline
from league.services.notices.writing import notify

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Player
    from league.models.match import MatchQuerySet
    from league.services.core.locking import LockedMatch


def quitters(locked: LockedMatch) -> list[int]:
    """Return the players who quit according to a report."""
    return [
        int(part.player) for side in locked.match.sides for part in side.participants if part.quit
    ]


def vouching(locked: LockedMatch) -> set[int | None]:
    """Return the players who reported or confirmed a report."""
    confirmed = Confirmation.objects.filter(match=locked.pk).values_list("player", flat=True)
    return {locked.reported_by, *confirmed}


def is_from_queue(match_id: int) -> bool:
    return Side.objects.filter(match=match_id, agreed_by=Agreement.READY_CHECK).exists()


def silent_players(match_id: int, vouching: Collection[int | None] = ()) -> list[int]:
    """Return the players who are asked whether they quit and have not answered.

    A report with enough confirmations waits for them until its deadline.
    """
    if is_from_queue(match_id):
        return []
    left = discipline.penalties_for_leaving(match_id).values("player")
    asked = Participant.objects.filter(match=match_id, quit=True, player__user__is_active=True)
    found = asked.exclude(player__in=left).values_list("player", flat=True)
    return [player for player in found if player not in vouching]


def ask(match: Match, by: Player, now: datetime) -> None:
    """Tell the players who quit according to a report, so that they answer."""
    notify(silent_players(match.pk, [by.pk]), NoticeKind.REPORTED, now, actor=by, match=match)


def asking(player: Player) -> MatchQuerySet:
    """Return the open reports that wait for a player to say whether they quit."""
    of_match = {"match": OuterRef("pk")}
    claimed = Participant.objects.filter(**of_match, player=player, quit=True)
    awards = DishonorAward.objects.standing().filter(**of_match, player=player)
    left = awards.filter(offence=Offence.ABANDON)
    confirmed = Confirmation.objects.filter(**of_match, player=player)
    queued = Side.objects.filter(**of_match, agreed_by=Agreement.READY_CHECK)
    reported = Match.objects.filter(Exists(claimed), status=Status.REPORTED)
    return reported.filter(~Exists(left), ~Exists(confirmed), ~Exists(queued)).exclude(
        reported_by=player
    )


def note_answer(locked: LockedMatch, by: Player, *, left: bool, now: datetime) -> None:
    """Penalise a player who says that they quit, or remove the claim.

    Raises:
        Forbidden: they did not play.
        Conflict: nobody asks them.
    """
    if not Participant.objects.filter(match=locked.pk, player=by).exists():
        raise Forbidden("not_playing", _("You do not play in this match."))
    match = Match.objects.select_related("arena").get(pk=locked.pk)
    if not asking(by).filter(pk=match.pk).exists():
        raise Conflict("not_asked", _("Nobody asks you whether you left this match."))
    if left:
        discipline.penalise([by], Offence.ABANDON, match.arena, now=now, match=match)
    else:
        strike_out(match.pk, [by.pk])


def strike_out(match_id: int, claimed: Collection[int]) -> int:
    """Remove claims that players quit, except of those who left by themselves.

    Their times belong to the claims. If somebody else quit, they count as having played for the
    longest time instead, or a false claim would cancel what that quit costs.
    """
    left = DishonorAward.objects.filter(match=match_id, offence=Offence.ABANDON).values("player")
    claims = Participant.objects.filter(Q(player__in=claimed) & ~Q(player__in=left), match=match_id)
    others = Participant.objects.filter(match=match_id).exclude(pk__in=claims.values("pk"))
    longest, quits = others.aggregate(
        longest=Max("seconds"), quits=Count("pk", filter=Q(quit=True))
    ).values()
    return claims.update(quit=False, seconds=longest if quits else None)
