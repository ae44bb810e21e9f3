"""Declarations of settings in the reader's language."""

from __future__ import annotations

import pytest

from league.models.limits import Limits
from league.models.result_rules import ResultRules
from league.services.core.declared import declarations
from matchmaking.dishonor import DishonorRules
from matchmaking.rules.arena import MatcherRules, QueueRules
from ratings.registry import SYSTEMS
from ratings.seasons.rules import GROUPS
from ratings.tunables.declarations import declarations as plain
from tests.support.pseudo_locale import pseudo_locale

MODELS = [
    *(system.Parameters for system in SYSTEMS.values()),
    *GROUPS.values(),
    Limits,
    ResultRules,
    DishonorRules,
    QueueRules,
    MatcherRules,
]


@pytest.mark.parametrize("model", MODELS)
def test_in_english_they_say_what_the_engines_say(model: type) -> None:
    for here, there in zip(declarations(model), plain(model), strict=True):
        assert (here.label, here.help, here.unit) == (there.label, there.help, there.unit)
        assert (here.allowed, here.expected) == (there.allowed, there.expected)
        assert here.choices == there.choices


def test_in_another_language_they_are_in_that_one() -> None:
    with pseudo_locale():
        [growth] = [one for one in declarations(QueueRules) if one.kind == "duration"][:1]
        assert growth.expected.startswith("á ďúŕáťíóń ")
    assert next(iter(declarations(QueueRules))).label.isascii()
