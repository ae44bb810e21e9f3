"""Dishonor: stacks for offences, their expiry, and the timeouts they cause.

Source: Dishonor in the GW2 matchmaker. The ledger of a player's awards is the truth; stacks and
timeout are computed from it. Times are seconds on one clock; a timeout is stored as the time it
ends.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from matchmaking.rules.limits import DAY, MOST
from matchmaking.rules.readings import GW2
from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.sentences import Sentence

if TYPE_CHECKING:
    from matchmaking.rules.arena import Choices

SOURCE = f"{GW2}: Dishonor, Configuration"
LONGEST_DISPLAYED = 100 * 365.25 * DAY
"""Seconds from now beyond which a timeout is displayed as endless: a ban lasts 951 years."""


class Penalty(Parameters):
    """The stacks for one offence."""

    reason: Annotated[str, Field(min_length=1, max_length=100)] = parameter(
        "Abandon",
        label="Reason",
        description="The offence that the penalty is for.",
        xml="@reason",
        source=SOURCE,
    )
    stacks: int = parameter(
        1,
        label="Stacks",
        description="Stacks of dishonor added for the offence.",
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
    """The duration of stacks, and the timeouts they cause."""

    stack_duration: DurationWithUnit = parameter(
        4 * 3600.0,
        label="Stack duration",
        description="How long one stack lasts before it expires.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@stack-duration",
        source=SOURCE,
    )
    timeout_duration: DurationWithUnit = parameter(
        30.0,
        label="Timeout of one stack",
        description="A penalty adds this to the timeout, times the number of stacks to the "
        "power of the exponent.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@timeout-duration",
        source=SOURCE,
    )
    timeout_exponent: float = parameter(
        1.5,
        label="Timeout exponent",
        description="Power of the number of stacks. Above 1, each further stack costs more than "
        "the one before.",
        minimum=0.0,
        maximum=10.0,
        xml="@timeout-exponent",
        source=SOURCE,
    )
    timeout_rounding: DurationWithUnit = parameter(
        60.0,
        label="Timeout rounding",
        description="Added timeouts are rounded to a multiple of this, and are at least this long; "
        "0 for no rounding.",
        unit="seconds",
        minimum=0.0,
        maximum=MOST,
        xml="@timeout-rounding",
        source=SOURCE,
    )
    penalties: tuple[Penalty, ...] = PUBLISHED_PENALTIES

    def clashes(self) -> dict[str, Sentence]:
        """Refuse two penalties for one reason, however its words are spaced."""
        reasons = [" ".join(penalty.reason.split()) for penalty in self.penalties]
        repeated = sorted({reason for reason in reasons if reasons.count(reason) > 1})
        return (
            {
                "penalties": Sentence(
                    "must have one penalty per reason; repeated: %(reasons)s",
                    reasons=", ".join(repeated),
                )
            }
            if repeated
            else {}
        )

    def penalty(self, reason: str) -> Penalty:
        """Return the penalty for a reason.

        Raises:
            KeyError: The rules have no such reason.
        """
        for penalty in self.penalties:
            if penalty.reason == reason:
                return penalty
        raise KeyError(reason)


@dataclass(frozen=True)
class Award:
    """Stacks awarded ``at`` a time. The ledger leaves out awards that staff voided."""

    at: float
    stacks: int
    until: float | None = None
    """The end that staff set for a ban, in place of the timeout for its stacks."""


@dataclass(frozen=True)
class DishonorStatus:
    """A player's stacks at some time, and the end of their timeout."""

    stacks: int = 0
    until: float = -math.inf

    def in_timeout(self, now: float) -> bool:
        """Return whether the player may not queue. A timeout is over in the second it ends."""
        return now < self.until


def stacks_at(awards: Iterable[Award], now: float, rules: DishonorRules, choices: Choices) -> int:
    """Return the unexpired stacks of the awards up to ``now``."""
    return dishonor_status(awards, now, rules, choices).stacks


def dishonor_status(
    awards: Iterable[Award], now: float, rules: DishonorRules, choices: Choices
) -> DishonorStatus:
    """Return the stacks and timeout of a ledger at ``now``.

    Each award adds a timeout for the stacks that the player has after it.
    """
    stacks_held = _Sequential(rules) if choices.decay == "sequential" else _Parallel(rules)
    until = -math.inf
    for award in sorted(awards, key=lambda award: award.at):
        if award.at <= now:
            stacks = stacks_held.at(award.at) + award.stacks
            stacks_held.add(award)
            if award.until is not None:
                until = max(award.until, until)
            else:
                until = max(award.at, until) + timeout(stacks, rules, choices)
    return DishonorStatus(stacks_held.at(now), until)


class _Sequential:
    """Stacks that expire one after another: ten last ten times as long as one."""

    def __init__(self, rules: DishonorRules) -> None:
        self._life = rules.stack_duration
        self._last_expires = -math.inf

    def add(self, award: Award) -> None:
        self._last_expires = max(self._last_expires, award.at) + award.stacks * self._life

    def at(self, now: float) -> int:
        if self._life == 0 or self._last_expires <= now:
            return 0
        return math.ceil((self._last_expires - now) / self._life)


class _Parallel:
    """Stacks that expire together with the other stacks of their award."""

    def __init__(self, rules: DishonorRules) -> None:
        self._life = rules.stack_duration
        self._awards: deque[Award] = deque()
        self._stacks = 0

    def add(self, award: Award) -> None:
        self._awards.append(award)
        self._stacks += award.stacks

    def at(self, now: float) -> int:
        while self._awards and now - self._awards[0].at >= self._life:
            self._stacks -= self._awards.popleft().stacks
        return self._stacks


def penalize(
    status: DishonorStatus, penalty: Penalty, now: float, rules: DishonorRules, choices: Choices
) -> DishonorStatus:
    """Return a player's status after a penalty, given their status at ``now``."""
    stacks = status.stacks + penalty.stacks
    return DishonorStatus(stacks, max(now, status.until) + timeout(stacks, rules, choices))


def timeout(stacks: int, rules: DishonorRules, choices: Choices) -> float:
    """Return the seconds that a penalty adds to a timeout, given the stacks after it."""
    earned = float(stacks) ** rules.timeout_exponent * rules.timeout_duration
    return _round(earned, rules.timeout_rounding, choices)


def _round(value: float, interval: float, choices: Choices) -> float:
    if interval == 0:
        return value
    count = value / interval
    multiple = round(count) if choices.rounding == "half_even" else math.floor(count + 0.5)
    return max(interval, multiple * interval)


def displayed_end(until: float, now: float) -> float | None:
    """Return the end of a timeout for display, ``None`` if it is too far away."""
    return until if until - now <= LONGEST_DISPLAYED else None
