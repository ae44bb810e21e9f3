"""Carry out a trial: replay the season under each candidate, and write nothing but the findings."""

from __future__ import annotations

import time
from copy import copy
from dataclasses import asdict, replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from django.db.models import Max
from django.utils.translation import gettext as _

from league.models import Rating, Trial
from league.models.explained import translate
from league.services.core.clock import microseconds
from league.services.core.errors import Refused
from league.services.core.patience import rest_unhurried
from league.services.other_rules import reports
from league.services.other_rules.candidates import Candidate, candidates_of
from league.services.other_rules.replaying import play, proposed_side, side_of, with_rules
from league.services.rating import versions
from league.services.rating.pace import pace_of
from league.services.rating.tail import read_tail
from league.services.seasons.changing import Rules
from ratings.lab.details import details
from ratings.lab.differences import Losses, difference, losses_of
from ratings.lab.evaluation import predicted_matches
from ratings.lab.fitting import MOST_TRIALS, fit
from ratings.lab.pace import typical_gap
from ratings.lab.trial import split_at
from ratings.registry import build
from ratings.system import UnsupportedMatch

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import datetime

    from league.models import Job, Season
    from league.services.jobs.jobs import Progress
    from league.services.other_rules.replaying import Played, Side
    from league.services.other_rules.reports import Moves
    from league.services.rating.tail import Tail

LONGEST = timedelta(minutes=30)
"""The time limit of one candidate."""
Judged = tuple[dict[str, Any], Losses]
"""The quality of forecasts as JSON values, and their losses."""


def carry_out(job: Job, progress: Progress, now: datetime) -> dict[str, Any]:
    """Do the work of a job of the kind ``trial``. Nothing but its result is written.

    Results of the season go on meanwhile: the trial takes those rated when it began.
    """
    trial = Trial.objects.filter(pk=job.given["trial"]).select_related("season__arena").first()
    if trial is None:
        raise Refused("no_trial", _("This trial has been discarded."))
    rest_unhurried()
    season = trial.season
    progress(_("Reading results"), 0, 1)
    trial.corrections = season.corrections.aggregate(last=Max("pk"))["last"] or 0
    trial.version, trial.at = season.rules_version, now
    tail = read_tail(season, -1)
    if not (tail["played"] == 1).any():
        raise Refused("no_results", _("The season has no rated result any more."))
    trial.horizon = tail.horizon
    candidates = list(candidates_of(trial).values())
    replays = Replays(season, tail, microseconds(trial.split), now, candidates, progress)
    own, judged = replays.replay_own()
    found: dict[str, Any] = {}
    moves: dict[str, Moves] = {}
    trial.moves.all().delete()
    trial.candidates = []
    for candidate in candidates:
        try:
            tried, side, report = replays.try_out(candidate, judged)
        except Refused as refusal:
            found[candidate.key] = {"refusal": refusal.message}
            trial.candidates.append(candidate.to_json())
            continue
        trial.candidates.append(tried.to_json())
        moves[tried.key] = reports.moves_between(own, side)
        report |= reports.report(own, side, moves[tried.key])
        found[tried.key] = {"refusal": "", **report}
        reports.write_moves(trial, tried.key, own, side, moves[tried.key])
    if not moves:
        raise Refused("none", next(iter(found.values()))["refusal"])
    trial.report = {
        "players": len(own.played.players),
        "matches": len(own.played.history),
        "taught": replays.first,
        "ranked": own.leaderboard.ranked,
        "top": reports.list_top(moves),
        "own": {"refusal": "", **judged[0]},
        "found": found,
    }
    trial.save()
    return {"trial": trial.pk}


class Watched:
    """Adds up the matches that replays have done, and ends candidates that take too long."""

    def __init__(self, progress: Progress, total: int) -> None:
        self.progress, self.total, self.done = progress, total, 0
        self.began = time.monotonic()

    def step(self, name: str, matches: int = 1) -> Callable[[int], None]:
        """Return what to call with the parts done of a step, each of so many matches."""

        def more(parts: int) -> None:
            if time.monotonic() - self.began > LONGEST.total_seconds():
                raise Refused(
                    "too_long",
                    _("It took longer than %(minutes)d minutes. Fit fewer parameters, or none.")
                    % {"minutes": LONGEST.total_seconds() // 60},
                )
            self.done += parts * matches
            self.progress(name, min(self.done, self.total - 1), self.total)

        return more


class Replays:
    """Replays of a season, as it is and under candidates, all judged by the same matches."""

    def __init__(
        self,
        season: Season,
        tail: Tail,
        split: int,
        now: datetime,
        candidates: list[Candidate],
        progress: Progress,
    ) -> None:
        self.season, self.tail, self.split, self.now = season, tail, split, now
        self.history = tail.history()
        self.first = split_at(self.history, split)
        """The first match that is judged."""
        starts = Rating.objects.filter(season=season, opening__isnull=False).exists()
        others = any(one.system != season.rating_system for one in candidates)
        self.again = others and (starts or bool(season.anchors))
        """Whether the season's own system is replayed again for its forecasts, with newcomers as
        in other systems. Otherwise all begin alike anyway."""
        replays = (1 + len(candidates)) * (1 + self.again)
        fits = sum(bool(one.fitted) for one in candidates)
        self.watched = Watched(progress, len(self.history) * replays + self.fit_matches * fits)

    @property
    def fit_matches(self) -> int:
        """The matches of all replays of a fit, at most."""
        return (MOST_TRIALS + 1) * self.first

    def replay_own(self) -> tuple[Side, Judged]:
        more = self.watched.step(_("Rating the season as it is"))
        side = side_of(self.season, self.tail, self.now, more)
        return side, self.judge(self.season, side.played, more)

    def try_out(self, candidate: Candidate, own: Judged) -> tuple[Candidate, Side, dict[str, Any]]:
        """Return a candidate with fitted parameters, the season under it, and its forecasts.

        Raises ``Refused`` if its system cannot rate the matches, or takes too long.
        """
        self.watched.began = time.monotonic()
        tried, fitting = self.fit_parameters(candidate)
        name = _("%(candidate)s: rating the season") % {"candidate": candidate.label}
        more = self.watched.step(name)
        proposed = with_rules(self.season, tried.rules(Rules.of(self.season)).within(self.season))
        side = proposed_side(self.season, proposed, self.tail, self.now, more)
        judged, losses = self.judge(proposed, side.played, more)
        gain = asdict(difference(losses, own[1]))
        known = {name: reports.plain(value) for name, value in gain.items()}
        return tried, side, {**judged, "gain": known, "fitting": fitting}

    def fit_parameters(self, candidate: Candidate) -> tuple[Candidate, list[float] | None]:
        """Return a candidate with parameters fitted to the matches before the split, and the losses
        before and after; as it is and ``None`` if nothing is to be fitted."""
        if not candidate.fitted:
            return candidate, None
        name = _("%(candidate)s: fitting parameters") % {"candidate": candidate.label}
        more, done = self.watched.step(name, self.first), self.watched.done
        system = build(candidate.system, candidate.parameters)
        try:
            found = fit(system, self.history.part(0, self.first), candidate.fitted, more)
        except UnsupportedMatch as error:
            raise Refused("unsupported", translate(error.sentence)) from error
        self.watched.done = done + self.fit_matches
        losses = [found.loss_before, found.loss]
        return replace(candidate, parameters=found.system.parameters.to_json()), losses

    def judge(self, season: Season, played: Played, more: Callable[[int], object]) -> Judged:
        """Return how good the forecasts of a replay were from the split on."""
        system = season.system()
        if self.again and system.name == self.season.rating_system:
            fresh = copy(season)
            fresh.anchors = []
            rules = versions.stretches(fresh)
            played = play(fresh, rules, played.tail, from_start=False, progress=more)
        history = played.history
        chosen = predicted_matches(history, played.predictions)
        chosen[: split_at(history, self.split)] = False
        losses = losses_of(history, played.predictions, chosen)
        found = {
            "system": system.name,
            "judged": int(chosen.sum()),
            "details": details(history, played.predictions, chosen).to_json(),
            "seconds": played.seconds,
            "pace": pace_of(system, typical_gap(history)),
        }
        return found, losses
