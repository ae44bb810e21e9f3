"""How much a run tries: little by default, twenty times as many random cases and every combination
in ``make test-long``."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, TypeVar

from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG = os.environ.get("LAUREL_TESTS") == "long"
TIMES = 20

Case = TypeVar("Case")


def examples(few: int, many: int | None = None) -> int:
    """What a test that takes ``few`` cases by default takes in this run, ``many`` in a long one."""
    return (many or few * TIMES) if LONG else few


def some(cases: Sequence[Case], few: int) -> list[Case]:
    """``few`` of the cases, spread evenly from the first to the last; all in a long run."""
    if LONG or few >= len(cases):
        return list(cases)
    return [cases[round(at * (len(cases) - 1) / (few - 1))] for at in range(few)]


def choose_profile() -> None:
    """Let this run decide for the tests that name no number of their own."""
    settings.register_profile(
        "laurel",
        max_examples=examples(25),
        deadline=None,
        suppress_health_check=[HealthCheck.too_slow],  # how busy the machine is decides no test
    )
    settings.load_profile("laurel")


choose_profile()  # before the decorators of the importing test copy its settings
