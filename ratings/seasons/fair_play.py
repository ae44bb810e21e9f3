"""Fair play: how often the same opponents can meet, and how much a repeated match counts.

A match adds little to what earlier ones between the same opponents have shown, and agreed wins
over an accomplice are such matches. The *meetings* of a match are the earlier matches between its
opponents, as :func:`meetings` counts them.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import read_parameters
from ratings.tunables.sentences import Sentence
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

DAY = 86_400
WEEK = 7 * DAY


class FairPlay(Parameters):
    """Limits on matches between the same opponents."""

    per_day: int = parameter(
        3,
        label="Matches between the same opponents per day",
        description="How many matches of the same opponents their captains can report in 24 hours. "
        "Matches from a queue, a challenge, a game server or an import are not limited. 0 means "
        "no limit.",
        unit="matches",
        minimum=0,
        maximum=1_000,
        source="Laurel: a best of three in an evening",
    )
    per_week: int = parameter(
        10,
        label="Matches between the same opponents per week",
        description="The same in seven days. 0 means no limit.",
        unit="matches",
        minimum=0,
        maximum=10_000,
        source="Laurel: three evenings of three, and one more",
    )
    repeat_factor: float = parameter(
        0.8,
        label="Weight of a repeated match",
        description="Each further match of the same opponents within seven days counts this much "
        "of the one before: with 0.8, the third counts 64 %. 1 means that all count fully. "
        "Imported matches count fully. A ladder ignores weights.",
        minimum=0.1,
        maximum=1,
        source="Laurel: ten matches in a week count like four and a half",
    )

    same_opponents: float = parameter(
        3.0,
        label="Even wins from the same opponents",
        description="How much a player can win from the same opponents in half a year, beyond what "
        "their matches against others restore, in even wins. An even win is what a win over an "
        "equal opponent is worth to the player, at their rating and by the rating system. Wins "
        "count by what is left, losses give back what they cost. 0 turns this off, and also the "
        "limit on points won from players without a rank. Imported matches count fully and a "
        "ladder ignores weights.",
        unit="even wins",
        minimum=0,
        maximum=1_000,
        source="Laurel: the second win in a row over an equal counts two thirds",
    )
    restored: float = parameter(
        0.25,
        label="Even wins restored by other matches",
        description="How many of these even wins each match against others restores.",
        unit="even wins",
        minimum=0,
        maximum=1_000,
        source="Laurel: hardly changes the forecasts of a league of six or more",
        expert=True,
    )

    def clashes(self) -> dict[str, Sentence]:
        """Check that equals can meet a few times."""
        if not 0 < self.same_opponents < FEWEST_WINS:
            return {}
        return {
            "same_opponents": Sentence(
                "must be 0 or at least %(least)s; you gave %(given)s",
                least=plain(FEWEST_WINS),
                given=plain(self.same_opponents),
            )
        }

    def left_after(self, wins: int) -> float:
        """Return how much the next of several even wins over the same opponent counts."""
        budget = self.same_opponents
        share = 1.0
        left = budget
        for _ in range(wins if budget else 0):
            left -= share
            share = left / budget
        return share

    def weight(self, earlier: int) -> float:
        """Return the weight of a match after ``earlier`` meetings of its opponents."""
        return max(self.repeat_factor**earlier, SMALLEST_WEIGHT)


SMALLEST_WEIGHT = 0.01
"""The least that a match counts, so that no rating system has to divide by almost nothing."""


FEWEST_WINS = 3.0
"""The fewest even wins that a player can win from the same opponents, if they are limited."""
MOST_WINS = 1_000.0
POINTS = 16.0
"""Points that the even win of an earlier release was, see :func:`as_now_written`."""


def as_now_written(values: Mapping[str, object] | None) -> dict[str, object]:
    """Return stored rules with the names of this release.

    Earlier releases counted points of chess, of which an even win with K = 32 is worth 16.
    """
    given = {name: value for name, value in (values or {}).items() if name != "restored_unranked"}
    if isinstance(points := given.pop("one_sided", None), int | float):
        wins = min(max(points / POINTS, FEWEST_WINS), MOST_WINS) if points else 0.0
        given.setdefault("same_opponents", wins)
        if isinstance(restored := given.get("restored"), int | float):
            given["restored"] = min(restored / POINTS, MOST_WINS)
    return given


def read_fair_play(values: Mapping[str, object] | None) -> FairPlay:
    """Return the rules of a JSON object. Defaults replace what is missing.

    Raises:
        ParameterError: one sentence for each problem, by name.
    """
    return read_parameters(FairPlay, as_now_written(values))


def meetings(now: Mapping[int, int], earlier: Iterable[Mapping[int, int]]) -> int:
    """Return how often the opponents of a match met in earlier matches.

    A match is the side of each player. For each player the meetings are averaged over the
    opponents. The largest average counts, rounded down. For duels it is the number of earlier
    matches between the two players.
    """
    sizes = Counter(now.values())
    met: Counter[int] = Counter()
    for match in earlier:
        common = [player for player in match if player in now]
        there = Counter(match[player] for player in common)
        here = Counter(now[player] for player in common)
        both = Counter((match[player], now[player]) for player in common)
        for player in common:
            then, side = match[player], now[player]
            met[player] += len(common) - there[then] - here[side] + both[then, side]
    return max(
        (count // (len(now) - sizes[now[player]]) for player, count in met.items() if count),
        default=0,
    )
