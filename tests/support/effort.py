"""How many random cases a run tries: few by default, twenty times as many in ``make test-long``."""

from __future__ import annotations

import os

from hypothesis import settings

LONG = os.environ.get("LAUREL_TESTS") == "long"
TIMES = 20


def examples(few: int) -> int:
    """What a test that takes ``few`` cases by default takes in this run."""
    return few * TIMES if LONG else few


def choose_profile() -> None:
    """Let this run decide for the tests that name no number of their own."""
    settings.register_profile("laurel", max_examples=examples(25), deadline=None)
    settings.load_profile("laurel")
