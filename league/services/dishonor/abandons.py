"""Leaving a match before its end: by the player's own door, or as its settled report has it.

Who uses the door pays at once. Who is only said to have left pays when the result counts: a report
is a claim, and the other side may still answer it. Either way it is one penalty for a match, and a
decision of staff that the player did not leave, or that the match is void, makes it void.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Match, Offence, Participant, Player, Status
from league.models.match import LONGEST_MATCH_SECONDS
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.dishonor import discipline

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import StaffAction
    from league.services.core.locking import LockedMatch


def leave(match_id: int, *, by: Player, now: datetime) -> Match:
    """A player leaves a live match for good: she is free to go, and pays for it once.

    The match goes on without her, and its report says how it ended. Leaving twice is leaving once.

    Raises:
        Refused: there is no such match.
        Forbidden: ``by`` does not play in it.
        Conflict: it has been reported, so nobody can leave it any more.
    """
    with transaction.atomic():
        matches = Match.objects.select_for_update(of=("self",)).select_related("arena")
        match = matches.filter(pk=match_id).first()
        if match is None:
            raise Refused("no_match", _("There is no such match."))
        part = match.participants.filter(player=by).first()
        if part is None:
            raise Forbidden("not_playing", _("You do not play in this match."))
        if match.status != Status.LIVE:
            raise Conflict(str(match.status), _("This match is over: nobody can leave it now."))
        if not part.quit:
            played = (now - match.played_at).total_seconds()
            part.quit, part.live = True, False
            part.seconds = min(max(played, 0.0), LONGEST_MATCH_SECONDS)
            part.save(update_fields=["quit", "live", "seconds"])
            discipline.penalise([by], Offence.ABANDON, match.arena, now=now, match=match)
    return match


def penalise_leavers(locked: LockedMatch, match: Match, now: datetime) -> None:
    """Penalise those who quit a match that has just been settled, but for who has paid already."""
    leavers = [
        int(part.player) for side in locked.match.sides for part in side.participants if part.quit
    ]
    if leavers:
        players = Player.objects.filter(pk__in=leavers).order_by("pk")
        discipline.penalise(players, Offence.ABANDON, match.arena, now=now, match=match)


def clear(match_id: int, action: StaffAction, *, void: bool) -> None:
    """After a decision of staff: make the penalties void of those who, as decided, did not leave;
    everybody's if the match is ``void``."""
    awards = discipline.of_match(match_id)
    if not void:
        left = Participant.objects.filter(match=match_id, quit=True).values("player")
        awards = awards.exclude(player__in=left)
    discipline.make_void(awards, action)
