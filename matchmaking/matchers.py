"""The matchers by name."""

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
    """Return what each metric added to the score of each pick in a match of this matcher."""

    def __call__(
        self, queue: Queue, rules: Rules, match: Match, *, now: float
    ) -> list[dict[str, float]]: ...


class NamedMatcher(NamedTuple):
    """A matcher, its description, and a function that explains its picks."""

    about: str
    match: Matcher
    explain: Explain


MATCHERS: Mapping[str, NamedMatcher] = {
    "new": NamedMatcher(
        "as published on 7 February 2017: scores each roster for both teams and the match",
        wave.match,
        wave.explain,
    ),
    "old": NamedMatcher(
        "as published before that: the smaller team picks the most similar roster",
        alternating.match,
        alternating.explain,
    ),
    "laurel": NamedMatcher(
        "searches the whole queue at once: only fair teams, with waiting traded for match quality",
        matcher.match,
        matcher.explain,
    ),
}
