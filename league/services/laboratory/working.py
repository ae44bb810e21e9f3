"""Judge one system of a comparison, as a job. Nothing but its result is written."""

from __future__ import annotations

import time
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db import connection
from django.utils.translation import gettext as _

from league.models.explained import translate
from league.services.core.errors import Refused
from league.services.laboratory.asking import LONGEST
from league.services.laboratory.histories import corrections_of, tail_of
from league.services.rating.pace import pace_of
from league.services.seasons.accuracy import UNHURRIED
from league.services.seasons.changing import Rules
from league.services.trials.reports import moves_between
from league.services.trials.working import proposed_side, side_of, under
from ratings.lab.differences import losses_by_day
from ratings.lab.evaluation import predict_history, predicted_matches
from ratings.lab.fitting import MOST_TRIALS, fit
from ratings.lab.pace import typical_gap
from ratings.lab.trial import judge, split_at
from ratings.registry import build
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable

    from league.models import Job, Season
    from league.services.jobs.jobs import Progress
    from league.services.rating.tail import Tail
    from ratings.system import RatingSystem

TOP = 20
"""Places of the leaderboard that a comparison shows."""
MOST_SHARING = 40
"""Players shown if many share a place."""


class Watched:
    """Adds up the matches that replays have done, and ends work that takes too long."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0
        self.began = time.monotonic()

    def named(self, step: str, matches: int = 1) -> Callable[[int], None]:
        """Return what to call with the parts done of a step, each of so many matches."""

        def more(parts: int) -> None:
            if time.monotonic() - self.began > LONGEST.total_seconds():
                raise Refused(
                    "too_long",
                    _("It took longer than %(minutes)d minutes. Fit fewer parameters, or none.")
                    % {"minutes": LONGEST.total_seconds() // 60},
                )
            self.done += parts * matches
            self.progress(step, min(self.done, self.total - 1), self.total)

        return more


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:  # noqa: ARG001 - all entries have the time when they were asked for
    """Do the work of a job of the kind ``lab``.

    All systems of a comparison get the matches that were rated when it was asked for.
    """
    season, given = job.season, job.given
    if season is None:
        raise Refused("no_season", _("The season no longer exists."))
    with connection.cursor() as cursor:
        cursor.execute(UNHURRIED)
    progress(_("Reading results"), 0, 1)
    check_unchanged(season, given)
    tail = tail_of(season, given["horizon"])
    history = tail.history()
    first = split_at(history, int(given["split"]))
    if first >= len(history):
        raise Refused("split_late", _("No match is left after the split."))
    matches, tries = len(history), MOST_TRIALS + 1 if given["fit"] else 0
    watched = Watched(progress, tries * first + 3 * matches)
    system, loss = build(given["system"], given["parameters"]), None
    try:
        if given["fit"]:
            more = watched.named(_("Fitting parameters"), first)
            found = fit(system, history.part(0, first), given["fit"], more)
            system, loss = found.system, [found.loss_before, found.loss]
            watched.done = tries * first
        judging = watched.named(_("Forecasting matches"))
        began = time.process_time()
        predictions = predict_history(system, history, progress=judging)
        seconds = time.process_time() - began
    except UnsupportedMatch as error:
        raise Refused("unsupported", translate(error.sentence)) from error
    trial = judge(system, history, predictions, first, seconds, full=True)
    chosen = predicted_matches(history, predictions)
    chosen[:first] = False
    comparing = watched.named(_("Comparing leaderboards"))
    return {
        "trial": trial.to_json(),
        "before": build(given["system"], given["parameters"]).parameters.to_json(),
        "losses": asdict(losses_by_day(history, predictions, chosen)),
        "fitting": loss,
        "taught": first,
        "pace": pace_of(system, typical_gap(history)),
        "board": board(season, system, tail, datetime.fromisoformat(given["at"]), comparing),
    }


def check_unchanged(season: Season, given: dict[str, Any]) -> None:
    """Raise ``Refused`` if earlier results are no longer what the other systems get."""
    if corrections_of(season) != given["corrections"]:
        raise Refused(
            "corrected",
            _("Results of the season were corrected meanwhile. Compare the systems again."),
        )
    if season.rules_version != given["version"]:
        raise Refused(
            "rules_changed",
            _("The rules of the season were changed meanwhile. Compare the systems again."),
        )


def board(
    season: Season,
    system: RatingSystem,
    tail: Tail,
    now: datetime,
    more: Callable[[int], object],
) -> dict[str, Any]:
    """Return how the top of the leaderboard would be: players with both ranks, ``None`` for none.

    ``top`` are the first places as they are, ``entering`` those who would come in.
    """
    rules = Rules(system.name, system.parameters.to_json(), Rules.of(season).season)
    old = side_of(season, tail, now, more)
    new = proposed_side(season, under(season, rules), tail, now, more)
    moves = moves_between(old, new)
    was, becomes = moves.rank

    def rows(chosen: Any, ranks: Any) -> list[list[int | None]]:
        order = np.flatnonzero(chosen)
        order = order[np.lexsort((moves.players[order], ranks[order]))][:MOST_SHARING]
        columns = (moves.players, was, becomes)
        return [[int(column[row]) or None for column in columns] for row in order.tolist()]

    top, would_be = (was > 0) & (was <= TOP), (becomes > 0) & (becomes <= TOP)
    return {
        "ranked": [old.board.ranked, new.board.ranked],
        "top": rows(top, was),
        "entering": rows(would_be & ~top, becomes),
    }
