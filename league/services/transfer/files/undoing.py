"""Undo imports: ratings become, to the last bit, what they would be without them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import ProtectedError

from league.models import (
    CorrectedMatch,
    CorrectionKind,
    Match,
    Player,
    Roster,
    RosterMember,
    Season,
    Settlement,
    StaffAction,
    Status,
    Team,
)
from league.models.own_words import Why
from league.services.competitions import counting
from league.services.core.clock import microseconds
from league.services.core.errors import Conflict
from league.services.core.id_lists import any_of
from league.services.core.isolation import gettext as _
from league.services.corrections import undoing
from league.services.people import captains
from league.services.rating.tail import read_tail
from league.services.replay.apply import Cause, apply
from league.services.replay.edits import Added, Change, Edit, Part
from league.services.results.rules import challenges, own_matches
from league.services.transfer.files import fixture_imports, team_imports
from league.services.transfer.files.import_reports import effect_in_words
from league.services.transfer.files.player_imports import rename
from league.services.transfer.files.result_imports import Done, follow_up
from league.services.transfer.files.seasons import diff, lock_open_season, open_season

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from league.models import FileImport, User
    from league.services.core.types import Progress
    from league.services.rating.tail import Tail
    from league.services.replay.diff import Diff


def undo(file: FileImport, *, by: User, reason: str, now: datetime, progress: Progress) -> Done:
    """Undo an import in the caller's transaction.

    Raises:
        Forbidden: ``by`` played in one of the matches, and others can decide it.
        Conflict: something that it brought has been changed since, or cannot change any more.
    """
    if file.what == file.What.RESULTS:
        check_own(file, by)
        voided = take_back(
            file.matches,
            file=file,
            cause={"import": file.pk},
            reason=reason,
            by=by,
            now=now,
            progress=progress,
        )
        counting.unlink(voided, now)
        challenges.unlink(voided)
        return Done({}, matches=voided, players=[], changed=file.changed)
    if file.what == file.What.FIXTURES:
        fixture_imports.put_back(file, by=by, reason=reason, now=now)
        return Done({}, changed=file.changed)
    return Done({}, players=put_back(file, by, now))


def preview(file: FileImport, *, by: User, progress: Progress) -> list[dict[str, Any]]:
    """Return the effect on each season of undoing an import. Raises as :func:`undo` does."""
    if file.what != file.What.RESULTS:
        return []
    check_own(file, by)
    return effects_without(file.matches, progress, file)


def check_own(file: FileImport, by: User) -> None:
    """Raise ``Forbidden`` if ``by`` played in a match of a file, and others can decide it."""
    touched = [*file.matches, *(entry["match"] for entry in file.changed)]
    for match in Match.objects.filter(pk__in=any_of(touched), participants__player__user=by):
        own_matches.check_own_match(match, by, own_matches.VOID)


@dataclass(frozen=True)
class Without:
    """A season without some matches, computed but not written."""

    diff: Diff
    decays_anew: bool
    """Whether every rated match becomes void, and with them all steps of decay."""


def effects_without(
    matches: Iterable[int], progress: Progress, file: FileImport | None = None
) -> list[dict[str, Any]]:
    """Return the effect on each season of voiding matches, and of what an import changed.

    Nothing is written.
    """
    found = seasons_without(matches, file, progress, season_with=open_season)
    return [effect_in_words(one.diff) for one in found]


def seasons_without(
    matches: Iterable[int],
    file: FileImport | None,
    progress: Progress,
    *,
    season_with: Callable[[int], Season],
) -> Iterator[Without]:
    """Yield the seasons that differ without matches, and without the changes of an import."""
    rows = Match.objects.filter(pk__in=any_of(matches), status=Status.RATED).order_by("pk")
    changed = file.changed if file else []
    ids = [entry["match"] for entry in changed]
    theirs = dict(Match.objects.filter(pk__in=any_of(ids)).values_list("pk", "season"))
    for season_id in sorted({*rows.values_list("season", flat=True), *theirs.values()}):
        season = season_with(season_id)
        own = [entry for entry in changed if theirs[entry["match"]] == season_id]
        was = read_tail(season, -1)
        # Only now: a correction may have voided some while this waited for the season.
        dropped = list(rows.filter(season=season).values_list("pk", flat=True))
        places = dict(zip(was["match"].tolist(), was["rated_order"].tolist(), strict=True))
        dropped = with_steps(was, [match for match in dropped if match in places])
        voids = [Change(match, places[match]) for match in dropped]
        back = edit_back(file, own) if file else Edit()
        edit = Edit([*back.changes, *voids], back.added)
        if not edit.is_empty:
            yield Without(diff(season, was, edit, progress), len(dropped) == was.matches)


def take_back(
    matches: Iterable[int],
    *,
    file: FileImport | None = None,
    cause: dict[str, int],
    reason: str,
    by: User,
    now: datetime,
    progress: Progress,
    kind: CorrectionKind = CorrectionKind.UNIMPORT,
) -> list[int]:
    """Make matches void and undo the changes of an import. Return the ids of the void ones."""
    voided: list[int] = []
    for one in seasons_without(matches, file, progress, season_with=lock_open_season):
        edit = one.diff.edit
        voided += edit.voided
        if one.decays_anew:
            Season.objects.filter(pk=one.diff.season.pk).update(decayed_until=None)
        apply(one.diff, Cause(kind, reason, by, now, cause), progress)
        Match.objects.filter(pk__in=any_of(edit.voided)).update(external_id=None)
        results = {change.match: change.placings for change in edit.changes if not change.voids}
        for match in [*results, *(one.match for one in edit.added)]:
            undone = StaffAction.Kind.UNDONE
            follow_up(match, undone, results.get(match), Why(reason), by, now)
    return voided


def with_steps(was: Tail, dropped: list[int]) -> list[int]:
    """Return the matches to make void: with all steps of decay, if no game remains in the season.

    Decay then starts anew with the next results.
    """
    games = np.unique(was["match"][was["played"] == 1])
    if not dropped or not np.isin(games, dropped).all():
        return dropped
    return [int(match) for match in np.unique(was["match"])]


def edit_back(file: FileImport, changed: list[dict[str, Any]]) -> Edit:
    """Return the edit that brings the matches back that an import changed or made void.

    Raises:
        Conflict: one of them has been changed since.
    """
    results = {entry["match"]: entry["is"] for entry in changed if not entry.get("void")}
    rows = CorrectedMatch.objects.filter(
        match__in=any_of(results), correction__details__import=file.pk
    ).exclude(correction__kind=CorrectionKind.UNIMPORT)
    matches = Match.objects.in_bulk(results)
    for match in matches.values():
        placings = match.sides.order_by("index").values_list("place", "score")
        if match.status != Status.RATED or [*placings] != [tuple(one) for one in results[match.pk]]:
            raise Conflict(
                "changed_since",
                _("Match %(match)d has been changed since the import. Undo that first.")
                % {"match": match.pk},
            )
    back = undoing.edit_back(rows, matches)
    return Edit(back.changes, [counts_again(entry) for entry in changed if entry.get("void")])


def counts_again(entry: dict[str, Any]) -> Added:
    """Return a void match as one that counts again. Raises ``Conflict``."""
    match = Match.objects.get(pk=entry["match"])
    if match.status != Status.VOID or match.settlement != Settlement.STAFF or match.event_count:
        raise Conflict(
            "changed_since",
            _("Match %(match)d has been changed since the import.") % {"match": match.pk},
        )
    sides = list(match.sides.order_by("index"))
    parts: dict[int, list[Part]] = defaultdict(list)
    for part in match.participants.order_by("side", "position"):
        parts[part.side_id].append(Part(part.player_id, part.seconds, part.quit, part.profession))
    return Added(
        match.pk,
        microseconds(match.played_at),
        [parts[side.pk] for side in sides],
        [side.place or 0 for side in sides],
        [side.score for side in sides],
        match.weight,
        float("inf") if match.perf_ceiling is None else match.perf_ceiling,
        match.mode,
        match.first_side,
        after=entry["after"],
    )


def put_back(file: FileImport, by: User, now: datetime) -> list[int]:
    """Undo an import of players, rosters or teams. Return the ids of the players who are gone."""
    announce_captains(file.changed, now)
    for entry in reversed(file.changed):
        if "level" in entry:
            rows = Player.ever.filter(pk=entry["player"])
            if rows.filter(level=entry["level"][1]).update(level=entry["level"][0]) == 0:
                raise changed_since(rows.first())
        if "name" in entry:
            rename_back(entry, by, now)
        if "roster" in entry:
            undo_roster(entry)
        if "team" in entry and (team := team_imports.undo(entry)) is not None:
            raise changed_since(team)
    for player in Player.ever.filter(pk__in=any_of(file.players)).select_for_update(no_key=True):
        if player.user_id is not None or any(
            getattr(player, used).exists() for used in ("former_names", "roster_invitations")
        ):
            raise changed_since(player)
        try:
            player.delete()
        except ProtectedError:
            raise changed_since(player) from None
    return list(file.players)


def announce_captains(changed: list[dict[str, Any]], now: datetime) -> None:
    """Announce the captains who lead rosters again."""
    back = {
        entry["roster"]: entry["captain"]
        for entry in changed
        if "roster" in entry and not entry["made"] and entry["captain"] is not None
    }
    players = Player.objects.in_bulk(back.values())
    rosters = Roster.objects.filter(pk__in=any_of(back))
    captains.announce([(roster, players[back[roster.pk]]) for roster in rosters], now)


def rename_back(entry: dict[str, Any], by: User, now: datetime) -> None:
    """Give a player their old name again."""
    player = Player.objects.filter(pk=entry["player"], name=entry["name"][1]).first()
    if player is None:
        raise changed_since(Player.ever.filter(pk=entry["player"]).first())
    rename(player, entry["name"][0], by=by, now=now)


def undo_roster(entry: dict[str, Any]) -> None:
    """Remove what an import added to a roster, and the roster if it created it."""
    roster = Roster.objects.filter(pk=entry["roster"]).first()
    if roster is None:
        return
    RosterMember.objects.filter(roster=roster, player__in=entry["added"]).delete()
    if entry.get("adopted"):
        Roster.objects.filter(pk=roster.pk).update(team=None)
    if entry["made"]:
        team = entry.get("team")
        used = roster.team_id != team or roster.sides.exists() or roster.entries.exists()
        if used or roster.memberships.exists():
            raise changed_since(roster)
        roster.delete()
    elif entry["captain"] is not None:
        Roster.objects.filter(pk=roster.pk).update(captain=entry["captain"])


def changed_since(row: Player | Roster | Team | None) -> Conflict:
    return Conflict(
        "changed_since",
        _("“%(name)s” has been used or changed since the import. It cannot be undone.")
        % {"name": row or "?"},
    )
