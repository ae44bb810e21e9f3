"""The matchers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from matchmaking.laurel import matcher as laurel
from matchmaking.published import alternating, wave

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matchmaking.rules.arena import Rules
    from matchmaking.tick import Match, Matcher, Tick
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


def _name(about: str, matcher: Matcher, explain: Explain) -> NamedMatcher:
    """Return a matcher that reads ratings on the scale of its rules."""

    def match_on_scale(queue: Queue, rules: Rules, **options: Any) -> Tick:
        return matcher(queue.in_chess_points(rules.scale), rules, **options)

    def explain_on_scale(
        queue: Queue, rules: Rules, match: Match, *, now: float
    ) -> list[dict[str, float]]:
        return explain(queue.in_chess_points(rules.scale), rules, match, now=now)

    return NamedMatcher(about, match_on_scale, explain_on_scale)


MATCHERS: Mapping[str, NamedMatcher] = {
    "new": _name(
        "as published on 7 February 2017: scores each roster for both teams and the match",
        wave.match,
        wave.explain,
    ),
    "old": _name(
        "as published before that: the smaller team picks the most similar roster",
        alternating.match,
        alternating.explain,
    ),
    "laurel": _name(
        "searches the whole queue at once: only fair teams, with waiting traded for match quality",
        laurel.match,
        laurel.explain,
    ),
}
