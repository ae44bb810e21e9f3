"""Everything that waits for a player, and the matches that they are to play.

The bar on every page, the front page and the page of open matches all read it here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.models.functions import Now

from league.models import Challenge, FillIn, Match, Participant, TeamInvitation
from league.services.dates import lists as dates
from league.services.ladder import lists as challenges
from league.services.notices import reading
from league.services.people.invitations import invitations_of
from league.services.queue.presence import calls_of
from league.services.results.reports import claims, countering

if TYPE_CHECKING:
    from collections.abc import Iterator

    from django.db.models import QuerySet

    from league.models import Player

KINDS = (
    "waiting",
    "claimed",
    "contradicted",
    "invited",
    "asked_to_join",
    "challenged",
    "dated",
    "unread",
    "queued",
    "filling",
    "playing",
    "to_play",
)


def mine(me: Player) -> Iterator[tuple[str, QuerySet[Any]]]:
    """Yield rows that wait for ``me`` or are theirs to play, each with its kind of ``KINDS``.

    A kind can come twice.
    """
    yield "waiting", Match.objects.awaiting(me)
    yield "claimed", claims.asking(me)
    yield "contradicted", countering.asking(me)
    yield "invited", invitations_of(me)
    yield "asked_to_join", TeamInvitation.objects.open(Now()).filter(player=me)
    yield "challenged", Challenge.objects.open().filter(challenged=me)
    yield "dated", dates.waiting_for(me, Now())
    yield "unread", reading.unread(me)
    yield "queued", calls_of(me)
    yield "filling", FillIn.objects.now().filter(player=me)
    yield "playing", Participant.objects.filter(player=me, live=True)
    yield "to_play", dates.to_play(me)
    yield "to_play", challenges.to_play(me)
