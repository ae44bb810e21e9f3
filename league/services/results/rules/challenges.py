"""Results that count for the challenge between their players, whichever way they come in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Challenge, Match, Participant
from league.models.challenge import AGREED
from league.services.core.id_lists import any_of

if TYPE_CHECKING:
    from collections.abc import Collection


def link(season_id: int, matches: Collection[int]) -> list[Challenge]:
    """Let matches of a ladder be those of the accepted challenges between their players.

    They were played since the players agreed, and in time. A challenge that somebody else is
    changing stays as it is: to wait for it could deadlock, as its changes rate forfeits.
    Return the challenges that have a match now.
    """
    players = Participant.objects.filter(match__in=any_of(matches)).values("player")
    agreed = Challenge.objects.filter(AGREED, season=season_id)
    agreed = agreed.filter(challenger__in=players, challenged__in=players)
    found = []
    for one in agreed.order_by("accepted_at", "pk").select_for_update(
        of=["self"], no_key=True, skip_locked=True
    ):
        duels = Match.objects.filter(pk__in=any_of(matches), kind=Match.Kind.GAME, challenge=None)
        duels = duels.filter(participants__player=one.challenger_id).filter(
            participants__player=one.challenged_id
        )
        since = (one.accepted_at or one.made_at).replace(second=0, microsecond=0)
        in_time = duels.filter(played_at__gte=since, played_at__lte=one.play_by)
        match = in_time.exclude(sides__index__gt=1).order_by("played_at", "pk").first()
        if match is not None:
            one.match = match
            one.save(update_fields=["match"])
            found.append(one)
    return found


def unlink(matches: Collection[int]) -> None:
    """Take void matches from challenges, which then wait to be played again."""
    theirs = Challenge.objects.filter(match__in=any_of(matches), closed_at=None)
    theirs.filter(state=Challenge.State.ACCEPTED).update(match=None)
