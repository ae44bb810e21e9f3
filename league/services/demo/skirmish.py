"""The simulated players of the demo's 5v5 arena: their characters and past results."""

from __future__ import annotations

import math
import zlib
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from league.models.names import fold
from league.services.core.clock import microseconds
from league.services.transfer.files.result_files import ResultFile
from ratings.history import History, Match, Participant, Side

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from numpy.random import Generator

SEED = 55
TEAM = 5
DAYS, MATCHES_A_DAY = 21, 30
MATCH_NAME = "skirmish-"
"""The prefix of the invented matches' ids, which identifies the simulated players later."""

PROFESSIONS = ("Warden", "Ranger", "Mender", "Duelist", "Conjurer", "Trickster", "Smith", "Herald")
GAP_THAT_TELLS = 2.5
"""The difference in total skill at which the better team wins 3 of 4 matches."""
GOAL = 500
"""Points that win a match."""

PARTIES = (*[TEAM] * 12, 4, 3, 3, 3, 3, *[2] * 12)
"""The sizes of the players' rosters. Full ones are those of teams."""
COLOURS = ("Amber", "Azure", "Crimson", "Golden", "Ivory", "Jade", "Scarlet", "Silver", "Violet")
BEASTS = ("Badgers", "Cranes", "Falcons", "Herons", "Lynxes", "Otters", "Ravens", "Wolves")


@dataclass(frozen=True)
class Character:
    """A simulated player's character, the same in every process and after a restart."""

    skill: float
    """Standard deviations above the average player."""
    profession: str
    keenness: float
    """The frequency of their matches compared to others."""
    is_reliable: bool
    """Whether they usually finish what they start."""


def chance(*key: int) -> Generator:
    """Return a random generator that is the same for the same key everywhere."""
    return np.random.default_rng([SEED, *key])


@lru_cache(maxsize=1000)
def character(name: str) -> Character:
    """Return the character of the player with this name."""
    drawn = chance(zlib.crc32(fold(name).encode()))
    return Character(
        skill=float(drawn.normal()),
        profession=PROFESSIONS[int(drawn.integers(len(PROFESSIONS)))],
        keenness=float(drawn.uniform(0.6, 1.6)),
        is_reliable=bool(drawn.random() > 0.06),
    )


def first_team_wins(first: Sequence[str], second: Sequence[str], drawn: Generator) -> bool:
    """Draw whether the first team wins. Usually the team with more skill does."""
    lead = sum(character(name).skill for name in first)
    lead -= sum(character(name).skill for name in second)
    return bool(drawn.random() < 1 / (1 + math.exp(-math.log(3) * lead / GAP_THAT_TELLS)))


def skirmish_results(players: Sequence[str], now: datetime, drawn: Generator) -> ResultFile:
    """Return three weeks of evenings with matches of five against five."""
    keenness = np.array([character(name).keenness for name in players])
    matches = []
    for day in range(DAYS):
        evening = now.replace(hour=18, minute=0, second=0, microsecond=0)
        evening -= timedelta(days=DAYS - day)
        for number in range(MATCHES_A_DAY):
            came = drawn.choice(
                len(players), size=2 * TEAM, replace=False, p=keenness / keenness.sum()
            )
            names = [players[at] for at in came]
            matches.append(
                Match(
                    match_id=f"{MATCH_NAME}{day + 1}-{number + 1}",
                    played_at_us=microseconds(evening + timedelta(minutes=8 * number)),
                    sides=sides(names[:TEAM], names[TEAM:], drawn),
                )
            )
    return ResultFile(History.build(matches), [{} for _ in matches])


def sides(first: Sequence[str], second: Sequence[str], drawn: Generator) -> list[Side]:
    """Return both teams of a finished match in which everyone played to the end."""
    won = first_team_wins(first, second, drawn)
    losers_points = points_of_losers(drawn)
    seconds = float(drawn.integers(480, 900))
    return [
        Side(
            place=0 if wins else 1,
            score=float(GOAL if wins else losers_points),
            participants=[
                Participant(name, seconds=seconds, profession=character(name).profession)
                for name in team
            ],
        )
        for team, wins in ((first, won), (second, not won))
    ]


def points_of_losers(drawn: Generator) -> int:
    return int(drawn.integers(120, GOAL - 5))


def party_names(drawn: Generator) -> list[str]:
    """Return names for the rosters, in the order of ``PARTIES``."""
    names = [f"{colour} {beasts}" for colour in COLOURS for beasts in BEASTS]
    return [names[at] for at in drawn.permutation(len(names))[: len(PARTIES)]]
