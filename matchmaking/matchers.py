"""The matchers by the names that choose them."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, Protocol

from matchmaking.laurel import matcher
from matchmaking.published import alternating, wave

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match, Matcher
    from matchmaking.ticket import Queue


class Explain(Protocol):
    """Says what each metric added to the score of each pick of a match that a matcher made."""

    def __call__(
        self, queue: Queue, rules: Rules, made: Match, *, now: float
    ) -> list[dict[str, float]]: ...


class NamedMatcher(NamedTuple):
    """A matcher, what it is, and how it explains its picks."""

    about: str
    match: Matcher
    explain: Explain


MATCHERS: Mapping[str, NamedMatcher] = {
    "new": NamedMatcher(
        "as published on 7 February 2017: rosters are scored for both teams and the match",
        wave.match,
        wave.explain,
    ),
    "old": NamedMatcher(
        "as published before: the smaller team picks who is most like it",
        alternating.match,
        alternating.explain,
    ),
    "laurel": NamedMatcher(
        "over the whole queue at once: fair teams or none, and waiting as the price of closeness",
        matcher.match,
        matcher.explain,
    ),
}
