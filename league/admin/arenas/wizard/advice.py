"""Advice on rating systems: what each needs and shows, who it is for, and a picture of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.services.core.numbers import number
from ratings.history import History, Match, Participant, Side
from ratings.registry import KNOWN_SYSTEMS
from ratings.replay import replay

if TYPE_CHECKING:
    from collections.abc import Mapping

    from django.utils.functional import Promise

    from league.models import Arena
    from ratings.system import RatingSystem
    from ratings.types import Floats

ADVICE: dict[str, tuple[Promise, Promise]] = {
    "bar": (
        gettext_lazy("It needs only places, and shows a rating with its uncertainty."),
        gettext_lazy("For groups of any size whose results should be rated in the simplest way."),
    ),
    "codeforces": (
        gettext_lazy("It needs large contests of single players, and shows one number."),
        gettext_lazy("For programming contests whose players know the ratings of Codeforces."),
    ),
    "elo": (
        gettext_lazy("It needs nothing but who won, and shows one number that starts at 1500."),
        gettext_lazy("For clubs that want a rating that everybody knows and can check by hand."),
    ),
    "elo-mmr": (
        gettext_lazy("It needs places in contests of any size, and shows rating and uncertainty."),
        gettext_lazy("For races and large contests, as one odd result moves nobody far."),
    ),
    "elo-mmx": (
        gettext_lazy("It needs places in contests of any size, and shows rating and uncertainty."),
        gettext_lazy("For contests in which odd results are rare, as each can move a rating far."),
    ),
    "fermi": (
        gettext_lazy("It needs who won, or every frag from a game server, and shows one number."),
        gettext_lazy("For Kreimeier’s rating, in which points are never made or lost."),
    ),
    "glicko": (
        gettext_lazy("It needs who won and when, and shows a rating with its uncertainty."),
        gettext_lazy("For leagues whose players come and go: returning players move faster."),
    ),
    "glicko-2": (
        gettext_lazy("It needs who won and when, and shows a rating with its uncertainty."),
        gettext_lazy("For most leagues of one against one or of two teams, and for queues."),
    ),
    "ladder": (
        gettext_lazy("It needs single players who challenge each other, and shows ranks only."),
        gettext_lazy("For clubs in which beating somebody should mean taking their place."),
    ),
    "laurel": (
        gettext_lazy("It needs who won and when, and uses scores, home sides, maps and draws."),
        gettext_lazy("For leagues that want the best forecasts without setting anything."),
    ),
    "topcoder": (
        gettext_lazy("It needs contests of single players, and shows one number."),
        gettext_lazy(
            "For comparing with Topcoder’s contests; players can gain there by losing on purpose."
        ),
    ),
    "trueskill": (
        gettext_lazy("It needs places of teams of any size, and shows rating and uncertainty."),
        gettext_lazy("For games in which more than two teams meet, or teams change every match."),
    ),
    "wager": (
        gettext_lazy("It needs matches of two sides, and shows what each player holds."),
        gettext_lazy(
            "For teams that stake a share of what they have. Points are not shared out: the lowest "
            "ranks lose nothing, so the sum of all ranks grows."
        ),
    ),
}
"""By name: what it needs and shows, and who it is for."""

OTHERS = 8
WINS, LOSSES = 8, 4
"""The newcomer of the picture beats eight players, then loses to four of them."""
DAY_US = 86_400_000_000
WIDTH, HEIGHT, PAD = 160, 64, 6


@dataclass(frozen=True)
class Figure:
    """A newcomer's rating over a few matches, as coordinates of an SVG picture."""

    line: str
    band: str
    """The outline of rating ± deviation, empty for systems without one."""
    text: str
    """The same in words."""


@dataclass(frozen=True)
class Advised:
    """A rating system that an arena can choose."""

    name: str
    label: str
    summary: str
    needs: Promise
    suits: Promise
    figure: Figure
    chosen: bool


def list_advice(arena: Arena, suited: Mapping[str, type[RatingSystem]]) -> list[Advised]:
    """Return the systems to choose from, with advice."""
    return [
        Advised(
            name,
            system.label,
            system.summary,
            *ADVICE[name],
            figure(name),
            name == arena.rating_system,
        )
        for name, system in suited.items()
    ]


@lru_cache(maxsize=32)
def path(name: str) -> tuple[list[float], list[float]]:
    """Return the newcomer's rating and deviation before and after each match, by the real system.

    Those they meet have played each other once.
    """
    others = [f"other {number}" for number in range(OTHERS)]
    earlier = list(pairwise(others))
    won = [("newcomer", foe) for foe in others[::-1][:WINS]]
    lost = [(foe, "newcomer") for foe in others[:LOSSES]]
    matches = [duel(number, *pair) for number, pair in enumerate([*earlier, *won, *lost])]
    system = KNOWN_SYSTEMS[name](KNOWN_SYSTEMS[name].Parameters())
    replayed = replay(system, History.build(matches, [*others, "newcomer"]))
    winners = 2 * len(earlier)
    rows = [winners + 2 * each for each in range(WINS)]
    rows += [winners + 2 * (WINS + each) + 1 for each in range(LOSSES)]
    before, after = replayed.before, replayed.after
    return (
        [float(before.rating[rows[0]]), *map(float, after.rating[rows])],
        [float(before.deviation[rows[0]]), *map(float, after.deviation[rows])],
    )


def duel(number: int, winner: str, loser: str) -> Match:
    sides = [Side(place, [Participant(name)]) for place, name in enumerate((winner, loser))]
    return Match(f"match {number}", number * DAY_US, sides)


@lru_cache(maxsize=32)
def outline(name: str) -> tuple[str, str]:
    """Return the points of a system's line, and of its band of ± one deviation if it has one."""
    ratings, deviations = (np.array(values) for values in path(name))
    shows = KNOWN_SYSTEMS[name].shows
    spread = deviations if shows.deviation else np.zeros(len(ratings))
    low, high = float((ratings - spread).min()), float((ratings + spread).max())
    sign = -1 if shows.lowest_first else 1
    middle, half = (low + high) / 2, max((high - low) / 2, 1e-9)

    def points(values: Floats) -> list[str]:
        across = np.linspace(PAD, WIDTH - PAD, len(values))
        down = HEIGHT / 2 - sign * (values - middle) / half * (HEIGHT / 2 - PAD)
        return [f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True)]

    band = [*points(ratings + spread), *points(ratings - spread)[::-1]] if shows.deviation else []
    return " ".join(points(ratings)), " ".join(band)


def figure(name: str) -> Figure:
    """Return the picture of a system, with its words in the reader's language."""
    ratings, decimals = path(name)[0], KNOWN_SYSTEMS[name].shows.decimals
    words = _("A newcomer at %(first)s wins 8 times, to %(top)s, then loses 4 times, to %(last)s.")
    at = {"first": ratings[0], "top": ratings[WINS], "last": ratings[-1]}
    return Figure(
        *outline(name), words % {key: number(value, decimals) for key, value in at.items()}
    )
