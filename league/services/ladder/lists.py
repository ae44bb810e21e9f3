"""Lists of challenges, and of the players whom a player may challenge."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.models import Challenge, Rating
from league.models.challenge import AGREED
from league.services.ladder.challenges import (
    challenge_rules,
    is_running,
    ladder_of,
    rank_to_challenge_from,
    takes_challenges,
)

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player, Season
    from league.models.challenge import ChallengeQuerySet

MOST_LISTED = 20
PEOPLE = ("challenger__profile", "challenged__profile", "season__arena", "match", "action")


def challenges_of(season: Season) -> ChallengeQuerySet:
    """Return a season's challenges with their players, latest first."""
    return Challenge.objects.filter(season=season).select_related(*PEOPLE)


def waiting_for(player: Player) -> ChallengeQuerySet:
    """Return the challenges that ``player`` has to answer, most urgent first."""
    mine = Challenge.objects.open().filter(challenged=player)
    return mine.select_related(*PEOPLE).order_by("answer_by", "id")


def to_play(player: Player) -> ChallengeQuerySet:
    """Return the accepted challenges that ``player`` is yet to play, most urgent first."""
    mine = Challenge.objects.of(player).filter(AGREED)
    return mine.select_related(*PEOPLE).order_by("play_by", "id")


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
    open_ = to_come(season)
    if sent_by(me, open_) >= challenge_rules(season).sent:
        return []
    free = free_above(season, me, ladder.parameters.challenge_range, open_)
    free = free.select_related("player__profile")
    if among is not None:
        return list(free.filter(player__in=among))
    return list(free[:MOST_LISTED])


def why_nobody(season: Season, me: Player) -> str:
    """Return in words why ``me`` cannot challenge anybody in a running season of a ladder."""
    own = rank_to_challenge_from(season, me)
    ladder = ladder_of(season)
    if own <= 1 or ladder is None:
        return _("You are at the top. Wait for a challenge.")
    most = challenge_rules(season).sent
    if sent_by(me, to_come(season)) >= most:
        return ngettext(
            "You already have %(count)d open challenge, the most that the rules allow.",
            "You already have %(count)d open challenges, the most that the rules allow.",
            most,
        ) % {"count": most}
    reach = ladder.parameters.challenge_range
    if within_reach(season, own, reach).exists():
        return _("Everybody within your reach has been challenged. Wait until this is settled.")
    if not reach:
        return _("Nobody above you has an account yet, so nobody could answer a challenge.")
    return ngettext(
        "Nobody within %(count)d rank above you has an account, so nobody could answer.",
        "Nobody within %(count)d ranks above you has an account, so nobody could answer.",
        reach,
    ) % {"count": reach}


def sent_by(me: Player, to_come: Iterable[Challenge]) -> int:
    """Count the challenges to come whose opponent ``me`` has chosen."""
    return sum(one.challenger_id == me.pk and one.drawn_from is None for one in to_come)


def to_come(season: Season) -> list[Challenge]:
    """Return the challenges of a season that wait for an answer or to be played."""
    these = Challenge.objects.filter(season=season).to_come().order_by()
    return list(these.only("challenger", "challenged", "drawn_from"))


def free_above(
    season: Season, me: Player, reach: int, open_: Iterable[Challenge]
) -> QuerySet[Rating]:
    """Return the ratings of players above ``me`` who are free to be challenged.

    The nearest rank comes first. ``reach`` is how many ranks up they may be, 0 for any, and
    ``open_`` are the season's challenges to come.
    """
    above = within_reach(season, rank_to_challenge_from(season, me), reach)
    busy = Challenge.objects.filter(season=season).pending().of(me)
    pairs = busy.values_list("challenger", "challenged")
    paired = {player for pair in pairs for player in pair}
    received = Counter(one.challenged_id for one in open_)
    most = challenge_rules(season).received
    full = {player for player, count in received.items() if count >= most}
    return above.exclude(player__in=paired | full).order_by("-rating")


def within_reach(season: Season, own: float, reach: int) -> QuerySet[Rating]:
    """Return the ratings of players with an account above a rank, at most ``reach`` ranks up."""
    above = Rating.objects.filter(season=season, rating__lt=own, player__user__is_active=True)
    return above.filter(rating__gte=own - reach) if reach else above
