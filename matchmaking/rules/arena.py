"""The rules of an arena's queue: every attribute of the published configuration.

A matcher reads ``Rules``: ``queue`` (the filter), ``matcher`` (the scores) and ``choices``
(readings of the published page where it is silent or contradicts itself). ``xml`` in each
declaration is its place in the published form, inside ``<Queue>`` or ``<Matcher>``.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from matchmaking.blocks import BlockRules
from matchmaking.rank_filter import RankFilterRules
from matchmaking.regions import RegionRules
from matchmaking.rules.laurel import LaurelRules
from matchmaking.rules.queue import LadderFilter, QueueRules
from matchmaking.rules.readings import GW2, Choices
from matchmaking.rules.scoring import MatcherRules
from ratings.tunables.parameters import Parameters, parameter

__all__ = [
    "Choices",
    "LadderFilter",
    "MatcherRules",
    "QueueRules",
    "Rules",
]


class Rules(Parameters):
    """The rules of one arena's queue and matcher."""

    name: Annotated[str, Field(max_length=200)] = ""
    team_size: int = parameter(
        5,
        label="Team size",
        description="Players per team.",
        unit="players",
        minimum=1,
        maximum=100,
        source=f"{GW2}: pseudo-code, config.teamSize",
    )
    scale: Annotated[float, Field(gt=0, allow_inf_nan=False)] = 1.0
    """The points of the ratings in a point of chess, in which all of these rules count."""
    queue: QueueRules = QueueRules()
    matcher: MatcherRules = MatcherRules()
    choices: Choices = Choices()
    rank_filter: RankFilterRules = RankFilterRules()
    region: RegionRules = RegionRules()
    block: BlockRules = BlockRules()
    laurel: LaurelRules = LaurelRules()

    def on_scale(self, scale: float) -> Rules:
        """Return these rules for ratings with ``scale`` points for each point of chess."""
        # Elo's is 1 but for the last bit.
        return self.model_copy(update={"scale": float(f"{scale:.12g}")})
