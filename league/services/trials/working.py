"""Carry out a trial: replay the season twice, compare, and write nothing but what came out."""

from __future__ import annotations

import math
from copy import copy
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import Trial
from league.services.core.errors import Refused
from league.services.rating import versions
from league.services.rating.tail import read_tail
from league.services.seasons.accuracy import UNHURRIED
from league.services.seasons.changing import Rules
from league.services.trials import reports
from league.services.trials.boards import board_of
from league.services.trials.replaying import play
from league.services.trials.reports import Side

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from datetime import datetime

    from league.models import Job, Season
    from league.services.jobs.jobs import Progress
    from league.services.rating.tail import Tail
    from league.services.trials.reports import Moves

MOVE = (
    "trial_id", "player_id", "rating_before", "rating_after", "rank_before", "rank_after",
    "division_before", "division_after", "points_before", "points_after",
)  # fmt: skip


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of the kind ``trial``. Nothing but its result is written.

    Results of the season go on meanwhile: the trial takes those rated when it began.
    """
    trial = Trial.objects.filter(pk=job.given["trial"]).select_related("season__arena").first()
    if trial is None:
        raise Refused("no_trial", _("This trial has been discarded."))
    with connection.cursor() as cursor:
        cursor.execute(UNHURRIED)
    season = trial.season
    progress(_("Reading results"), 0, 1)
    corrections = season.corrections.aggregate(last=Max("pk"))["last"] or 0
    tail = read_tail(season, -1)
    if not len(tail):
        raise Refused("no_results", _("The season has no rated result any more."))
    done = Counted(progress, 2 * tail.matches)
    old = side_of(season, tail, now, done.named(_("Rating the season as it is")))
    proposed = under(season, Rules.of(trial).within(season))
    more = done.named(_("Rating it under the new rules"))
    new = proposed_side(season, proposed, tail, now, more)
    progress(_("Comparing"), 2 * tail.matches, 2 * tail.matches)
    moves = reports.moves_between(old, new)
    trial.report = reports.report(old, new, moves)
    trial.horizon, trial.corrections, trial.at = tail.horizon, corrections, now
    trial.version = season.rules_version
    trial.changes = Rules.of(trial).since(Rules.of(season))
    trial.save(update_fields=["report", "horizon", "corrections", "at", "version", "changes"])
    trial.moves.all().delete()
    write_moves(trial, old, new, moves)
    return {"trial": trial.pk}


class Counted:
    """Adds up the matches that replays have done, for the progress of the job."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0

    def named(self, step: str) -> Callable[[int], None]:
        def more(matches: int) -> None:
            self.done += matches
            self.progress(step, min(self.done, self.total - 1), self.total)

        return more


def under(season: Season, rules: Rules) -> Season:
    """Return an unsaved copy of a season that has had these rules from its first match on."""
    proposed = copy(season)
    proposed.rating_system = rules.system
    proposed.rating_parameters = dict(rules.parameters)
    proposed.rules = dict(rules.season)
    proposed.rules_version = 1
    if rules.system != season.rating_system:
        proposed.anchors = []
    return proposed


def proposed_side(
    season: Season,
    proposed: Season,
    tail: Tail,
    now: datetime,
    more: Callable[[int], object],
) -> Side:
    """Return the season as it would be under the rules of ``proposed``.

    With another rating system everybody begins as a newcomer, and what nobody played is left out:
    steps of decay and costs of ignored challenges belong to the system they were made for.
    """
    same_system = proposed.rating_system == season.rating_system
    if not same_system:
        tail = tail.only(tail["played"] == 1)
        if not len(tail):
            raise Refused("no_results", _("The season has no result that somebody played."))
    was, new = season.season_rules(), proposed.season_rules()
    connect = (was.ranked, was.fair_play) != (new.ranked, new.fair_play)
    return side_of(proposed, tail, now, more, from_start=same_system, connect=connect)


def side_of(
    season: Season,
    tail: Tail,
    now: datetime,
    more: Callable[[int], object],
    *,
    from_start: bool = True,
    connect: bool = False,
) -> Side:
    """Return a season as its rules would make it of its results."""
    rules = versions.stretches(season)
    played = play(season, rules, tail, from_start=from_start, progress=more)
    board = board_of(season, played, now, connect=connect)
    return Side(season, played, board, reports.points_of(season, rules, played))


def write_moves(trial: Trial, old: Side, new: Side, moves: Moves) -> None:
    """Write what changes for each player."""
    with (
        connection.cursor() as cursor,
        cursor.copy(f"COPY league_trialmove ({', '.join(MOVE)}) FROM STDIN") as into,
    ):
        for row in move_rows(old, new, moves):
            into.write_row((trial.pk, *row))


def move_rows(old: Side, new: Side, moves: Moves) -> Iterator[tuple[Any, ...]]:
    """Yield the columns of each player for whom anything changes."""
    names = [["", *side.board.names] for side in (old, new)]
    for row in np.flatnonzero(reports.changed(moves)).tolist():
        ratings = (float(each[row]) for each in moves.rating)
        ranks = (int(each[row]) or None for each in moves.rank)
        divisions = (
            known[int(each[row]) + 1] for known, each in zip(names, moves.division, strict=True)
        )
        points = (
            int(each[row]) if counted[row] else None
            for each, counted in zip(moves.points, moves.counted, strict=True)
        )
        yield (
            int(moves.players[row]),
            *(None if math.isnan(rating) else rating for rating in ratings),
            *ranks,
            *divisions,
            *points,
        )
