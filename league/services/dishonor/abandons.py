"""Leaving a match before its end, by the player's own choice or according to its report.

Players who leave by themselves are penalised at once. Players whom a report names are penalised
when the result counts, because the other side may still object to the report. Either way a match
gives one penalty. Staff make it void when they decide that the player did not leave, or void the
match.
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
    """Let a player leave a live match for good, penalise them once, and return the match.

    The match goes on without them, and its report says how it ended. Leaving again does nothing.

    Raises:
        Refused: there is no such match.
        Forbidden: ``by`` does not play in it.
        Conflict: it has been reported, so it can no longer be left.
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
            raise Conflict(str(match.status), _("This match is over. You can no longer leave it."))
        if not part.quit:
            played = (now - match.played_at).total_seconds()
            part.quit, part.live = True, False
            part.seconds = min(max(played, 0.0), LONGEST_MATCH_SECONDS)
            part.save(update_fields=["quit", "live", "seconds"])
            discipline.penalise([by], Offence.ABANDON, match.arena, now=now, match=match)
    return match


def penalise_leavers(locked: LockedMatch, match: Match, now: datetime) -> None:
    """Penalise the players who quit a match that was just settled, unless they already were."""
    leavers = [
        int(part.player) for side in locked.match.sides for part in side.participants if part.quit
    ]
    if leavers:
        players = Player.objects.filter(pk__in=leavers).order_by("pk")
        discipline.penalise(players, Offence.ABANDON, match.arena, now=now, match=match)


def clear(match_id: int, action: StaffAction, *, void: bool) -> None:
    """Make penalties for leaving void after a staff decision: of the players who did not leave
    according to it, or all of them if the match is ``void``.

    Penalties for other reasons stay: a match that does not count excuses no insult."""
    awards = discipline.penalties_for_leaving(match_id)
    if not void:
        left = Participant.objects.filter(match=match_id, quit=True).values("player")
        awards = awards.exclude(player__in=left)
    discipline.make_void(awards, action)
