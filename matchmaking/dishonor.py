"""Dishonor: stacks for offences, how they expire, and the timeouts that they earn.

Source: Dishonor in the GW2 matchmaker. A player's ledger of awards is the truth; her stacks and
her timeout follow from it. Times are seconds on one clock, and a timeout is the time it ends.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from matchmaking.rules.arena import DAY, GW2, MOST
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

if TYPE_CHECKING:
    from matchmaking.rules.arena import Choices

SOURCE = f"{GW2}: Dishonor, Configuration"
LONGEST_SHOWN = 100 * 365.25 * DAY
"""Timeouts that end later than this from now are shown as without end: a ban is 951 years."""


class Penalty(Parameters):
    """The stacks that an offence earns."""

    reason: Annotated[str, Field(min_length=1, max_length=100)] = parameter(
        "Abandon",
        label="Reason",
        description="What the penalty is for.",
        xml="@reason",
        source=SOURCE,
    )
    stacks: int = parameter(
        1,
        label="Stacks",
        description="Stacks of dishonor that the offence adds.",
        unit="stacks",
        minimum=0,
        maximum=MOST,
        xml="@stacks",
        source=SOURCE,
    )


PUBLISHED_PENALTIES = (
    Penalty(reason="Abandon", stacks=10),
    Penalty(reason="QueueDodge", stacks=3),
    Penalty(reason="Banned", stacks=1_000_000),
)


class DishonorRules(Parameters):
    """How long stacks last, and how long a timeout they earn."""

    stack_duration: DurationWithUnit = parameter(
        4 * 3600.0,
        label="Life of a stack",
        description="How long a single stack lasts before it expires.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@stack-duration",
        source=SOURCE,
    )
    timeout_duration: DurationWithUnit = parameter(
        30.0,
        label="Timeout of a stack",
        description="Added to the timeout for each stack to the power of the exponent.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@timeout-duration",
        source=SOURCE,
    )
    timeout_exponent: float = parameter(
        1.5,
        label="Timeout exponent",
        description="Power to which the number of stacks is raised: above 1, further stacks cost "
        "ever more.",
        minimum=0.0,
        maximum=10.0,
        xml="@timeout-exponent",
        source=SOURCE,
    )
    timeout_rounding: DurationWithUnit = parameter(
        60.0,
        label="Rounding of timeouts",
        description="What is added is rounded to a multiple of this, and is at least this; 0 for "
        "no rounding.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@timeout-rounding",
        source=SOURCE,
    )
    penalties: tuple[Penalty, ...] = PUBLISHED_PENALTIES

    def clashes(self) -> dict[str, str]:
        """Two penalties for one reason."""
        reasons = [penalty.reason for penalty in self.penalties]
        twice = sorted({reason for reason in reasons if reasons.count(reason) > 1})
        return (
            {"penalties": f"must be one for each reason; twice: {', '.join(twice)}"}
            if twice
            else {}
        )

    def penalty(self, reason: str) -> Penalty:
        """The penalty for a reason. Raises ``KeyError`` for one that the rules do not know."""
        for penalty in self.penalties:
            if penalty.reason == reason:
                return penalty
        raise KeyError(reason)


@dataclass(frozen=True)
class Award:
    """Stacks given ``at`` a time. What staff void is left out of the ledger that is read."""

    at: float
    stacks: int
    until: float | None = None
    """When a ban ends that staff gave an end; it takes the place of the timeout of its stacks."""


@dataclass(frozen=True)
class Standing:
    """What a player's ledger comes to at some time: her stacks, and when her timeout ends."""

    stacks: int = 0
    until: float = -math.inf

    def in_timeout(self, now: float) -> bool:
        """Whether she may not queue. A timeout is over at the very second it ends."""
        return now < self.until


def stacks_at(awards: Iterable[Award], now: float, rules: DishonorRules, choices: Choices) -> int:
    """Stacks that have not expired, of awards up to ``now``."""
    return standing(awards, now, rules, choices).stacks


def standing(
    awards: Iterable[Award], now: float, rules: DishonorRules, choices: Choices
) -> Standing:
    """Stacks and timeout of a ledger at ``now``. Each award's timeout follows from the stacks that
    the player had once it was given."""
    held = _Sequential(rules) if choices.decay == "sequential" else _Parallel(rules)
    until = -math.inf
    for award in sorted(awards, key=lambda award: award.at):
        if award.at <= now:
            stacks = held.left(award.at) + award.stacks
            held.add(award)
            if award.until is not None:
                until = max(award.until, until)
            else:
                until = max(award.at, until) + timeout(stacks, rules, choices)
    return Standing(held.left(now), until)


class _Sequential:
    """Stacks that expire one after the other, so that ten last ten times as long as one."""

    def __init__(self, rules: DishonorRules) -> None:
        self._life = rules.stack_duration
        self._last_expires = -math.inf

    def add(self, award: Award) -> None:
        self._last_expires = max(self._last_expires, award.at) + award.stacks * self._life

    def left(self, now: float) -> int:
        if self._life == 0 or self._last_expires <= now:
            return 0
        return math.ceil((self._last_expires - now) / self._life)


class _Parallel:
    """Stacks of which all of one award expire together."""

    def __init__(self, rules: DishonorRules) -> None:
        self._life = rules.stack_duration
        self._awards: deque[Award] = deque()
        self._stacks = 0

    def add(self, award: Award) -> None:
        self._awards.append(award)
        self._stacks += award.stacks

    def left(self, now: float) -> int:
        while self._awards and now - self._awards[0].at >= self._life:
            self._stacks -= self._awards.popleft().stacks
        return self._stacks


def punished(
    player: Standing, penalty: Penalty, now: float, rules: DishonorRules, choices: Choices
) -> Standing:
    """A player's standing after a penalty, her standing before being that of ``now``."""
    stacks = player.stacks + penalty.stacks
    return Standing(stacks, max(now, player.until) + timeout(stacks, rules, choices))


def timeout(stacks: int, rules: DishonorRules, choices: Choices) -> float:
    """Seconds that a penalty adds to the timeout of a player who now has this many stacks."""
    earned = float(stacks) ** rules.timeout_exponent * rules.timeout_duration
    return _to_interval(earned, rules.timeout_rounding, choices)


def _to_interval(value: float, interval: float, choices: Choices) -> float:
    if interval == 0:
        return value
    count = value / interval
    multiple = round(count) if choices.rounding == "half_even" else math.floor(count + 0.5)
    return max(interval, multiple * interval)


def shown_until(until: float, now: float) -> float | None:
    """When a timeout ends, as pages show it: ``None`` for one without a foreseeable end."""
    return until if until - now <= LONGEST_SHOWN else None
