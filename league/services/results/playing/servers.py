"""Results of the matches that game servers start, or take over from a queue."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from league.models import Agreement, Match, Settlement, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.rating.rate import Settled
from league.services.results.reports import live
from league.services.results.rules.modes import mode_of_start
from league.services.results.settling import settle
from league.services.site.frame import refuse_new_matches

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from league.models import Arena, User

PERMISSION = "league.add_match"


def start(
    arena: Arena,
    sides: Sequence[live.StartingSide],
    *,
    by: User,
    now: datetime,
    weight: float = 1.0,
    mode: str = "",
    first_side: int | None = None,
) -> Match:
    """Start a match as a game server. Its sides count as having agreed to it.

    ``first_side`` is the side that is at home, has White or serves.

    If it does not name the game ``mode``, the result has to. An account whose own player takes part
    is no neutral server, so its match is like any other: its weight is 1, and no side is first.

    Raises:
        Forbidden: ``by`` may not start matches.
        Refused, Conflict: as :func:`live.start`.
        Unavailable: during maintenance.
    """
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_a_game_server", _("You need the permission to add matches."))
    refuse_new_matches(now)
    mode = mode_of_start(arena, mode)
    player = getattr(by, "player", None)
    if any(player in (side.captain, *side.players) for side in sides):
        return live.start(arena, sides, now=now, mode=mode)
    return live.start(
        arena,
        sides,
        now=now,
        agreed_by=Agreement.SERVER,
        started_by=by,
        weight=weight,
        mode=mode,
        first_side=first_side,
    )


def claim(match_id: int, *, by: User, now: datetime) -> Match:
    """Take over a live match that the queue made, as the game server that runs it.

    From then on it can do with it what it can do with its own. Claiming again changes nothing.

    Raises:
        Forbidden: ``by`` may not start matches, or their own player takes part.
        Conflict: the match is not live, or has a game server already.
        Refused: it comes from no queue.
        Unavailable: during maintenance.
    """
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_a_game_server", _("You need the permission to add matches."))
    refuse_new_matches(now)
    with transaction.atomic():
        match = live.locked_match(match_id)
        if match.started_by_id == by.pk:
            return match
        if match.status != Status.LIVE or match.started_by_id is not None:
            raise Conflict("taken", _("This match is not live, or another game server runs it."))
        if match.sides.exclude(agreed_by=Agreement.READY_CHECK).exists():
            raise Refused("no_queue", _("This match does not come from a queue."))
        if match.participants.filter(player__user=by).exists():
            raise Forbidden("own_match", _("You play in this match, so you cannot be its server."))
        match.started_by = by
        match.save(update_fields=["started_by"])
    return match


def has_started(match_id: int, by: User) -> bool:
    """Return whether this account started the match as a game server."""
    return Match.objects.filter(pk=match_id, started_by=by).exists()


def finish(
    match_id: int,
    finishes: Sequence[live.Finish],
    *,
    by: User,
    now: datetime,
    mode: str = "",
    link: Callable[[Match], object] | None = None,
) -> Match:
    """Report the result of a match as the game server that started it. This rates it at once.

    ``link`` is called with the match before it is rated, in the same transaction.

    Raises:
        Forbidden: ``by`` did not start the match, or may no longer start matches.
        Conflict: the match is not live.
        Refused: the result does not fit the arena, or names no game mode.
    """
    with committing("result of a game server"):
        match = own_match(match_id, by)
        live.record_result(match, list(match.sides.order_by("index")), finishes, mode, now)
        match.played_at = match.reported_at = now
        match.save(update_fields=["played_at", "reported_at", "mode"])
        if link is not None:
            link(match)
        return settle(lock(match_id), Settled(Settlement.SERVER), now)


def own_match(match_id: int, by: User) -> Match:
    """Lock a match that a game server started, and return it.

    Raises:
        Forbidden: ``by`` did not start the match, or may no longer start matches.
    """
    if not by.has_perm(PERMISSION):
        raise Forbidden("not_a_game_server", _("You need the permission to add matches."))
    match = live.locked_match(match_id)
    if match.started_by_id != by.pk:
        raise Forbidden(
            "not_its_server",
            _("You are not the game server of this match. If a queue made it, claim it first."),
        )
    return match
