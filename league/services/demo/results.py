"""Invented results of a table tennis ladder and a weekly contest, the same for each seed."""

from __future__ import annotations

import math
from datetime import timedelta
from itertools import permutations
from typing import TYPE_CHECKING

import numpy as np

from league.services.core.clock import microseconds
from league.services.transfer.files.result_files import ResultFile
from ratings.history import History, Match, Participant, Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.random import Generator

WEEKS_OF_LADDER = 52
DUELS_A_WEEK = 8
REACH = 6
"""Players challenge at most this many ranks above themselves."""

CONTESTS = 60
SMALLEST_CONTEST, LARGEST_CONTEST = 20, 60


def ladder_results(players: Sequence[str], now: datetime, chance: Generator) -> ResultFile:
    """Return a year of best-of-five duels on two evenings a week, up to recently.

    Members join over the first half of the year and challenge players a little above them. The
    stronger player usually wins.
    """
    strength = dict(zip(players, chance.normal(size=len(players)), strict=True))
    standing: list[str] = []
    matches = []
    for week in range(WEEKS_OF_LADDER):
        joined = len(players) * (week + 10) // (WEEKS_OF_LADDER // 2)
        waiting = [name for name in players[:joined] if name not in standing]
        for number, evening in enumerate(evenings(now, week, chance)):
            challenger, challenged = next_duel(standing, waiting, chance)
            lead = strength[challenger] - strength[challenged]
            won = chance.random() < 1 / (1 + math.exp(-1.8 * lead))
            lost_games = int(chance.binomial(2, 0.7 / (1 + abs(lead))))
            matches.append(
                Match(
                    match_id=f"ladder-{week + 1}-{number + 1}",
                    played_at_us=microseconds(evening),
                    sides=[
                        side(challenger, 0 if won else 1, 3 if won else lost_games),
                        side(challenged, 1 if won else 0, lost_games if won else 3),
                    ],
                )
            )
            above, below = standing.index(challenged), standing.index(challenger)
            if won and above < below:
                standing[above], standing[below] = challenger, challenged
    return ResultFile(History.build(matches), [{} for _ in matches])


def practice_results(players: Sequence[str], now: datetime, chance: Generator) -> ResultFile:
    """Return four weeks of matches in which everybody meets everybody else twice."""
    strength = dict(zip(players, chance.normal(size=len(players)), strict=True))
    pairs = list(permutations(players, 2))
    matches = []
    for number, at in enumerate(chance.permutation(len(pairs))):
        home, away = pairs[at]
        expected = 1.4 * math.exp(0.35 * (strength[home] - strength[away]))
        scores = int(chance.poisson(expected)), int(chance.poisson(1.96 / expected))
        played_at = now - timedelta(days=28) + (number + 1) * timedelta(days=27) / len(pairs)
        matches.append(
            Match(
                match_id=f"practice-{number + 1}",
                played_at_us=microseconds(played_at.replace(minute=0, second=0, microsecond=0)),
                sides=[
                    side(name, 0 if score >= max(scores) else 1, score)
                    for name, score in zip((home, away), scores, strict=True)
                ],
            )
        )
    return ResultFile(History.build(matches), [{} for _ in matches])


def evenings(now: datetime, week: int, chance: Generator) -> list[datetime]:
    """Return the times of a week's duels. ``week`` counts from 0."""
    begin = now.replace(hour=0, minute=0, second=0, microsecond=0)
    begin -= timedelta(weeks=WEEKS_OF_LADDER - week)
    slots = chance.choice(2 * 36, size=DUELS_A_WEEK, replace=False)
    return sorted(
        begin + timedelta(days=2 + 3 * int(slot // 36), hours=18, minutes=5 * int(slot % 36))
        for slot in slots
    )


def next_duel(standing: list[str], waiting: list[str], chance: Generator) -> tuple[str, str]:
    """Return challenger and challenged player. Newcomers join ``standing`` at the bottom."""
    if not standing or (waiting and chance.random() < 0.4):
        challenger = waiting.pop(0)
        standing.append(challenger)
        if len(standing) == 1:
            standing.append(waiting.pop(0))
            return challenger, standing[1]
    else:
        challenger = standing[int(chance.integers(1, len(standing)))]
    rank = standing.index(challenger)
    return challenger, standing[rank - int(chance.integers(1, min(rank, REACH) + 1))]


def contest_results(players: Sequence[str], now: datetime, chance: Generator) -> ResultFile:
    """Return a contest for each Saturday: points, and places by points with shared ties.

    Players attend more or less often and some improve. The first of ``players`` are regulars.
    """
    count = len(players)
    skill = chance.normal(size=count)
    gain = chance.normal(0.4, 0.5, size=count)
    keenness = chance.gamma(1.2, size=count) + 0.05
    keenness[:2] = 6.0
    first_seen = np.where(np.arange(count) < count // 2, 0, chance.integers(0, 45, size=count))
    matches, information = [], []
    for week, saturday in enumerate(saturdays(now)):
        there = keenness * (first_seen <= week)
        size = int(chance.integers(SMALLEST_CONTEST, LARGEST_CONTEST + 1))
        came = chance.choice(count, size=size, replace=False, p=there / there.sum())
        form = skill[came] + gain[came] * week / CONTESTS + chance.normal(0, 0.7, size=size)
        points = np.maximum(0, np.round(150 + 45 * form)).astype(int)
        order = np.argsort(-points, kind="stable")
        places = [int((points > points[at]).sum()) for at in order]
        matches.append(
            Match(
                match_id=f"sprint-{week + 1}",
                played_at_us=microseconds(saturday),
                sides=[
                    side(players[came[at]], place, int(points[at]))
                    for at, place in zip(order, places, strict=True)
                ],
            )
        )
        information.append({"tournament": f"Sprint {week + 1}"})
    return ResultFile(History.build(matches), information)


def saturdays(now: datetime) -> list[datetime]:
    """Return the mornings of the last ``CONTESTS`` Saturdays before today, oldest first."""
    morning = now.replace(hour=10, minute=0, second=0, microsecond=0)
    last = morning - timedelta(days=(now.weekday() - 5) % 7 or 7)
    return [last - timedelta(weeks=weeks) for weeks in reversed(range(CONTESTS))]


def side(player: str, place: int, score: int) -> Side:
    return Side(place=place, score=float(score), participants=[Participant(player)])
