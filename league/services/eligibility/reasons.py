"""Reasons against playing: asked by queues, matches, reports, challenges and rosters."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Exists, OuterRef

from league.models import DishonorAward, FillIn, Participant, Player, TicketMember
from league.models.moments import describe_moment
from league.services.core.durations import describe_duration
from league.services.core.errors import AboutMatch, Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.dishonor import discipline
from league.services.points import grace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Arena, Season


class Code(StrEnum):
    """A kind of obstacle to playing."""

    LOCKED = "locked"
    """Their account is locked."""
    BANNED = "banned"
    """Staff banned them."""
    TIMEOUT = "timeout"
    """They have a timeout for dishonor."""
    QUEUED = "queued"
    """They are in a queue or a ready check."""
    IN_LIVE_MATCH = "in_live_match"


EVERY_CODE = frozenset(Code)
BUSY = frozenset({Code.QUEUED, Code.IN_LIVE_MATCH})


class Reason(NamedTuple):
    """An obstacle that keeps a player from playing."""

    player: Player
    code: Code
    message: str
    match: int | None = None
    """The match that they are in."""


def reasons_against(
    players: Sequence[Player], now: datetime, *, codes: Collection[Code] = EVERY_CODE
) -> list[Reason]:
    """Return every reason among ``codes`` against any of ``players``, reason by reason.

    This takes one query for players who have no penalty and are neither queued nor playing.
    """
    checks = {
        Code.LOCKED: lambda: find_locked(players),
        Code.BANNED: lambda: find_banned(players, now),
        Code.TIMEOUT: lambda: in_timeout(players, now),
        Code.QUEUED: lambda: find_queued(players),
        Code.IN_LIVE_MATCH: lambda: in_live_match(players),
    }
    possible = possible_codes(players).intersection(codes)
    return [reason for code in Code if code in possible for reason in checks[code]()]


def possible_codes(players: Sequence[Player]) -> set[Code]:
    """Return the reasons that may apply to any of ``players``. A closer look may rule them out.

    Mostly nobody has a penalty, waits in a queue or plays, and then nothing else has to be read.
    """
    own = {"player": OuterRef("pk")}
    signs = Player.ever.filter(pk__in=[player.pk for player in players]).values_list(
        Exists(DishonorAward.objects.filter(**own)),
        Exists(TicketMember.objects.filter(**own, open=True)),
        Exists(Participant.objects.filter(**own, live=True)),
        Exists(FillIn.objects.filter(**own, left_at=None)),
    )
    found = {Code.LOCKED}
    for is_penalised, is_queued, plays, fills_in in signs:
        found |= {Code.BANNED, Code.TIMEOUT} if is_penalised else set()
        found |= {Code.QUEUED} if is_queued else set()
        found |= {Code.IN_LIVE_MATCH} if plays or fills_in else set()
    return found


def is_locked(player: Player) -> bool:
    """Return whether the player's account is locked. Players without one are run by programs."""
    return player.user is not None and not player.user.is_active


def find_locked(players: Sequence[Player]) -> list[Reason]:
    return [
        Reason(player, Code.LOCKED, why_locked(player)) for player in players if is_locked(player)
    ]


def why_locked(player: Player) -> str:
    if player.left_at:
        return _("%(player)s has left the league.") % {"player": player}
    return _("%(player)s is banned.") % {"player": player}


def find_banned(players: Sequence[Player], now: datetime) -> list[Reason]:
    bans = discipline.bans_of([player.pk for player in players], now)
    if not bans:
        return []
    statuses = discipline.statuses_of(players, now)
    return [
        Reason(player, Code.BANNED, sentence(player, bans[player.pk], statuses[player.pk].until))
        for player in players
        if player.pk in bans
    ]


def sentence(player: Player, ban: DishonorAward, timeout_until: datetime | None) -> str:
    """Return “Bob is banned until 3 March 2026, 12:00 UTC.”"""
    until = ban.ends_at or timeout_until
    if until is None:
        return _("%(player)s is banned without end.") % {"player": player}
    return _("%(player)s is banned until %(end)s.") % {
        "player": player,
        "end": describe_moment(until),
    }


def refuse_banned(
    players: Sequence[Player], now: datetime, *, by: Player | None = None, field: str = ""
) -> None:
    """Refuse a request by, or with, banned players.

    Raises:
        Forbidden: ``by``, who made the request, is banned.
        Conflict: other players are.
    """
    asked = [by, *players] if by else players
    found = find_banned(list(dict.fromkeys(asked)), now)
    if any(reason.player == by for reason in found):
        raise Forbidden(Code.BANNED, text_of([one for one in found if one.player == by]))
    if found:
        raise Conflict(Code.BANNED, text_of(found), field=field)


def in_timeout(players: Sequence[Player], now: datetime) -> list[Reason]:
    """Return the timeouts of players who are not banned."""
    statuses = discipline.statuses_of(players, now)
    barred = [player for player in players if statuses[player.pk].in_timeout]
    bans = discipline.bans_of([player.pk for player in barred], now) if barred else {}
    reasons = []
    for player in barred:
        until = statuses[player.pk].until
        if player.pk in bans:
            continue
        if until is None:
            text = _("%(player)s is in a timeout without end.") % {"player": player}
        else:
            time = describe_duration(until - now)
            text = _("%(player)s is in a timeout for %(time)s.") % {"player": player, "time": time}
        reasons.append(Reason(player, Code.TIMEOUT, text))
    return reasons


def find_queued(players: Sequence[Player]) -> list[Reason]:
    members = TicketMember.objects.filter(player__in=players, open=True)
    return [
        Reason(
            member.player,
            Code.QUEUED,
            _("%(player)s is already in the queue of %(arena)s.")
            % {"player": member.player, "arena": member.ticket.arena},
        )
        for member in members.select_related("player", "ticket__arena")
    ]


def in_live_match(players: Sequence[Player]) -> list[Reason]:
    parts = Participant.objects.filter(player__in=players, live=True)
    playing = [
        Reason(
            part.player,
            Code.IN_LIVE_MATCH,
            _("%(player)s is in a live match in %(arena)s: report match %(number)d first.")
            % {"player": part.player, "arena": part.match.arena, "number": part.match_id},
            part.match_id,
        )
        for part in parts.select_related("player", "match__arena")
    ]
    filling = FillIn.objects.now().filter(player__in=players)
    return playing + [
        Reason(
            one.player,
            Code.IN_LIVE_MATCH,
            _("%(player)s fills a seat in a match in %(arena)s. They have to leave it first.")
            % {"player": one.player, "arena": one.match.arena},
            one.match_id,
        )
        for one in filling.select_related("player", "match__arena")
    ]


def busy(reasons: Sequence[Reason], code: str = "busy", *, field: str = "") -> Conflict:
    """Return the refusal of players who are in a queue or a match, about the first match if any."""
    match = next((reason.match for reason in reasons if reason.match), None)
    if match is None:
        return Conflict(code, text_of(reasons), field=field)
    return AboutMatch(code, text_of(reasons), match=match, field=field)


def text_of(reasons: Sequence[Reason]) -> str:
    """Return the messages of ``reasons`` as one text."""
    return " ".join(reason.message for reason in reasons)


def season_to_play_in(arena: Arena, now: datetime) -> Season:
    """Return the season in which a match of the arena can begin now.

    Raises:
        Refused: the arena is closed, no season is running, or its ladder points end too soon.
    """
    season = arena.current_season(now) if arena.is_open else None
    if season is None:
        raise Refused("closed", _("No season is running in %(arena)s.") % {"arena": arena})
    until = grace.no_start_until(season, now)
    if until is not None:
        raise Refused("grace", grace.sentence(season, until))
    return season
