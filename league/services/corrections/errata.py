"""Errata: publish what an archived season would say without a mistake. The archive stays as it is.

The season is corrected and archived again by the code that does so otherwise, and all of it is
rolled back. Tables of the same names, which only this transaction sees, take the new archive.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db import connection, transaction
from django.utils.translation import gettext as _

from league.models import (
    Award,
    CorrectionKind,
    Erratum,
    ErratumLine,
    FinalPoints,
    FinalStanding,
    StaffAction,
)
from league.services.core.errors import Conflict
from league.services.corrections.previews import preview_of
from league.services.corrections.rules import change_of, check_may_correct, check_reason
from league.services.corrections.writing import (
    Decision,
    carry_through,
    lock_matches_and_season,
)
from league.services.seasons import final_standings

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Match, Season, User

    Placed = Sequence[tuple[int, float | None]]

SHADOWED = ("league_finalstanding", "league_award", "league_finalpoints")
SHADOW = """
    CREATE TEMP TABLE {table} (LIKE {table} INCLUDING DEFAULTS INCLUDING IDENTITY) ON COMMIT DROP
"""
TOLD = (
    "player_id", "rank_was", "rank_is", "rating_was", "rating_is", "points_was", "points_is",
    "awards_was", "awards_is",
)  # fmt: skip


@dataclass
class Standing:
    """What an archive says of a player."""

    name: str
    rank: int | None = None
    rating: float | None = None
    points: int | None = None
    awards: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Foreseen:
    """What an erratum would say."""

    lines: list[ErratumLine]
    """By the rank now, then the rank before."""
    digest: str
    """A fingerprint. Pass it to ``publish``."""


def preview(match: Match, *, by: User, placings: Placed | None = None, mode: str = "") -> Foreseen:
    """Return what the archive would say if a match had not counted, or had ended otherwise.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: its season is not archived, the match has an erratum or is not rated.
        Refused: the result does not fit the match.
    """
    check_may_correct(match, by, voids=placings is None)
    season = match.season
    if season.archived_at is None:
        raise Conflict(
            "not_archived", _("This season is not archived. Void or correct the match instead.")
        )
    if Erratum.objects.filter(match=match).exists():
        raise Conflict("erratum", _("An erratum of this match has already been published."))
    wanted = [
        *((one.match_id, one.placings, one.mode) for one in Erratum.objects.filter(season=season)),
        (match.pk, placings, mode),
    ]
    was = published(season)
    with transaction.atomic():
        now = archived_anew(season, wanted, by)
        transaction.set_rollback(True)
    lines = [
        line_of(player, old, new)
        for player in {*was, *now}
        for old, new in [both(was.get(player), now.get(player))]
        if replace(old, name="") != replace(new, name="")
    ]
    lines.sort(key=lambda one: (one.rank_is or 2**31, one.rank_was or 2**31, one.player_id))
    told = [{name: getattr(line, name) for name in TOLD} for line in lines]
    summary = json.dumps([match.pk, placings, mode, told])
    return Foreseen(lines, hashlib.blake2b(summary.encode(), digest_size=32).hexdigest())


def line_of(player: int, was: Standing, now: Standing) -> ErratumLine:
    return ErratumLine(
        player_id=player,
        name=was.name,
        rank_was=was.rank,
        rank_is=now.rank,
        rating_was=was.rating,
        rating_is=now.rating,
        points_was=was.points,
        points_is=now.points,
        awards_was=was.awards,
        awards_is=now.awards,
    )


def both(old: Standing | None, new: Standing | None) -> tuple[Standing, Standing]:
    known = old or new
    name = known.name if known else ""
    return old or Standing(name), new or Standing(name)


def archive_of(season: Season) -> dict[int, Standing]:
    """Return what the archive says, by player."""
    found = {
        row.player_id: Standing(row.name, row.rank, row.rating)
        for row in FinalStanding.objects.filter(season=season)
    }
    for total in FinalPoints.objects.filter(season=season):
        found.setdefault(total.player_id, Standing(total.name)).points = total.points
    for award in Award.objects.filter(season=season).order_by("kind"):
        found.setdefault(award.player_id, Standing(award.name)).awards.append(award.kind)
    return found


def published(season: Season) -> dict[int, Standing]:
    """Return what the archive says with its errata, by player."""
    found = archive_of(season)
    for line in ErratumLine.objects.filter(erratum__season=season).order_by("erratum_id"):
        found[line.player_id] = Standing(
            line.name, line.rank_is, line.rating_is, line.points_is, list(line.awards_is)
        )
    return found


def archived_anew(season: Season, wanted: Sequence[Any], by: User) -> dict[int, Standing]:
    """Correct the season and archive it again. The caller rolls back."""
    matches, season = lock_matches_and_season([one[0] for one in wanted])
    archived_at, season.archived_at = season.archived_at, None
    if archived_at is None:
        raise Conflict("not_archived", _("This season is not archived."))
    changes = [
        change_of(matches[match], placings and [tuple(one) for one in placings], mode)
        for match, placings, mode in wanted
    ]
    changes.sort(key=lambda change: change.rated_order)
    seen = preview_of(season, changes)
    kind = CorrectionKind.VOID if changes[-1].voids else CorrectionKind.RESULT
    reason = _("Erratum")
    decision = Decision(season, matches, changes, kind, reason, by, seen.digest, seen.horizon)
    carry_through(decision, archived_at)
    with connection.cursor() as cursor:
        for table in SHADOWED:
            cursor.execute(SHADOW.format(table=table))
        cursor.execute("DISCARD PLANS")  # they know the tables behind
    final_standings.write(season, archived_at)
    return archive_of(season)


def publish(
    match: Match,
    *,
    by: User,
    reason: str,
    digest: str,
    now: datetime,
    placings: Placed | None = None,
    mode: str = "",
) -> Erratum:
    """Publish an erratum as previewed. Nothing in the archive changes.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: there is nothing to publish, or it has changed since the preview.
        Refused: there is no reason, or the result does not fit the match.
    """
    reason = check_reason(reason)
    with transaction.atomic():
        lock_matches_and_season([match.pk])
        foreseen = preview(match, by=by, placings=placings, mode=mode)
        if foreseen.digest != digest:
            raise Conflict(
                "history_moved", _("The effect has changed since your preview. Check it again.")
            )
        erratum = Erratum.objects.create(
            season=match.season,
            match=match,
            kind=CorrectionKind.VOID if placings is None else CorrectionKind.RESULT,
            placings=placings,
            mode=mode,
            reason=reason,
            by=by,
            at=now,
        )
        for line in foreseen.lines:
            line.erratum = erratum
        ErratumLine.objects.bulk_create(foreseen.lines)
        StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.ERRATUM,
            match=match,
            reason=reason,
            details={"erratum": erratum.pk, "season": str(match.season)},
            at=now,
        )
    return erratum
