"""Errata: public notes on mistakes that are found after a season has been archived.

An archive never changes. An erratum is a staff action about one of its matches. Everyone reads it
on the pages of the match, the season and the players who took part, and in the season's exports.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Exists, OuterRef
from django.db.models.functions import JSONObject
from django.utils.translation import gettext as _

from league.models import StaffAction
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Match, Player, Season, User


def errata_of(season: Season, player: Player | None = None) -> QuerySet[StaffAction]:
    """Return the errata of a season, or those about a player's matches, oldest first."""
    found = StaffAction.objects.filter(
        kind=StaffAction.Kind.ERRATUM, details__contains={"season": season.pk}
    )
    if player is not None:
        found = found.filter(match__participants__player=player)
    return found.select_related("actor__player").order_by("id")


def has_errata() -> Exists:
    """Return the condition that a season of a query has errata."""
    of_season = JSONObject(season=OuterRef("pk"))
    found = StaffAction.objects.filter(kind=StaffAction.Kind.ERRATUM)
    return Exists(found.filter(details__contains=of_season))


def to_rows(season: Season) -> list[dict[str, Any]]:
    """Return the errata of a season as its exports have them."""
    return [
        {"match": one.match_id, "reason": one.reason, "at": one.at.isoformat()}
        for one in errata_of(season)
    ]


def publish(match: Match, *, by: User, reason: str, now: datetime) -> StaffAction:
    """Publish an erratum about a match of an archived season.

    Raises:
        Forbidden: ``by`` may not correct this result.
        Conflict: the season is not archived.
        Refused: there is no text.
    """
    if not by.has_perm(own_matches.CORRECT, match) and not by.has_perm(own_matches.VOID, match):
        raise Forbidden("not_staff", _("Only staff can publish an erratum."))
    details = own_matches.check_own_match(match, by, own_matches.CORRECT)
    if match.season.archived_at is None:
        raise Conflict(
            "not_archived", _("This season is not archived. Void or correct the match instead.")
        )
    if not reason.strip():
        raise Refused("no_reason", _("Say what is wrong. Everyone can read it."), field="reason")
    with transaction.atomic():
        return StaffAction.objects.create(
            actor=by,
            kind=StaffAction.Kind.ERRATUM,
            match=match,
            reason=reason.strip(),
            details={"season": match.season_id, **details},
            at=now,
        )
