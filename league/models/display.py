"""Numbers that people see in place of ratings, as arenas store them."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import TYPE_CHECKING

from ratings.display import Population, read_display_rules, shows_of

if TYPE_CHECKING:
    from ratings.display import DisplayRules
    from ratings.system import RatingSystem, Shows


@lru_cache(maxsize=256)
def display_rules_from_json(rules: str) -> DisplayRules:
    """Return display rules from JSON. Cached: they are immutable."""
    return read_display_rules(json.loads(rules))


def shows_in_arena(
    system: RatingSystem, rules: DisplayRules, mean: float | None, width: float | None
) -> Shows:
    """Return how an arena shows ratings of a system; mean and width are ``None`` until measured."""
    if rules.scale == "rating":
        return system.shows
    population = None if mean is None or width is None else Population(mean, width)
    newcomer = float(system.newcomers(1).rating[0])
    return shows_of(system.shows, rules, population, mean=newcomer, scale=system.scale)
