"""Simulated leagues whose true model is known, and the best forecasts that anybody can make there.

Strengths, leads and luck are those of ``ratings.systems.laurel``, in units of luck. The best
forecasts come from a filter that knows every parameter of the league and keeps the covariances of
all strengths. It shares no code with the systems: a Kalman filter whose truncated observations are
replaced by their moments, with the moments of a normal from textbooks.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from scipy.special import ndtr

from ratings.history import History, Match, Participant, Side
from ratings.types import Floats

DAY = 86_400_000_000
CONTEXTS = ("clay", "grass", "hard")


@dataclass(frozen=True)
class League:
    """A league of duels, or of two teams."""

    players: int = 40
    matches: int = 24_000
    spread: float = 0.67
    """Of strengths."""
    drift: float = 0.02
    """Of a strength in a match that its player played."""
    team: int = 1
    margin: float = 0.0
    """Points for each unit of luck, 0 without scores."""
    telling: bool = True
    """Whether margins tell the difference of performances, or nothing."""
    home: float = 0.0
    half: float = 0.0
    """Half width of draws."""
    context: float = 0.0
    """Spread of a player's offsets in contexts."""
    joining: bool = False
    """Whether players join one after another and only the latest twenty play."""


@dataclass(frozen=True)
class Meeting:
    """One simulated match: the players of two sides, and what happened."""

    sides: tuple[list[int], list[int]]
    home: bool
    context: int
    difference: float
    margin: float


def simulate(league: League, seed: int = 0) -> list[Meeting]:
    """Play all matches of a league."""
    rng = np.random.default_rng(seed)
    strengths = league.spread * rng.standard_normal(league.players)
    offsets = league.context * rng.standard_normal((league.players, len(CONTEXTS)))
    meetings = []
    for number in range(league.matches):
        first, last = 0, league.players
        if league.joining:
            last = 20 + (league.players - 20) * number // league.matches
            first = last - 20
        drawn = (first + rng.choice(last - first, 2 * league.team, replace=False)).tolist()
        sides = (drawn[: league.team], drawn[league.team :])
        context = int(rng.integers(len(CONTEXTS)))
        own, other = (
            np.mean(strengths[side] + offsets[side, context] * (league.context > 0))
            for side in sides
        )
        home = league.home > 0 and bool(rng.integers(2))
        lead = math.sqrt(league.team) * (own - other) + league.home * home
        difference = float(lead + rng.standard_normal())
        size = abs(difference) if league.telling else abs(rng.standard_normal())
        meetings.append(Meeting(sides, home, context, difference, league.margin * float(size)))
        strengths[drawn] += league.drift * rng.standard_normal(len(drawn))
    return meetings


def history_of(league: League, meetings: list[Meeting]) -> History:
    """Return the matches as a rating system sees them, four an hour."""
    return History.build(
        Match(
            str(number),
            number * DAY // 96,
            [
                Side(place, [participant(one, meeting, league) for one in side], score)
                for place, side, score in zip(
                    places_of(meeting, league),
                    meeting.sides,
                    scores_of(meeting, league),
                    strict=True,
                )
            ],
            first=0 if meeting.home else None,
        )
        for number, meeting in enumerate(meetings)
    )


def participant(player: int, meeting: Meeting, league: League) -> Participant:
    return Participant(str(player), profession=CONTEXTS[meeting.context] if league.context else "")


def result_of(meeting: Meeting, league: League) -> float:
    """Return 1 for a win of the first side, ½ for a draw, 0 for a loss."""
    if abs(meeting.difference) <= league.half:
        return 0.5
    return float(meeting.difference > 0)


def places_of(meeting: Meeting, league: League) -> tuple[int, int]:
    result = result_of(meeting, league)
    return int(result < 0.5), int(result > 0.5)


def scores_of(meeting: Meeting, league: League) -> tuple[float | None, float | None]:
    """Return scores of which the winner's is higher; those of a draw are equal."""
    if not league.margin:
        return None, None
    result = result_of(meeting, league)
    won = 0.0 if result == 0.5 else meeting.margin
    return (won, 0.0) if result >= 0.5 else (0.0, won)


def best_forecasts(league: League, meetings: list[Meeting]) -> Iterator[float]:
    """Yield what the first side can be expected to score, a draw counting as half."""
    count = league.players
    width = count * (1 + len(CONTEXTS) * (league.context > 0))
    mean = np.zeros(width)
    covariance = np.diag(np.full(width, league.spread**2))
    covariance[count:, count:] = np.diag(np.full(width - count, league.context**2))
    for meeting in meetings:
        weights = np.zeros(width)
        for sign, side in zip((1.0, -1.0), meeting.sides, strict=True):
            for player in side:
                weights[player] = sign / math.sqrt(league.team)
                if league.context:
                    weights[count + player * len(CONTEXTS) + meeting.context] = weights[player]
        lead = float(weights @ mean) + league.home * meeting.home
        with_lead = covariance @ weights
        total = 1.0 + float(weights @ with_lead)
        deviation = math.sqrt(total)
        win = ndtr((lead - league.half) / deviation)
        loss = ndtr((-lead - league.half) / deviation)
        yield float(0.5 * (1.0 + win - loss))
        if league.margin and league.telling and result_of(meeting, league) != 0.5:
            surprise, left = (meeting.difference - lead) / deviation, 0.0
        else:
            surprise, left = moments(lead / deviation, league.half / deviation, meeting, league)
        mean += with_lead * (surprise / deviation)
        covariance -= np.outer(with_lead, with_lead) * ((1.0 - left) / total)
        for player in meeting.sides[0] + meeting.sides[1]:
            covariance[player, player] += league.drift**2


def moments(lead: float, half: float, meeting: Meeting, league: League) -> tuple[float, float]:
    """Return mean and variance of a standard normal between the ends that a result says."""
    result = result_of(meeting, league)
    low = {1.0: half, 0.5: -half, 0.0: -math.inf}[result] - lead
    high = {1.0: math.inf, 0.5: half, 0.0: -half}[result] - lead
    if result == 0.0:
        low, high = -high, -low
    density = [0.0 if math.isinf(end) else math.exp(-0.5 * end**2) for end in (low, high)]
    mass = float(ndtr(-low) - ndtr(-high)) * math.sqrt(2 * math.pi)
    mean = (density[0] - density[1]) / mass
    ends = sum(
        0.0 if math.isinf(end) else sign * end * value
        for sign, end, value in zip((1.0, -1.0), (low, high), density, strict=True)
    )
    variance = 1.0 + ends / mass - mean**2
    return (-mean if result == 0.0 else mean), variance


def losses(forecasts: Floats, results: Floats) -> Floats:
    """Return the logarithmic losses, in which a draw is half a win of each side."""
    return -(results * np.log(forecasts) + (1.0 - results) * np.log1p(-forecasts))
