"""The rules by which an arena accepts results, declared once."""

from __future__ import annotations

import json
import math
from datetime import timedelta
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ratings.tunables.kinds import Duration
from ratings.tunables.parameters import Parameters, parameter
from ratings.tunables.reading import read_parameters
from ratings.tunables.sentences import Sentence
from ratings.tunables.wording import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

LARGEST_SCORE = 1_000_000_000
"""No arena can allow more. Every score up to it is stored exactly as it is written."""
STEPS = {"whole": 1, "halves": 2, "thousandths": 1_000}
"""The number of steps in one point."""


class ResultRules(Parameters):
    """The rules of an arena for reports: who sends them, and when they count."""

    reporters: Literal["captains", "organisers"] = parameter(
        "captains",
        label="Who reports",
        description="Organisers can enter results in every arena, and game servers can finish the "
        "matches that they start.",
        choices={
            "captains": "captains report, other sides confirm",
            "organisers": "only organisers and game servers",
        },
        source="Laurel",
    )
    silence: Literal["confirms-agreed", "never"] = parameter(
        "confirms-agreed",
        label="No answer in time",
        description="What happens to a report that a side does not answer. A side agreed to a "
        "match if it accepted a ready check or a challenge, or a game server started the match.",
        choices={
            "confirms-agreed": "confirms for sides that agreed to the match and were notified",
            "never": "never confirms: the report lapses",
        },
        source="Laurel",
    )
    quorum_share: float = parameter(
        0.5,
        label="Sides that must confirm: share",
        description="With more than two sides, a report counts at the deadline if this share of "
        "the other sides has confirmed it and nobody has disputed it, and at once when every side "
        "that can lose by it has. Against a silent ranked player, only ranked captains count who "
        "do not share an address.",
        unit="of the other sides",
        minimum=0,
        maximum=1,
        source="Laurel",
    )
    quorum_least: int = parameter(
        2,
        label="Sides that must confirm: at least",
        description="With more than two sides, this many have to confirm, or all others if there "
        "are fewer.",
        unit="sides",
        minimum=1,
        maximum=10_000,
        source="Laurel",
    )
    scores: Literal["higher", "lower", "free"] = parameter(
        "higher",
        label="Better score",
        description="A report whose scores contradict its places is refused.",
        choices={
            "higher": "the higher score wins",
            "lower": "the lower score wins",
            "free": "scores say nothing about places",
        },
        source="Laurel",
    )
    score_steps: Literal["whole", "halves", "thousandths"] = parameter(
        "halves",
        label="Score steps",
        description="Other scores are refused as mistyped.",
        choices={
            "whole": "whole numbers",
            "halves": "whole numbers and halves",
            "thousandths": "numbers with up to three decimals",
        },
        source="Laurel",
    )
    lowest_score: float = parameter(
        0,
        label="Lowest score",
        description="A report with a lower score is refused.",
        minimum=-LARGEST_SCORE,
        maximum=0,
        source="Laurel",
    )
    highest_score: float = parameter(
        10_000,
        label="Highest score",
        description="A report with a higher score is refused.",
        minimum=1,
        maximum=LARGEST_SCORE,
        source="Laurel",
    )
    objection_window: Duration = parameter(
        "2d",
        label="Time to object",
        description="How long after a result was rated everyone who played can object to it, so "
        "that staff decide. A late result, rated after its season has ended, is open to objections "
        "until the season is archived. The archive ends every objection. 0 means that rated "
        "results are final.",
        unit="time",
        minimum=0,
        maximum="30d",
        source="Laurel",
    )

    def problem_of_score(self, score: float) -> Sentence | None:
        """Return what is wrong with a score, if anything is."""
        if not self.lowest_score <= score <= self.highest_score:  # not a number is not between
            return Sentence(
                "A score here is from %(low)s to %(high)s.",
                low=plain(self.lowest_score),
                high=plain(self.highest_score),
            )
        steps = STEPS[self.score_steps]
        if round(score * steps) / steps == score:
            return None
        if self.score_steps == "whole":
            return Sentence("A score here is a whole number.")
        if self.score_steps == "halves":
            return Sentence("A score here is a whole number or ends with a half, such as 1.5.")
        return Sentence("A score here has at most three decimals.")

    @property
    def time_to_object(self) -> timedelta:
        return timedelta(seconds=self.objection_window)

    @property
    def quorum_percent(self) -> str:
        return f"{100 * self.quorum_share:g}"

    def quorum(self, others: int) -> int:
        """Return how many of the ``others`` have to confirm a match of more than two sides."""
        # Rounded first: 0.07 * 100 is a little above 7.
        share = math.ceil(round(self.quorum_share * others, 9))
        return min(others, max(share, self.quorum_least))


def read_result_rules(values: Mapping[str, Any]) -> ResultRules:
    """Return the rules in a JSON object.

    Raises:
        ParameterError: with a sentence for each wrong value.
    """
    return read_parameters(ResultRules, values)


@lru_cache(maxsize=256)
def result_rules_from_json(rules: str) -> ResultRules:
    """Return result rules from JSON. Cached: they are immutable."""
    return read_result_rules(json.loads(rules))
