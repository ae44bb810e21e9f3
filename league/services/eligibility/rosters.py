"""The running season's rules about when rosters can change and who can join them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.db.models import Q

from league.models import Rating
from league.models.moments import describe_moment
from league.services.core.errors import Conflict, Refused
from league.services.core.isolation import gettext as _
from league.services.core.isolation import ngettext
from league.services.core.shown_ratings import with_shown
from ratings.tunables.spans import add_span

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from zoneinfo import ZoneInfo

    from league.models import Arena, Player, Season


@dataclass(frozen=True)
class RosterLock:
    """A time during which nobody can join rosters or be removed from them."""

    until: datetime | None
    """The start of the next transfer window. ``None`` if none does before the season ends."""


def lock_of(arena: Arena, now: datetime) -> RosterLock | None:
    """Return the lock of an arena's rosters, ``None`` while they can change."""
    season = arena.current_season(now)
    return lock_in(season, arena.zone, now) if season else None


def lock_in(season: Season, zone: ZoneInfo, now: datetime) -> RosterLock | None:
    rules = season.season_rules().teams
    locked_at = add_span(season.starts_at, rules.lock_after, zone)
    if not rules.lock_after or now < locked_at:
        return None
    if not rules.window_every:
        return RosterLock(None)
    passed = int((now - locked_at).total_seconds() / rules.window_every)
    number = max(0, passed - 1)
    while add_span(locked_at, rules.window_every, zone, number + 1) <= now:
        number += 1
    opened = add_span(locked_at, rules.window_every, zone, number)
    if number and now < add_span(opened, rules.window_length, zone):
        return None
    opens = add_span(locked_at, rules.window_every, zone, number + 1)
    return RosterLock(None if season.ends_at and opens >= season.ends_at else opens)


def refuse_locked(arena: Arena, now: datetime, *, field: str = "") -> None:
    """Refuse a change of a roster's members while rosters are locked. Raises ``Conflict``."""
    lock = lock_of(arena, now)
    if lock is None:
        return
    if lock.until is None:
        text = _("Rosters in %(arena)s are locked until the end of the season.")
        raise Conflict("rosters_locked", text % {"arena": arena}, field=field)
    text = _("Rosters in %(arena)s are locked until the transfer window on %(time)s.")
    time = describe_moment(lock.until)
    raise Conflict("rosters_locked", text % {"arena": arena, "time": time}, field=field)


def refuse_ineligible(
    arena: Arena, players: Sequence[Player], now: datetime, *, field: str = ""
) -> None:
    """Refuse players whose rating keeps them out of the arena's rosters. Raises ``Refused``."""
    season = arena.current_season(now)
    if season is None or season.lowest_first:
        return
    rules = season.season_rules().teams
    if not rules.lowest_rating and not rules.highest_rating:
        return
    rated = Rating.objects.filter(season=season, player__in=players)
    rated = rated.filter(Q(games__gt=0) | Q(opening__isnull=False))
    for rating in with_shown(rated).select_related("player"):
        names = {"player": rating.player, "arena": arena}
        if rules.lowest_rating and rating.shown < rules.lowest_rating:
            text = _("%(player)s’s rating is too low for a roster in %(arena)s.")
            raise Refused("rating_too_low", text % names, field=field)
        if rules.highest_rating and rating.shown > rules.highest_rating:
            text = _("%(player)s’s rating is too high for a roster in %(arena)s.")
            raise Refused("rating_too_high", text % names, field=field)


def refuse_too_many(arena: Arena, members: int, now: datetime, *, field: str = "") -> None:
    """Refuse a roster with more members than the season allows. Raises ``Refused``."""
    season = arena.current_season(now)
    most = season.season_rules().teams.members_max if season else 0
    if most and members > most:
        text = ngettext(
            "A roster in %(arena)s can have at most %(most)d player.",
            "A roster in %(arena)s can have at most %(most)d players.",
            most,
        )
        raise Refused(
            "too_many",
            text % {"arena": arena, "most": most},
            field=field,
        )
