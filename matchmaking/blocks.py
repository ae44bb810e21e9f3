"""Blocks: how long two players of whom one blocks the other are kept apart.

The published page knows no blocks, so these rules are ours. Two tickets with a block between their
players share no match, neither as opponents nor as partners, until one of them has waited as long
as the rules say. Which blocks count is decided outside: the matcher gets pairs of tickets.
"""

from __future__ import annotations

from ratings.tunables.kinds import DurationWithUnit
from ratings.tunables.parameters import Parameters, parameter

SOURCE = "Laurel: docs/integrity.md, blocks"


class BlockRules(Parameters):
    """The time for which blocks keep players apart."""

    hold: DurationWithUnit = parameter(
        120.0,
        label="Blocks hold for",
        description="How long two players of whom one blocks the other are kept out of each "
        "other’s matches. Once one of them has waited this long, they can be matched. 0: blocks "
        "never keep players apart.",
        unit="seconds",
        minimum=0.0,
        maximum=1e9,
        source=SOURCE,
    )
