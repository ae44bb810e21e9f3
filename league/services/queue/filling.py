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
from typing import TYPE_CHECKING, Any, NamedTuple

from django.db import connection, transaction

from league.models import Agreement, FillIn, Match, NoticeKind, Status, Ticket
from league.services.core.errors import Forbidden
from league.services.core.isolation import gettext as _
from league.services.core.shown_ratings import decayed_rating
from league.services.notices.writing import notify
from league.services.queue.queueing import close_tickets
from league.services.queue.regions import choice_of, wishes_of
from league.services.queue.snapshots import newcomer_rating

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import ArenaQueue, Player, Season

OPEN_FOR = timedelta(minutes=10)
"""How long after somebody left their place is filled."""

SEATS = f"""
    SELECT p.id, m.id, m.mode, m.region,
        coalesce({decayed_rating(season="m.season_id", player="p.player_id")}, r.rating, %(fresh)s)
    FROM league_match AS m
    JOIN league_participant AS p ON p.match_id = m.id AND p.quit
    JOIN league_side AS s ON s.id = p.side_id AND s.agreed_by = %(agreed)s
    LEFT JOIN league_rating AS r ON r.season_id = m.season_id AND r.player_id = p.player_id
    WHERE m.arena_id = %(arena)s AND m.status = 'live'
        AND m.played_at + make_interval(secs => p.seconds) > %(since)s
        AND NOT EXISTS (
            SELECT FROM league_fillin AS f WHERE f.replaces_id = p.id AND f.left_at IS NULL)
    ORDER BY p.id
"""  # noqa: S608 - an expression of ours
WILLING = f"""
    SELECT t.id, m.player_id, t.modes,
        coalesce({decayed_rating(season="%(season)s", player="m.player_id")}, r.rating, %(fresh)s)
    FROM league_ticket AS t
    JOIN league_ticketmember AS m ON m.ticket_id = t.id
    LEFT JOIN league_rating AS r ON r.season_id = %(season)s AND r.player_id = m.player_id
    WHERE t.arena_id = %(arena)s AND t.state = 'waiting' AND t.fills_seat
        AND t.roster_id IS NULL AND m.seen_at IS NOT NULL
    ORDER BY t.place, t.id
    FOR UPDATE OF t SKIP LOCKED
"""  # noqa: S608 - an expression of ours
PLAYED_IN = """
    SELECT player_id FROM league_participant WHERE match_id = %(match)s
    UNION SELECT player_id FROM league_fillin WHERE match_id = %(match)s
"""


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
    given: dict[str, Any] = {
        "arena": queue.arena_id,
        "agreed": Agreement.READY_CHECK,
        "season": season.pk,
        "fresh": newcomer_rating(season)[0],
        "since": now - OPEN_FOR,
    }
    with connection.cursor() as cursor:
        cursor.execute(SEATS, given)
        seats = [Seat(*row) for row in cursor.fetchall()]
        if not seats:
            return 0
        cursor.execute(WILLING, given)
        willing = [Willing(*row) for row in cursor.fetchall()]
    filled = 0
    for seat in seats:
        one = nearest(queue, season, seat, willing)
        if one is not None and is_still_open(seat):
            take(queue, seat, one, now)
            willing.remove(one)
            filled += 1
    return filled


def nearest(
    queue: ArenaQueue, season: Season, seat: Seat, willing: Sequence[Willing]
) -> Willing | None:
    """Return the player with the nearest rating to the leaver whose modes and regions fit."""
    if not willing:
        return None
    with connection.cursor() as cursor:
        cursor.execute(PLAYED_IN, {"match": seat.match})
        known = {player for (player,) in cursor.fetchall()}
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
