"""Lists of arrangements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models import Arrangement

if TYPE_CHECKING:
    from datetime import datetime

    from league.models import Arena, Player
    from league.models.arrangement import ArrangementQuerySet


def waiting_for(player: Player, now: datetime) -> ArrangementQuerySet:
    """Return the proposals that ``player`` has to answer, the next match first."""
    mine = Arrangement.objects.proposed().filter(asked=player, play_at__gt=now)
    return mine.with_people().order_by("play_at", "id")


def waiting_for_others(player: Player, now: datetime) -> ArrangementQuerySet:
    """Return the proposals of ``player`` that the other captain has to answer."""
    theirs = Arrangement.objects.proposed().of(player).exclude(asked=player)
    return theirs.filter(play_at__gt=now).with_people().order_by("play_at", "id")


def upcoming(arena: Arena) -> ArrangementQuerySet:
    """Return the agreed dates of an arena whose match is not reported, the next one first."""
    return arena.arrangements.accepted().with_people().order_by("play_at", "id")


def past(arena: Arena, player: Player | None) -> ArrangementQuerySet:
    """Return the arrangements that are over and visible to ``player``, latest first."""
    waiting = [Arrangement.State.PROPOSED, Arrangement.State.ACCEPTED]
    over = arena.arrangements.visible_to(player).exclude(state__in=waiting)
    return over.with_people().order_by("-play_at", "-id")
