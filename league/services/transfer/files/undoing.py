"""Undo imports: ratings become, to the last bit, what they would be without them."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import ProtectedError
from django.utils.translation import gettext as _

from league.models import (
    CorrectionKind,
    Match,
    Participant,
    Player,
    Roster,
    RosterMember,
    Season,
    Settlement,
    Side,
    StaffAction,
    Status,
)
from league.models.own_words import Why
from league.services.competitions import counting
from league.services.core.clock import microseconds
from league.services.core.errors import Conflict
from league.services.core.id_lists import any_of
from league.services.corrections.changes import Change
from league.services.corrections.rules import check_not_archived
from league.services.people import captains
from league.services.results.rules import own_matches
from league.services.transfer.files import fixture_imports
from league.services.transfer.files.import_reports import effect_in_words
from league.services.transfer.files.player_imports import rename
from league.services.transfer.files.result_imports import Done, follow_up
from league.services.transfer.files.rewriting import (
    Other,
    Part,
    Played,
    history_of,
    lock_open_season,
    rewritten,
)
from league.services.transfer.files.rewritten_seasons import write

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from datetime import datetime

    from league.models import FileImport, User
    from league.services.core.types import Progress
    from league.services.rating.tail import Tail
    from league.services.transfer.files.rewriting import Rewriting


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
            file.changed,
            cause={"import": file.pk},
            reason=reason,
            by=by,
            now=now,
            progress=progress,
        )
        counting.unlink(voided, now)
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
    return effects_without(file.matches, file.changed, progress)


def check_own(file: FileImport, by: User) -> None:
    """Raise ``Forbidden`` if ``by`` played in a match of a file, and others can decide it."""
    touched = [*file.matches, *(entry["match"] for entry in file.changed)]
    for match in Match.objects.filter(pk__in=any_of(touched), participants__player__user=by):
        own_matches.check(match, by, own_matches.VOID)


@dataclass(frozen=True)
class Without:
    """A season without some matches, computed but not written."""

    rewriting: Rewriting
    own: list[dict[str, Any]]
    """The changes of other matches that are undone in it."""
    dropped: list[int]

    @property
    def decays_anew(self) -> bool:
        """Whether every rated match becomes void, and with them all steps of decay."""
        return bool(self.dropped) and len(self.dropped) == self.rewriting.effect.was.matches


def effects_without(
    matches: Iterable[int], changed: list[dict[str, Any]], progress: Progress
) -> list[dict[str, Any]]:
    """Return the effect on each season of voiding matches. Nothing is written."""
    found = seasons_without(matches, changed, progress, season_with=open_season)
    return [effect_in_words(one.rewriting) for one in found]


def seasons_without(
    matches: Iterable[int],
    changed: list[dict[str, Any]],
    progress: Progress,
    *,
    season_with: Callable[[int], Season],
) -> Iterator[Without]:
    """Yield the seasons that differ without matches, and without changes of others."""
    rows = Match.objects.filter(pk__in=any_of(matches), status=Status.RATED).order_by("pk")
    ids = [entry["match"] for entry in changed]
    theirs = dict(Match.objects.filter(pk__in=any_of(ids)).values_list("pk", "season"))
    for season_id in sorted({*rows.values_list("season", flat=True), *theirs.values()}):
        season = season_with(season_id)
        own = [entry for entry in changed if theirs[entry["match"]] == season_id]
        was = history_of(season)
        # Only now: a correction may have voided some while this waited for the season.
        dropped = list(rows.filter(season=season).values_list("pk", flat=True))
        dropped = with_steps(was, dropped)
        if not (own or dropped):
            continue
        other = Other(
            [counts_again(entry) for entry in own if entry.get("void")],
            [as_before(entry) for entry in own if not entry.get("void")],
            dropped,
        )
        yield Without(rewritten(season, was, other, progress), own, dropped)


def open_season(season_id: int) -> Season:
    """Return a season. Raises ``Conflict`` if it is archived."""
    season = Season.objects.get(pk=season_id)
    check_not_archived(season)
    return season


def take_back(
    matches: Iterable[int],
    changed: list[dict[str, Any]],
    *,
    cause: dict[str, int],
    reason: str,
    by: User,
    now: datetime,
    progress: Progress,
    kind: CorrectionKind = CorrectionKind.UNIMPORT,
) -> list[int]:
    """Make matches void and undo changes of others. Return the ids of those that became void."""
    voided: list[int] = []
    for one in seasons_without(matches, changed, progress, season_with=lock_open_season):
        voided += one.dropped
        if one.decays_anew:
            Season.objects.filter(pk=one.rewriting.season.pk).update(decayed_until=None)
        write(
            one.rewriting,
            kind=kind,
            cause=cause,
            reason=reason,
            by=by,
            now=now,
            progress=progress,
        )
        Match.objects.filter(pk__in=any_of(one.dropped)).update(external_id=None)
        for entry in one.own:
            if entry.get("one_sided") is not None:
                Match.objects.filter(pk=entry["match"]).update(one_sided=entry["one_sided"])
            follow_up(
                entry["match"], StaffAction.Kind.UNDONE, entry.get("was"), Why(reason), by, now
            )
    return voided


def with_steps(was: Tail, dropped: list[int]) -> list[int]:
    """Return the matches to make void: with all steps of decay, if no game remains in the season.

    Decay then starts anew with the next results.
    """
    games = np.unique(was["match"][was["played"] == 1])
    if not dropped or not np.isin(games, dropped).all():
        return dropped
    return [int(match) for match in np.unique(was["match"])]


def as_before(entry: dict[str, Any]) -> Change:
    """Return the change of a result back to what it was. Raises ``Conflict``."""
    match = Match.objects.get(pk=entry["match"])
    placings = list(match.sides.order_by("index").values_list("place", "score"))
    if (
        match.status != Status.RATED
        or match.rated_order is None
        or placings != [(place, score) for place, score in entry["is"]]
    ):
        raise Conflict(
            "changed_since",
            _("Match %(match)d has been changed since the import. Undo that first.")
            % {"match": match.pk},
        )
    was = [(place, score) for place, score in entry["was"]]
    return Change(match.pk, match.rated_order, was, entry["weight"])


def counts_again(entry: dict[str, Any]) -> Played:
    """Return a void match as one that counts again. Raises ``Conflict``."""
    match = Match.objects.get(pk=entry["match"])
    if match.status != Status.VOID or match.settlement != Settlement.STAFF or match.event_count:
        raise Conflict(
            "changed_since",
            _("Match %(match)d has been changed since the import.") % {"match": match.pk},
        )
    sides = list(Side.objects.filter(match=match).order_by("index"))
    parts: dict[int, list[Part]] = defaultdict(list)
    for part in Participant.objects.filter(match=match).order_by("side", "position"):
        parts[part.side_id].append(Part(part.player_id, part.seconds, part.quit, part.profession))
    return Played(
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
    """Undo an import of players or rosters. Return the ids of the players who are gone."""
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
    if entry["made"]:
        used = roster.team_id or roster.sides.exists() or roster.entries.exists()
        if used or roster.memberships.exists():
            raise changed_since(roster)
        roster.delete()
    elif entry["captain"] is not None:
        Roster.objects.filter(pk=roster.pk).update(captain=entry["captain"])


def changed_since(row: Player | Roster | None) -> Conflict:
    return Conflict(
        "changed_since",
        _("“%(name)s” has been used or changed since the import. It cannot be undone.")
        % {"name": row or "?"},
    )
