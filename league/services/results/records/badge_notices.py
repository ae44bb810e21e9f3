"""Tell players of new badges, a minute after the match that earned them was settled.

Settling a result does nothing for it. A sweep looks through the matches that were settled since
the one before, and reads the ledger of each of their players at most once. Only a badge of one of
those matches is news: those of earlier matches, and those that a replay moves to an earlier match,
are only noted.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Sum

from league.models import (
    BadgeKind,
    BadgeNote,
    BadgeWatch,
    Match,
    NoticeKind,
    Participant,
    Player,
    Rating,
    Settlement,
)
from league.services.notices.writing import notify
from league.services.results.records.badges import compute_badges
from league.services.results.records.profiles import seasons_played

if TYPE_CHECKING:
    from collections.abc import Collection
    from datetime import datetime

DELAY = timedelta(minutes=1)
"""The time for a transaction that settles a match to end."""
RECENT = timedelta(days=14)
"""The oldest match whose badge is news."""
LIMIT = 100
"""The most matches of a sweep, but for more that were settled at the same time."""
MOST_GAMES = 5_000
"""The most matches of a player whose ledger is read, so that a sweep stays short."""


def tell_new(now: datetime) -> int:
    """Tell players of the badges of newly settled matches. Return how many. Safe to run twice."""
    with transaction.atomic():
        BadgeWatch.objects.get_or_create(pk=1, defaults={"until": now - DELAY})
        watch = BadgeWatch.objects.select_for_update(skip_locked=True).first()
        if watch is None:
            return 0
        matches, until = settled_between(watch.until, now - DELAY, now)
        told = sum(tell(player, matches, now) for player in players_to_read(matches))
        BadgeWatch.objects.filter(pk=1).update(until=max(until, watch.until))
    return told


def settled_between(begin: datetime, end: datetime, now: datetime) -> tuple[set[int], datetime]:
    """Return the first matches settled in a time, and the time until which these are all."""
    recent = (
        Match.objects.rated()
        .games()
        .filter(played_at__gt=now - RECENT, arena__is_draft=False, settled_at__gt=begin)
    )
    due = recent.exclude(settlement=Settlement.IMPORT).filter(settled_at__lte=end)
    rows = due.order_by("settled_at", "pk").values_list("pk", "settled_at")
    first = list(rows[:LIMIT])
    if len(first) < LIMIT:
        return {pk for pk, _at in first}, end
    until = first[-1][1] or end
    return set(due.filter(settled_at__lte=until).values_list("pk", flat=True)), until


def players_to_read(matches: Collection[int]) -> list[Player]:
    """Return the players of matches who can be told, and could still earn a badge."""
    if not matches:
        return []
    seats = Participant.objects.filter(match__in=matches, player__user__isnull=False)
    players = Player.objects.filter(pk__in=seats.values("player")).in_bulk()
    games = dict(
        Rating.objects.filter(player__in=players)
        .order_by()
        .values_list("player")
        .annotate(total=Sum("games"))
    )
    known: dict[int, int] = {}
    for player in BadgeNote.objects.filter(player__in=players).values_list("player", flat=True):
        known[player] = known.get(player, 0) + 1
    return [
        player
        for pk, player in sorted(players.items())
        if games.get(pk, 0) <= MOST_GAMES and known.get(pk, 0) < len(BadgeKind)
    ]


def tell(player: Player, matches: Collection[int], now: datetime) -> int:
    """Note a player's new badges, and tell them of those of these matches. Return how many."""
    seasons = {one.season.pk: one.season for one in seasons_played(player)}
    known = set(BadgeNote.objects.filter(player=player).values_list("kind", flat=True))
    told = 0
    for one in compute_badges(player, seasons):
        if one.kind in known:
            continue
        note = BadgeNote.objects.create(player=player, kind=one.kind, noted_at=now)
        if one.match_id in matches:
            notify([player], NoticeKind.BADGE, now, match=one.match_id, badge=note)
            told += 1
    return told
