"""The effort of a run: which cases are slow, and how many random ones a test draws.

``make test-long`` draws twenty times as many.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any, TypeVar

import pytest
from _pytest.mark.structures import ParameterSet
from hypothesis import HealthCheck, settings

if TYPE_CHECKING:
    from collections.abc import Sequence

LONG = os.environ.get("LAUREL_TESTS") == "long"
TIMES = 20

Case = TypeVar("Case")


def examples(few: int, many: int | None = None) -> int:
    """What a test that takes ``few`` cases by default takes in this run, ``many`` in a long one."""
    return (many or few * TIMES) if LONG else few


def spread(cases: Sequence[Any], few: int) -> list[Any]:
    """Return all cases as parameters, of which ``few``, spread evenly, are not slow.

    A tuple is the values of several parameters.
    """
    fast = set(some(range(len(cases)), few))
    return [case if at in fast else slow_case(case) for at, case in enumerate(cases)]


def slow_case(case: Any) -> Any:
    if isinstance(case, ParameterSet):
        return case._replace(marks=[*case.marks, pytest.mark.slow])
    values = case if isinstance(case, tuple) else (case,)
    return pytest.param(*values, marks=pytest.mark.slow)


def some(cases: Sequence[Case], few: int) -> list[Case]:
    """Return ``few`` of the cases, spread evenly from the first to the last."""
    if few >= len(cases):
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
