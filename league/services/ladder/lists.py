"""What pages and programs show of challenges: whom one may challenge, and which there are."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from league.models import Challenge, Rating
from league.services.ladder.challenges import (
    is_running,
    ladder_of,
    rank_to_challenge_from,
    rules_of,
    takes_challenges,
)

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

    from league.models import Player, Season
    from league.models.challenge import ChallengeQuerySet

MOST_LISTED = 20
PEOPLE = ("challenger", "challenged", "season__arena", "match", "action")


def challenges_of(season: Season) -> ChallengeQuerySet:
    """A season's challenges, the latest first, with who they are between."""
    return Challenge.objects.filter(season=season).select_related(*PEOPLE)


def waiting_for(player: Player) -> ChallengeQuerySet:
    """The challenges that wait for an answer of ``player``, the most urgent first."""
    mine = Challenge.objects.asked().filter(challenged=player)
    return mine.select_related(*PEOPLE).order_by("answer_by", "id")


def challengeable(
    season: Season, me: Player, now: datetime, among: Collection[int] | None = None
) -> list[Rating]:
    """Whom ``me`` may challenge now, from the next above up: their ratings, with the players.

    ``among`` keeps these players (ids); else the ``MOST_LISTED`` nearest are listed. Who rests
    before a rematch or is in a timeout may be among them: that is said when they are challenged.
    """
    ladder = ladder_of(season)
    if ladder is None or not takes_challenges(season) or not is_running(season, now):
        return []
    rules = rules_of(season)
    open_ = list(
        Challenge.objects.filter(season=season).to_come().values_list("challenger", "challenged")
    )
    if sum(challenger == me.pk for challenger, _challenged in open_) >= rules.sent:
        return []
    own, reach = rank_to_challenge_from(season, me), ladder.parameters.challenge_range
    above = Rating.objects.filter(season=season, rating__lt=own, player__user__is_active=True)
    if reach:
        above = above.filter(rating__gte=own - reach)
    if among is not None:
        above = above.filter(player__in=among)
    busy = Challenge.objects.filter(season=season).pending().of(me)
    pairs = busy.values_list("challenger", "challenged")
    met = {player for pair in pairs for player in pair}
    received = Counter(challenged for _challenger, challenged in open_)
    full = {player for player, count in received.items() if count >= rules.received}
    free = above.exclude(player__in=met | full).select_related("player").order_by("-rating")
    return list(free[:MOST_LISTED] if among is None else free)
