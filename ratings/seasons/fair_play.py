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

    one_sided: float = parameter(
        20.0,
        label="Points from the same opponents",
        description="How many points a player can win from the same opponents in half a year, "
        "beyond what their matches against others restore. Wins count by what is left, losses give "
        "back what they cost. It is also how many points won from players without a rank a ranked "
        "player can have before matches against ranked players confirm them. 0 turns both off. "
        "Imported matches count fully and a ladder ignores weights.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source="Laurel: little more than one win over an equal opponent in Elo with K = 32",
    )
    restored: float = parameter(
        4.0,
        label="Points restored by other matches",
        description="How many of these points each match against others restores.",
        unit="rating points",
        minimum=0,
        maximum=1_000_000,
        source="Laurel: hardly changes the forecasts of a league of six or more",
    )

    def weight(self, earlier: int) -> float:
        """Return the weight of a match after ``earlier`` meetings of its opponents."""
        return max(self.repeat_factor**earlier, SMALLEST_WEIGHT)


SMALLEST_WEIGHT = 0.01
"""The least that a match counts, so that no rating system has to divide by almost nothing."""


RETIRED = frozenset({"restored_unranked"})
"""Names of rules that an earlier release wrote, and may still write while it is replaced."""


def read_fair_play(values: Mapping[str, object] | None) -> FairPlay:
    """Return the rules of a JSON object. Defaults replace what is missing.

    Raises:
        ParameterError: one sentence for each problem, by name.
    """
    given = {name: value for name, value in (values or {}).items() if name not in RETIRED}
    return read_parameters(FairPlay, given)


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
