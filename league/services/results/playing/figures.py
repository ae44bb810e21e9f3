"""Free figures of a match: who may enter them, and their sums. They never change a rating.

Source: B. Kreimeier, "Rising from the Ranks", Gamasutra 2000: players judge themselves by simple
counts, such as hits and shots, which make sense without comparison and need no credit assignment.

Captains enter those of their own side until the result counts, so that the other side sees them
before it confirms. The game server that started a match and staff enter anybody's, until the season
is archived.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import Match, Participant, PlayerFigures
from league.models.lists import list_of
from league.models.match_states import OPEN, Status
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.results.playing import servers
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Player, Season, User

    Values = Mapping[str, float | None]

LARGEST = 1e9


def parts_to_enter(match: Match, by: User) -> QuerySet[Participant]:
    """Return the participants whose figures this account may enter, in the order of the match."""
    parts = Participant.objects.filter(match=match).order_by("side__index", "position")
    if match.kind != Match.Kind.GAME:
        return parts.none()
    if match.status == Status.VOID or match.season.archived_at is not None:
        return parts.none()
    is_server = match.started_by_id == by.pk and by.has_perm(servers.PERMISSION)
    if is_server or own_matches.may_decide(match, by):
        return parts
    player = getattr(by, "player", None)
    if player is None or match.status not in OPEN:
        return parts.none()
    return parts.filter(side__captain=player)


def enter(match_id: int, given: Mapping[int, Values], *, by: User, now: datetime) -> Match:
    """Enter figures by player id and column. ``None`` removes a figure; others stay.

    Figures of a column that the arena no longer has can only be removed.

    Raises:
        Refused: neither the arena nor the match has figures, the arena has not this column, a
            number is out of range, or a player is not in the match.
        Forbidden: ``by`` may not enter the figures of these players.
        Conflict: the match is void, or its season is archived.
    """
    with transaction.atomic():
        # Two captains save at once: each adds to the figures that the other has stored.
        rows = Match.objects.select_for_update(of=["self"], no_key=True)
        match = rows.select_related("arena", "season").get(pk=match_id)
        check_open(match)
        held = dict(stored_figures(match).filter(player__in=given).values_list("player", "values"))
        check_values(match.arena.figures, given, held)
        if Participant.objects.filter(match=match, player__in=given).count() != len(given):
            raise Refused("not_in_the_match", _("A player is not in this match."), field="players")
        if parts_to_enter(match, by).filter(player__in=given).count() != len(given):
            raise not_yours()
        write(match, given, held, by, now)
    return match


def not_yours() -> Forbidden:
    """Return the refusal of an account that may not enter these figures."""
    return Forbidden(
        "not_yours", _("Captains enter the figures of their own side, until the result counts.")
    )


def no_figures() -> Refused:
    """Return the refusal of an arena without columns."""
    return Refused("no_figures", _("This arena has no match figures."))


def check_open(match: Match) -> None:
    if not match.arena.figures and not stored_figures(match).exists():
        raise no_figures()
    if match.status == Status.VOID or match.kind != Match.Kind.GAME:
        raise Conflict("void", _("This match does not count."))
    if match.season.archived_at is not None:
        raise Conflict("archived", _("This match's season is archived."))


def check_values(
    columns: Sequence[str], given: Mapping[int, Values], held: Mapping[int, Values]
) -> None:
    old = {name for values in held.values() for name in values}
    for player, values in given.items():
        for name, value in values.items():
            as_it_was = name in old and value in {None, held.get(player, {}).get(name)}
            if name not in columns and not as_it_was:
                if not columns:
                    raise no_figures()
                raise Refused(
                    "unknown_figure",
                    _("“%(name)s” is not a figure of this arena. Its figures are %(all)s.")
                    % {"name": name[:60], "all": list_of(columns)},
                    field="figures",
                )
            if value is not None and not (math.isfinite(value) and abs(value) <= LARGEST):
                raise Refused(
                    "figure_out_of_range",
                    _("%(name)s must be a number from −1,000,000,000 to 1,000,000,000.")
                    % {"name": name},
                    field="figures",
                )


def write(
    match: Match,
    given: Mapping[int, Values],
    held: Mapping[int, Values],
    by: User,
    now: datetime,
) -> None:
    rows = []
    for player, values in given.items():
        merged = {**held.get(player, {}), **values}
        kept = {name: value for name, value in merged.items() if value is not None}
        rows.append(PlayerFigures(match=match, player_id=player, values=kept, by=by, at=now))
    PlayerFigures.objects.filter(
        match=match, player__in=[row.player_id for row in rows if not row.values]
    ).delete()
    PlayerFigures.objects.bulk_create(
        [row for row in rows if row.values],
        update_conflicts=True,
        unique_fields=["player", "match"],
        update_fields=["values", "by", "at"],
    )


def figures_of(match: Match, most: int | None = None) -> list[PlayerFigures]:
    """Return the figures of a match by player, at most ``most``. No query if its arena has none."""
    return list(stored_figures(match)[:most]) if match.arena.figures else []


def stored_figures(match: Match) -> QuerySet[PlayerFigures]:
    """Return the figures of a match by player, also those of columns that its arena had."""
    rows = PlayerFigures.objects.filter(match=match)
    return rows.select_related("player").order_by("player__sort_name")


def columns_of(match: Match, rows: Sequence[PlayerFigures]) -> list[str]:
    """Return the columns to show: those of the arena, then others that the match has."""
    return with_others(match.arena.figures, (name for row in rows for name in row.values))


def with_others(columns: Sequence[str], names: Iterable[str]) -> list[str]:
    return list(dict.fromkeys([*columns, *names]))


def totals_of(season: Season, player: Player) -> list[tuple[str, float, int]]:
    """Return the sum of each figure in a player's rated matches of a season, and in how many.

    No query if the arena has no figures.
    """
    columns = season.arena.figures
    if not columns:
        return []
    rated = PlayerFigures.objects.filter(
        player=player, match__season=season, match__status=Status.RATED
    )
    found: dict[str, list[float]] = {}
    for values in rated.values_list("values", flat=True):
        for name, value in values.items():
            found.setdefault(name, []).append(value)
    return [
        (name, math.fsum(found[name]), len(found[name]))
        for name in with_others(columns, found)
        if name in found
    ]
