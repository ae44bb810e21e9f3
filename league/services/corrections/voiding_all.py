"""Void all matches of a player in a season, with one preview and one replay.

The result equals voiding each of them, one after the other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db import transaction
from django.db.models import Count, OuterRef, Q, Subquery

from league.models import Correction, CorrectionKind, Match, Player, Season
from league.services.core.errors import Conflict, Forbidden, Refused
from league.services.core.isolation import gettext as _
from league.services.corrections import undoing
from league.services.corrections.checks import check_not_archived, check_reason
from league.services.corrections.making import Decision, carry_through, history_moved
from league.services.corrections.rerating import stepping
from league.services.replay.apply import lock_matches_and_season
from league.services.replay.diff import diff
from league.services.replay.edits import Change, Edit
from league.services.replay.previews import preview_of
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from datetime import datetime

    from django.db.models import QuerySet

    from league.models import Job, User
    from league.models.match import MatchQuerySet
    from league.services.core.types import Progress
    from league.services.replay.previews import Preview

JOB = "void_all"
UNDO_JOB = "undo_all"


def seasons_of(player: Player) -> QuerySet[Season]:
    """Return the seasons that are not archived in which a player has rated matches, latest first.

    Each has ``count``, the number of these matches.
    """
    played = Match.objects.rated().games().filter(participants__player=player).order_by()
    by_season = played.values("season").annotate(count=Count("pk"))
    count = Subquery(by_season.filter(season=OuterRef("pk")).values("count"))
    seasons = Season.objects.filter(archived_at=None, pk__in=by_season.values("season"))
    return seasons.annotate(count=count).select_related("arena").order_by("-starts_at")


def made_about(player: Player) -> QuerySet[Correction]:
    """Return the times when all matches of a player were voided, latest first."""
    found = Correction.objects.filter(kind=CorrectionKind.VOID_ALL, details__player=player.pk)
    return found.select_related("season__arena", "by__player", "undone_by").order_by("-id")


def matches_of(player: Player, season: Season) -> MatchQuerySet:
    """Return the matches that are voided: games that count, in the order of rating."""
    rated = season.matches.rated().games().filter(participants__player=player)
    return rated.order_by("rated_order")


def check_voiding(player: Player, season: Season, by: User) -> list[Match]:
    """Return the matches to void.

    Raises:
        Forbidden: ``by`` may not void them.
        Conflict: the season is archived, or has no match of the player that counts.
    """
    if not by.has_perm(own_matches.VOID, season.arena):
        raise Forbidden("not_staff", _("Only staff can void matches."))
    check_not_archived(season)
    matches = list(matches_of(player, season))
    if not matches:
        raise Conflict(
            "no_matches",
            _("%(player)s has no match that counts in %(season)s.")
            % {"player": player, "season": season},
        )
    involved = Q(participants__player__user=by) | Q(sides__captain__user=by)
    for own in Match.objects.filter(involved, pk__in=[one.pk for one in matches]).distinct():
        own_matches.check_own_match(own, by, own_matches.VOID)
    return matches


def edit_of(matches: list[Match]) -> Edit:
    return Edit([Change(match.pk, match.rated_order or 0) for match in matches])


def preview(player: Player, season: Season, *, by: User) -> Preview:
    """Return the effect of voiding all matches of a player. Raises as :func:`check` does."""
    return preview_of(diff(season, edit_of(check_voiding(player, season, by))))


def void_all(
    player: Player,
    season: Season,
    *,
    by: User,
    reason: str,
    digest: str,
    horizon: int,
    now: datetime,
    progress: Progress = lambda _step, _done, _total: None,
) -> Correction:
    """Void all matches of a player in a season, as previewed, and return the correction.

    Raises:
        Forbidden: ``by`` may not void them.
        Conflict: the season is archived or in use, or the history has changed since the preview.
        Refused: there is no reason.
    """
    reason = check_reason(reason)
    with transaction.atomic():
        ids = [match.pk for match in check_voiding(player, season, by)]
        locked, season = lock_matches_and_season(ids)
        edit = edit_of(check_voiding(player, season, by))
        if not set(edit.matches) <= set(locked):
            raise history_moved()
        decision = Decision(
            season=season,
            matches={match: locked[match] for match in edit.matches},
            edit=edit,
            kind=CorrectionKind.VOID_ALL,
            reason=reason,
            by=by,
            digest=digest,
            horizon=horizon,
            details={
                "player": player.pk,
                "players": [player.name],
                "season": str(season),
                "matches": len(edit.changes),
            },
        )
        tell = stepping(progress, _("rating matches"), season.matches.rated().count())
        return carry_through(decision, now, tell)


def work(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Void all matches of the player given with a job, as previewed."""
    given = dict(job.given)
    player = Player.objects.filter(pk=given.pop("player")).first()
    if player is None or job.season is None:
        raise Refused("gone", _("This player or season no longer exists."))
    made = void_all(player, job.season, by=job.by, now=now, progress=progress, **given)
    return result_of(made)


def work_undo(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Undo the correction given with a job, as previewed."""
    given = dict(job.given)
    correction = Correction.objects.select_related("season").get(pk=given.pop("correction"))
    tell = stepping(progress, _("rating matches"), correction.season.matches.rated().count())
    return result_of(undoing.undo(correction, by=job.by, now=now, progress=tell, **given))


def result_of(made: Correction) -> dict[str, Any]:
    return {
        "correction": made.pk,
        "player": made.details["player"],
        "matches": made.details["matches"],
        "players": made.players,
    }
