"""Badges in words: their names and rules."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext_lazy

from league.models import BadgeKind

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.utils.functional import Promise

    from league.services.results.records.badges import Badge


class Kind(NamedTuple):
    """A kind of badge for people."""

    kind: str
    name: str | Promise
    rule: str | Promise


KINDS = {
    one.kind: one
    for one in (
        Kind("first_win", BadgeKind.FIRST_WIN.label, gettext_lazy("Win a match.")),
        Kind(
            "streak",
            BadgeKind.STREAK.label,
            gettext_lazy(
                "Win five matches in a row in an arena, against at least two different opponents."
            ),
        ),
        Kind(
            "giant",
            BadgeKind.GIANT.label,
            gettext_lazy(
                "Win a match that your side had at most one chance in five to win by the forecast. "
                "Everybody in it had played their placement matches, and at least five in the "
                "season."
            ),
        ),
        Kind(
            "comeback",
            BadgeKind.COMEBACK.label,
            gettext_lazy(
                "Lose three matches or more in a row in an arena, and win the next three, against "
                "at least two different opponents."
            ),
        ),
        Kind(
            "rivalry",
            BadgeKind.RIVALRY.label,
            gettext_lazy(
                "Meet the same opponent in ten different weeks, with at least three wins for each "
                "of you."
            ),
        ),
        Kind("century", BadgeKind.CENTURY.label, gettext_lazy("Play 100 matches.")),
        Kind(
            "podium",
            gettext_lazy("On the podium"),
            gettext_lazy("End a season among its first three."),
        ),
    )
}


class Shown(NamedTuple):
    """A badge with its words."""

    badge: Badge
    kind: Kind


def in_words(found: Iterable[Badge]) -> list[Shown]:
    """Return badges with their names and rules."""
    return [Shown(one, KINDS[one.kind]) for one in found]
