"""Rating of matches that the league does not store, by the same code as those that it does."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _

from league.models.explained import said
from league.services.core.errors import Refused
from league.services.core.offline_limits import PLAYERS
from ratings import saving
from ratings.changes import WITHOUT_TIME
from ratings.facade import Ratings
from ratings.plain_matches import match_of
from ratings.system import UnsupportedMatch
from ratings.types import NEVER

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from league.models import Arena
    from ratings.changes import Changes
    from ratings.history import Match
    from ratings.system import RatingSystem


@dataclass(frozen=True)
class Played:
    """A match of players with any names."""

    sides: Sequence[Sequence[str]]
    ranks: Sequence[float] | None = None
    scores: Sequence[float] | None = None
    at: datetime | None = None
    weight: float = 1.0
    first: int | None = None


def system_of(arena: Arena, now: datetime) -> RatingSystem:
    """Return the system of an arena's running season, else that of its next one."""
    season = arena.current_season(now)
    return arena.system() if season is None else season.system()


def newcomers(system: RatingSystem) -> Ratings:
    """Return ratings without players."""
    return Ratings(system.name, **system.parameters.written())


def going_on(document: object) -> Ratings:
    """Return the ratings in a document. Refuses what ``save`` cannot have written."""
    try:
        saved = saving.saved_in(document, "ratings")
    except saving.SavedError as error:
        text = _("These are no saved ratings: %(why)s.") % {"why": error}
        raise Refused("saved", text, field="ratings") from None
    check_kept(saved)
    return Ratings.going_on(saved)


def check_kept(saved: saving.Saved) -> None:
    """Refuse ratings that lack a number which their system keeps, or have one that it does not."""
    usual = saved.system.newcomers(1)
    for name in ("rating", "deviation", "volatility"):
        held, expected = getattr(saved.states, name), getattr(usual, name)
        wrong = np.flatnonzero(np.isnan(held) != np.isnan(expected[0]))
        if len(wrong):
            text = _("%(system)s does not save this.") % {"system": saved.system.label}
            raise Refused("saved", text, field=f"ratings.{name}.{wrong[0]}")
    played = saved.states.last_played
    if (played != NEVER).any() and (saved.latest is None or played.max() > saved.latest):
        text = _("It must be the time of the last match.")
        raise Refused("saved", text, field="ratings.latest")


def check_same(ratings: Ratings, system: RatingSystem, *, parameters: bool) -> None:
    """Refuse saved ratings of another system, or with other parameters."""
    held = ratings.system
    if held.name != system.name:
        text = _("These ratings were saved under %(system)s.") % {"system": held.label}
        raise Refused("other_system", text, field="ratings.system")
    if parameters and held.parameters != system.parameters:
        text = _("These ratings were saved with other parameters.")
        raise Refused("other_parameters", text, field="ratings.parameters")


def rate(ratings: Ratings, played: Sequence[Played]) -> Changes:
    """Rate matches in the order given, and return the changes."""
    check_times(ratings, played)
    check_shapes(ratings.system, played)
    check_players(ratings, played)
    matches = [match_at(number, one) for number, one in enumerate(played)]
    out_of_range = Refused(
        "out_of_range", _("A rating leaves the range of numbers. Use values that are less extreme.")
    )
    try:
        with np.errstate(over="raise", invalid="raise", divide="raise"):
            changes = ratings.rate_many(matches)
    except ArithmeticError:
        raise out_of_range from None
    except (ValueError, IndexError) as error:
        text = _("These matches cannot be rated: %(why)s.") % {"why": error}
        raise Refused("unrated", text, field="matches") from None
    if not np.isfinite(changes.after.rating).all():
        raise out_of_range
    return changes


def check_times(ratings: Ratings, played: Sequence[Played]) -> None:
    """Refuse matches out of order, and times in some matches only."""
    last = ratings.latest
    timed = None if last is None else last != WITHOUT_TIME
    for number, match in enumerate(played):
        field = f"matches.{number}.at"
        if timed is None:
            timed = match.at is not None
        if timed != (match.at is not None):
            text = _("Either all matches have a time, or none of them, saved ones included.")
            raise Refused("time", text, field=field)
        if match.at is None:
            continue
        now = match_at(number, match).played_at_us
        if last is not None and now < last:
            text = _("This match is before the one above it. Send the oldest first.")
            raise Refused("order", text, field=field)
        last = now


def check_shapes(system: RatingSystem, played: Sequence[Played]) -> None:
    """Refuse matches that the system does not rate."""
    known: set[tuple[int, ...]] = set()
    for number, match in enumerate(played):
        sizes = tuple(map(len, match.sides))
        if sizes in known:
            continue
        try:
            system.check(sizes)
        except UnsupportedMatch as error:
            text = said(error.sentence)
            raise Refused("unsupported", text, field=f"matches.{number}.sides") from None
        known.add(sizes)


def check_players(ratings: Ratings, played: Sequence[Played]) -> None:
    """Refuse more players than a request may have."""
    names = set(ratings).union(name for match in played for side in match.sides for name in side)
    if len(names) > PLAYERS:
        text = _("There are %(count)d players. The most are %(most)d.")
        raise Refused("too_many", text % {"count": len(names), "most": PLAYERS}, field="matches")


def match_at(number: int, match: Played) -> Match:
    """Return a match as the engine takes it."""
    try:
        return match_of(
            match.sides,
            match.ranks,
            scores=match.scores,
            at=match.at,
            first=match.first,
            weight=match.weight,
            match_id=str(number),
        )
    except ValueError:  # all else was checked
        text = _("This moment stands for matches without a time. Use another.")
        raise Refused("time", text, field=f"matches.{number}.at") from None
