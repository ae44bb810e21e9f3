"""Lone players take the places of those who left a match from the queue. They play unrated.

A rating system compares sides as they began. Somebody who joins in the middle has not agreed to
these odds, and no system here weighs a player by the time that their side had without them. So a
fill-in is no participant: ratings, points, forecasts and records are as if nobody had come, the
leaver pays for leaving, and the fill-in neither wins nor loses anything.

Only players who have said so when they queued are chosen, by the queue: of those whose modes and
regions fit, the one with the nearest rating to the leaver. So nobody picks a match or a side.
"""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef

from league.models import Agreement, FillIn, Match, NoticeKind, Participant, Status, Ticket
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from league.services.core.shown_ratings import with_shown
from league.services.notices.writing import notify
from league.services.queue.queueing import close_tickets
from league.services.queue.regions import choice_of, wishes_of
from league.services.queue.snapshots import newcomer_rating

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import ArenaQueue, Player, Season

OPEN_FOR = timedelta(minutes=10)
"""The time in which the place of somebody who left is filled."""


class Seat(NamedTuple):
    """The place of a leaver."""

    participant: int
    match: int
    mode: str
    region: str
    rating: float


class Willing(NamedTuple):
    """A lone player who would take one."""

    ticket: int
    player: int
    modes: Sequence[str]
    rating: float


def fill_seats(queue: ArenaQueue, season: Season, now: datetime) -> int:
    """Fill the open seats of a queue's live matches, and return how many.

    The caller holds the arena's lock. Tickets that another tick has claimed are left alone.
    """
    seats = open_seats(season, now)
    willing = willing_players(season) if seats else []
    filled = 0
    for seat in seats:
        one = nearest(queue, season, seat, willing)
        if one is not None and is_still_open(seat):
            take(queue, seat, one, now)
            willing.remove(one)
            filled += 1
    return filled


def open_seats(season: Season, now: datetime) -> list[Seat]:
    """Return the seats in the live matches of a season's arena that somebody has just left."""
    taken = FillIn.objects.filter(replaces=OuterRef("pk"), left_at=None)
    left = Participant.objects.filter(
        ~Exists(taken),
        quit=True,
        match__arena=season.arena_id,
        match__status=Status.LIVE,
        side__agreed_by=Agreement.READY_CHECK,
    )
    recent = [
        part
        for part in left.select_related("match").order_by("pk")
        if part.match.played_at + timedelta(seconds=part.seconds or 0.0) > now - OPEN_FOR
    ]
    rating = ratings_in(season, [part.player_id for part in recent])
    return [
        Seat(part.pk, part.match_id, part.match.mode, part.match.region, rating[part.player_id])
        for part in recent
    ]


def willing_players(season: Season) -> list[Willing]:
    """Lock the tickets of lone players who would take a seat, and return them in queue order."""
    tickets = Ticket.objects.waiting().filter(
        arena=season.arena_id, fills_seat=True, roster=None, members__seen_at__isnull=False
    )
    # Whoever is leaving or being matched has the ticket locked, and is not waited for.
    free = tickets.order_by("place", "pk").select_for_update(of=("self",), skip_locked=True)
    rows = list(free.values_list("pk", "members__player", "modes"))
    rating = ratings_in(season, [player for _ticket, player, _modes in rows])
    return [Willing(ticket, player, modes, rating[player]) for ticket, player, modes in rows]


def ratings_in(season: Season, players: Collection[int]) -> dict[int, float]:
    """Return the ratings of players that the season shows, a newcomer's for those who have none."""
    if not players:
        return {}
    shown = with_shown(season.ratings.filter(player__in=players)).values_list("player", "shown")
    return dict.fromkeys(players, newcomer_rating(season)[0]) | dict(shown)


def nearest(
    queue: ArenaQueue, season: Season, seat: Seat, willing: Sequence[Willing]
) -> Willing | None:
    """Return the player with the nearest rating to the leaver whose modes and regions fit."""
    if not willing:
        return None
    played = Participant.objects.filter(match=seat.match).values_list("player", flat=True)
    filled = FillIn.objects.filter(match=seat.match).values_list("player", flat=True)
    known = set(played.union(filled))
    wishes = wishes_of(queue.arena, [one.player for one in willing]) if seat.region else {}
    rules = queue.matching_in(season)
    fitting = [
        one
        for one in willing
        if one.player not in known
        and abs(one.rating - seat.rating) <= rules.queue.rating_max * rules.scale
        and (not seat.mode or not one.modes or seat.mode in one.modes)
        and (
            not seat.region
            or seat.region in choice_of(queue.arena, rules.region, [one.player], wishes).now
        )
    ]
    return min(fitting, key=lambda one: abs(one.rating - seat.rating), default=None)


def is_still_open(seat: Seat) -> bool:
    """Lock the seat's match, and return whether it is still being played."""
    # A match that is being reported is about to end: no seat in it is worth waiting for.
    rows = Match.objects.select_for_update(of=("self",), no_key=True, skip_locked=True)
    return rows.filter(pk=seat.match, status=Status.LIVE).exists()


def take(queue: ArenaQueue, seat: Seat, one: Willing, now: datetime) -> None:
    """Let a player take a seat. Their ticket leaves all queues."""
    close_tickets([one.ticket], Ticket.State.LEFT, now)
    FillIn.objects.create(
        match_id=seat.match, replaces_id=seat.participant, player_id=one.player, joined_at=now
    )
    notify([one.player], NoticeKind.FOUND, now, arena=queue.arena)


def leave_seat(match_id: int, *, by: Player, now: datetime) -> None:
    """Let a fill-in leave their match, without a penalty. Leaving twice changes nothing.

    Raises:
        Forbidden: ``by`` fills no seat in it.
    """
    with transaction.atomic():
        mine = FillIn.objects.select_for_update().filter(match=match_id, player=by).first()
        if mine is None:
            raise Forbidden("no_seat", _("You fill no seat in this match."))
        if mine.left_at is None:
            mine.left_at = now
            mine.save(update_fields=["left_at"])


def fill_ins_of(match: Match) -> QuerySet[FillIn]:
    """Return who filled the seats of a match, and for whom, in the order of joining."""
    return match.fill_ins.select_related("player", "replaces__player").order_by("joined_at", "pk")
