"""Undo a correction: its matches become what they were before it, and later ones are rated again.

An undo is a correction itself, so it can be undone too. The corrections of a match form a stack:
only the last one that still counts can be undone, or the last undo.
"""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import (
    CorrectedMatch,
    Correction,
    CorrectionKind,
    Match,
    Participant,
    Status,
)
from league.services.core.errors import Conflict
from league.services.core.isolation import gettext as _
from league.services.corrections.checks import check_may_correct, check_reason
from league.services.corrections.making import Decision, carry_through
from league.services.replay.apply import lock_matches_and_season
from league.services.replay.diff import diff
from league.services.replay.edits import Edit, MatchState, change_back
from league.services.replay.previews import preview_of
from league.services.results.rules import own_matches

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence
    from datetime import datetime

    from django.contrib.auth.models import AnonymousUser

    from league.models import User
    from league.services.replay.previews import Preview
    from ratings.replay import Progress

UNDOABLE = {
    CorrectionKind.VOID,
    CorrectionKind.RESULT,
    CorrectionKind.VOID_ALL,
    CorrectionKind.UNDO,
}
MOST_LISTED = 3


def undoable(match: Match) -> list[Correction]:
    """Return the corrections of a match that can be undone: the last one that counts, and the last
    undo if nothing came after it. Empty if its season is archived."""
    if match.season.archived_at is not None:
        return []
    made = open_ones(corrections_of([match.pk])[match.pk])
    return [one for one in made if one.kind in UNDOABLE]


def undoable_by(match: Match, user: User | AnonymousUser) -> list[Correction]:
    """Return the corrections of a match that an account may undo."""
    if not own_matches.may_change_rated(match, user):
        return []
    return [
        one
        for one in undoable(match)
        if own_matches.may_decide(
            match, user, own_matches.VOID if voids(one) else own_matches.CORRECT
        )
    ]


def corrections_of(matches: Iterable[int]) -> dict[int, list[Correction]]:
    """Return the corrections that changed each match, in order."""
    rows = CorrectedMatch.objects.filter(match__in=matches).order_by("correction_id")
    found: dict[int, list[Correction]] = defaultdict(list)
    for row in rows.select_related("correction__undoing__undone", "correction__by__player"):
        found[row.match_id].append(row.correction)
    return found


VOIDS = {CorrectionKind.VOID, CorrectionKind.VOID_ALL}
"""Kinds that only those who may void rated results can undo, or do again."""


def voids(correction: Correction) -> bool:
    """Return whether a correction voids matches, or undoes one that does."""
    undoes = correction.undoing.undone if correction.kind == CorrectionKind.UNDO else correction
    return undoes.kind in VOIDS


def open_ones(made: Sequence[Correction]) -> list[Correction]:
    """Return which of a match's corrections, given in order, can be undone."""
    stack: list[Correction] = []
    counting: dict[int, bool] = {}
    for one in made:
        undone = one.undoing.undone_id if one.kind == CorrectionKind.UNDO else None
        # Undoing an undo makes what it undid count again.
        counting[one.pk] = undone is None or not counting[undone]
        if counting[one.pk]:
            stack.append(one)
        else:
            stack.pop()
    last_undo = [one for one in made[-1:] if not counting[one.pk]]
    return [*last_undo, *stack[-1:]]


def check_undoing(
    correction: Correction, by: User
) -> tuple[dict[int, Match], list[CorrectedMatch]]:
    """Return the matches of a correction that can be undone, and what they were before it.

    Raises:
        Forbidden: ``by`` may not correct results, or played in one of the matches.
        Conflict: it cannot be undone, with the reason and what to do.
    """
    rows = list(correction.corrected_matches.select_related("match__season__arena"))
    matches = {row.match_id: row.match for row in rows}
    for match in matches.values():
        check_may_correct(match, by, voids=voids(correction))
    if correction.kind not in UNDOABLE or not rows:
        raise Conflict(
            "not_undoable",
            _(
                "This correction cannot be undone: it is older than this feature, or rated more "
                "than single matches again. Correct the match instead."
            ),
        )
    if correction.season.archived_at is not None:
        raise Conflict(
            "archived",
            _("%(season)s is archived. Its results no longer change. Publish an erratum instead.")
            % {"season": correction.season},
        )
    if hasattr(correction, "undone_by"):
        raise Conflict("undone", _("This correction has already been undone."))
    check_last(correction, matches)
    check_players(matches)
    check_decay(correction, matches)
    if any(comes_back(row) for row in rows):
        check_order(correction)
    return matches, rows


def check_last(correction: Correction, matches: Iterable[int]) -> None:
    """Refuse to undo a correction of matches that were corrected again since."""
    later = [
        match
        for match, made in corrections_of(matches).items()
        if correction.pk not in {one.pk for one in open_ones(made)}
    ]
    if later:
        names = ", ".join(
            _("match %(number)d") % {"number": match} for match in later[:MOST_LISTED]
        )
        raise Conflict(
            "corrected_since",
            _("Corrected again since then: %(matches)s. Undo the later correction first.")
            % {"matches": names},
        )


def check_players(matches: Iterable[int]) -> None:
    """Refuse matches with a player who has been merged, as they are no player any more."""
    merged = Participant.objects.filter(match__in=matches, player__merged_into__isnull=False)
    if one := merged.select_related("player").first():
        raise Conflict(
            "merged",
            _(
                "%(player)s has been merged with another player of match %(match)d since then, so "
                "the match cannot count again."
            )
            % {"player": one.player, "match": one.match_id},
        )


def check_decay(correction: Correction, matches: dict[int, Match]) -> None:
    """Refuse an evening with which all steps of decay went: the season decays anew since then."""
    if "evening" in correction.details and not all(one.is_game for one in matches.values()):
        raise Conflict(
            "decayed",
            _(
                "No result was left in the season, so its steps of decay became void too. Enter "
                "these results again instead."
            ),
        )


def comes_back(row: CorrectedMatch) -> bool:
    """Return whether a match is void now, and counted before its correction."""
    return row.match.status == Status.VOID and row.was["status"] == Status.RATED


def check_order(correction: Correction) -> None:
    """Refuse to let void matches count again if imports since then moved results that count.

    Those have new places in the order of rating, and void matches only their old ones.
    """
    later = correction.season.corrections.filter(pk__gt=correction.pk)
    if later.filter(details__moves=True).exists():
        raise Conflict(
            "imported_since",
            _(
                "Earlier results have been imported since then, or such an import has been undone. "
                "So it is no longer known after which results these matches were rated. Enter them "
                "again instead."
            ),
        )


def edit_back(rows: Iterable[CorrectedMatch], matches: dict[int, Match]) -> Edit:
    """Return the edit that brings matches back to what they were."""
    changes = []
    for row in rows:
        match, state = matches[row.match_id], MatchState.read(row.was)
        sides = match.sides.order_by("index")
        now = MatchState.of(match, match.rated_order or state.rated_order, sides)
        changes.append(change_back(match.pk, state, now))
    return Edit(sorted(changes, key=lambda change: change.rated_order))


def preview(correction: Correction, *, by: User) -> Preview:
    """Return the effect of undoing a correction. Raises as :func:`check` does."""
    matches, rows = check_undoing(correction, by)
    return preview_of(diff(correction.season, edit_back(rows, matches)))


def undo(
    correction: Correction,
    *,
    by: User,
    reason: str,
    digest: str,
    horizon: int,
    now: datetime,
    progress: Progress | None = None,
) -> Correction:
    """Undo a correction with this preview, and return the correction that does.

    Raises:
        Forbidden: ``by`` may not correct these results.
        Conflict: it cannot be undone, the history has changed since the preview, or the season is
            in use.
        Refused: there is no reason.
    """
    reason = check_reason(reason)
    with transaction.atomic():
        ids = list(correction.corrected_matches.values_list("match", flat=True))
        if not ids:
            check_undoing(correction, by)
        matches, season = lock_matches_and_season(ids)
        correction = Correction.objects.get(pk=correction.pk)
        correction.season = season
        _loaded, rows = check_undoing(correction, by)
        decision = Decision(
            season=season,
            matches=matches,
            edit=edit_back(rows, matches),
            kind=CorrectionKind.UNDO,
            reason=reason,
            by=by,
            digest=digest,
            horizon=horizon,
            undoes=correction,
            details=details_of(correction),
        )
        return carry_through(decision, now, progress)


def details_of(correction: Correction) -> dict[str, object]:
    """Return what the ledger says of an undo: what of several matches it is about."""
    about = ("player", "players", "season", "matches", "evening")
    return {name: correction.details[name] for name in about if name in correction.details}
