"""Lists of challenges, and of the players whom a player may challenge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from league.models import Challenge, Rating
from league.services.ladder.challenges import (
    challenge_rules,
    is_running,
    ladder_of,
    rank_to_challenge_from,
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
    """Return a season's challenges with their players, latest first."""
    return Challenge.objects.filter(season=season).select_related(*PEOPLE)


def waiting_for(player: Player) -> ChallengeQuerySet:
    """Return the challenges that ``player`` has to answer, most urgent first."""
    mine = Challenge.objects.open().filter(challenged=player)
    return mine.select_related(*PEOPLE).order_by("answer_by", "id")


def challengeable(
    season: Season, me: Player, now: datetime, among: Collection[int] | None = None
) -> list[Rating]:
    """Return the ratings of the players whom ``me`` may challenge, nearest rank first.

    ``among`` limits the list to these player ids; without it, the nearest ``MOST_LISTED`` are
    returned. The list may include players in a timeout or too recently challenged. Challenging
    them is refused with that reason.
    """
    ladder = ladder_of(season)
    if ladder is None or not takes_challenges(season) or not is_running(season, now):
        return []
    rules = challenge_rules(season)
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
    paired = {player for pair in pairs for player in pair}
    received = Counter(challenged for _challenger, challenged in open_)
    full = {player for player, count in received.items() if count >= rules.received}
    free = above.exclude(player__in=paired | full).select_related("player").order_by("-rating")
    return list(free[:MOST_LISTED] if among is None else free)
