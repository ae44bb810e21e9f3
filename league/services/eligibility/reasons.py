"""Who may play, and where: asked by queues, ready checks, live matches and challenges."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from league.models import Participant, Player, TicketMember
from league.services.core.durations import in_words
from league.services.core.errors import Refused
from league.services.dishonor import discipline
from league.services.points import grace

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence
    from datetime import datetime

    from league.models import Arena, Season


class Code(StrEnum):
    """What keeps a player from playing."""

    LOCKED = "locked"
    """Their account is locked."""
    TIMEOUT = "timeout"
    """They have a timeout for dishonor, or a ban from queues."""
    QUEUED = "queued"
    """They are in a queue or a ready check."""
    IN_LIVE_MATCH = "in_live_match"


EVERY_CODE = frozenset(Code)
BUSY = frozenset({Code.QUEUED, Code.IN_LIVE_MATCH})


class Reason(NamedTuple):
    """Why a player may not play."""

    player: Player
    code: Code
    message: str


def reasons_against(
    players: Sequence[Player], now: datetime, *, codes: Collection[Code] = EVERY_CODE
) -> list[Reason]:
    """Return every reason among ``codes`` against any of ``players``, reason by reason."""
    checks = {
        Code.LOCKED: lambda: locked(players),
        Code.TIMEOUT: lambda: in_timeout(players, now),
        Code.QUEUED: lambda: queued(players),
        Code.IN_LIVE_MATCH: lambda: in_live_match(players),
    }
    return [reason for code in Code if code in codes for reason in checks[code]()]


def is_locked(player: Player) -> bool:
    """Return whether the player's account is locked. Players without one are run by programs."""
    return player.user is not None and not player.user.is_active


def locked(players: Sequence[Player]) -> list[Reason]:
    return [
        Reason(player, Code.LOCKED, _("%(player)s is banned.") % {"player": player})
        for player in players
        if is_locked(player)
    ]


def in_timeout(players: Sequence[Player], now: datetime) -> list[Reason]:
    statuses = discipline.statuses_of(players, now)
    barred = [player for player in players if statuses[player.pk].in_timeout]
    bans = discipline.bans_of([player.pk for player in barred], now) if barred else {}
    reasons = []
    for player in barred:
        until = statuses[player.pk].until
        if until is None:
            text = _("%(player)s is banned.") % {"player": player}
        elif player.pk in bans:
            time = in_words(until - now)
            text = _("%(player)s is banned for %(time)s.") % {"player": player, "time": time}
        else:
            time = in_words(until - now)
            text = _("%(player)s is in a timeout for %(time)s.") % {"player": player, "time": time}
        reasons.append(Reason(player, Code.TIMEOUT, text))
    return reasons


def queued(players: Sequence[Player]) -> list[Reason]:
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
    return [
        Reason(
            part.player,
            Code.IN_LIVE_MATCH,
            _("%(player)s is in a live match in %(arena)s: report it first.")
            % {"player": part.player, "arena": part.match.arena},
        )
        for part in parts.select_related("player", "match__arena")
    ]


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
