"""One game, one match: the reports of several captains about the same game."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta
from functools import cached_property
from typing import TYPE_CHECKING

from django.db import transaction

from league.models import CounterReport, Match, Status
from league.services.core.errors import AboutMatch, Conflict
from league.services.core.isolation import gettext as _
from league.services.core.kill_points import committing
from league.services.core.locking import lock
from league.services.core.numbers import write_score
from league.services.results.reports import answers
from league.services.results.reports.digests import lineup_digest, number, result_digest

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime
    from uuid import UUID

    from league.models import Arena, Player
    from league.services.core.locking import LockedMatch
    from league.services.core.types import ReportedSide

PAIRING_WINDOW = timedelta(days=1)
"""Reports of one line-up by different sides are about the same game if its times are less than this
apart. Captains remember the day of a game better than its minute."""
REPEAT_WINDOW = timedelta(minutes=10)
"""The same report by the same player within this time is the first one, sent again."""
JUST_NOW = timedelta(minutes=2)
"""Two reports of games that ended less than this before each report have the same end."""

Placing = tuple[int, float | None]
"""A place and a score."""


@dataclass(frozen=True)
class Submission:
    """A checked report that is about to be written, or answers an earlier report of its game."""

    sides: Sequence[ReportedSide]
    reporter: Player
    reporter_side: int
    played_at: datetime
    now: datetime
    arena: Arena
    client_token: UUID | None
    report_digest: UUID
    mode: str = ""
    sent_from: UUID | None = None
    same_game: bool | None = None
    """Whether it is about the same game as a report that differs, ``None`` to ask."""

    @cached_property
    def lineup(self) -> UUID:
        return lineup_digest([part.player.pk for part in side.participants] for side in self.sides)

    @cached_property
    def result_digest(self) -> UUID:
        return result_digest(
            ([part.player.pk for part in side.participants], side.place, side.score)
            for side in self.sides
        )

    @cached_property
    def placings(self) -> dict[frozenset[int], Placing]:
        """Return place and score by the players of a side."""
        return {players_of(side): (side.place, number(side.score)) for side in self.sides}


def players_of(side: ReportedSide) -> frozenset[int]:
    return frozenset(part.player.pk for part in side.participants)


def answer(submission: Submission, rivals: Sequence[int]) -> Match | None:
    """Answer another captain's report of the same game and return its match.

    ``rivals`` are the ids of such matches, the nearest in time first. One with the same result is
    confirmed, or else the nearest is disputed, if the reporter says that it is about the same game.
    A report that has the same result but another game mode, or other times, quits or professions
    stays open, because confirming it might give players other points or a penalty. Return ``None``
    if none is open any more.

    Raises:
        AboutMatch: nobody has said whether a report that differs is about the same game.
        Conflict: another captain of the same side has reported another result.
    """
    rounds = [True, False]
    for only_equal in rounds:
        for match_id in rivals:
            if match := answer_one(submission, match_id, only_equal=only_equal):
                return match
    return report_of_own_side(submission, rivals)


def answer_one(submission: Submission, match_id: int, *, only_equal: bool) -> Match | None:
    """Confirm or dispute one report. Return ``None`` if it is not open, or not ``only_equal``."""
    with committing("paired report"):
        locked = locked_if_open(match_id)
        if locked is None or is_of_own_side(submission, locked):
            return None
        lineups = lineups_of(locked)
        side = lineups.index(players_of(submission.sides[submission.reporter_side]))
        agrees = is_same_result(submission, locked)
        if only_equal and not agrees:
            return None
        if agrees and not has_same_parts(submission, locked):
            return Match.objects.get(pk=match_id)
        if not agrees and not submission.same_game:
            raise maybe_same_game(match_id)
        CounterReport.objects.create(
            match_id=match_id,
            side=side,
            reporter=submission.reporter,
            at=submission.now,
            played_at=submission.played_at,
            placings=[submission.placings[players] for players in lineups],
            mode="" if submission.mode == locked.match.mode else submission.mode,
            against_id=locked.reporter_id,
            state=CounterReport.State.AGREES if agrees else CounterReport.State.OPEN,
            answer_by=None if agrees else submission.now + submission.arena.confirmation_window,
            client_token=submission.client_token,
            result_digest=submission.result_digest,
            report_digest=submission.report_digest,
            sent_from=submission.sent_from,
        )
        if agrees:
            return answers.count_confirmation(
                locked, submission.reporter, side, submission.now, submission.sent_from
            )
        return answers.open_dispute(locked, submission.reporter, "", submission.now)


def maybe_same_game(match_id: int) -> AboutMatch:
    """Return the question whether a report is about the game of another one that differs."""
    match = Match.objects.select_related("reported_by").get(pk=match_id)
    sides = list(match.sides.order_by("index"))
    scores = [write_score(side.score) for side in sides if side.score is not None]
    if len(scores) == len(sides):
        was = "–".join(scores)
    else:
        was = " · ".join(_("place %(place)d") % {"place": (side.place or 0) + 1} for side in sides)
    text = _("%(name)s reported match %(number)d as %(result)s. Is yours the same game?")
    values = {"name": match.reported_by, "number": match_id, "result": was}
    return AboutMatch("maybe_same_game", text % values, match=match_id)


def report_of_own_side(submission: Submission, rivals: Sequence[int]) -> Match | None:
    """Return the match that another captain of the same side has reported with this result.

    Raises:
        Conflict: they reported another result.
    """
    differs = None
    for match_id in rivals:
        with transaction.atomic():
            locked = locked_if_open(match_id)
            if locked is None or not is_of_own_side(submission, locked):
                continue
            match = Match.objects.select_related("reported_by").get(pk=match_id)
            if is_same_result(submission, locked):
                return match
            differs = differs or match
    if differs is None:
        return None
    raise Conflict(
        "reported_by_own_side",
        _(
            "%(name)s has already reported another result for your side. They can change it. If "
            "this was another game, let %(name)s report it, too."
        )
        % {"name": differs.reported_by},
    )


def locked_if_open(match_id: int) -> LockedMatch | None:
    """Lock a report and return it, ``None`` if it is no longer open."""
    try:
        locked = lock(match_id)
    except Conflict:
        return None  # its season has just been archived
    return locked if locked.status == Status.REPORTED else None


def is_of_own_side(submission: Submission, locked: LockedMatch) -> bool:
    """Return whether the reporter's own side has made this report."""
    ours = players_of(submission.sides[submission.reporter_side])
    return lineups_of(locked).index(ours) == locked.reported_by_side


def lineups_of(locked: LockedMatch) -> list[frozenset[int]]:
    """Return the players of each side, in order."""
    return [
        frozenset(int(participant.player) for participant in side.participants)
        for side in locked.match.sides
    ]


def is_same_result(submission: Submission, locked: LockedMatch) -> bool:
    """Return whether both reports give the same places, and the same scores where both do."""
    for players, side in zip(lineups_of(locked), locked.match.sides, strict=True):
        place, score = submission.placings[players]
        if place != side.place:
            return False
        if score is not None and side.score is not None and score != side.score:
            return False
    return True


def has_same_parts(submission: Submission, locked: LockedMatch) -> bool:
    """Return whether both reports give one mode, and players the same time, quit and profession."""
    if submission.mode != locked.match.mode:
        return False
    theirs = {
        int(part.player): (part.seconds, part.quit, part.profession)
        for side in locked.match.sides
        for part in side.participants
    }
    return theirs == {
        part.player.pk: (number(part.seconds), part.quit, part.profession)
        for side in submission.sides
        for part in side.participants
    }
