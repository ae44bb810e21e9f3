"""Results in a few words, as messages on Discord tell them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from league.models.lists import list_of
from league.services.core.isolation import gettext as _
from league.services.core.numbers import write_score

if TYPE_CHECKING:
    from league.models import Match, Side

LONGEST = 1500
"""So that a message holds it, even if each character is escaped."""


def sentence(match: Match, *, with_players: bool = False) -> str:
    """Say who beat whom in a match loaded by ``profiles.with_sides``."""
    sides = by_place(match)
    one, other = (name_of(side, with_players=with_players) for side in sides[:2])
    if sides[0].place == sides[1].place:
        text = _("%(one)s drew with %(other)s")
    elif len(sides) == 2:
        text = _("%(one)s beat %(other)s")
    else:
        text = _("%(one)s won, %(count)d sides")
    return text % {"one": one, "other": other, "count": len(sides)}


def describe_report(match: Match) -> str:
    """Say all that confirming a report of two sides agrees to."""
    scores = [write_score(side.score) for side in by_place(match) if side.score is not None]
    details = [" : ".join(scores), match.mode]
    return list_of([sentence(match, with_players=True), *(text for text in details if text)])


def can_be_told(match: Match) -> bool:
    """Return whether :func:`reported` says all: there are two sides, nobody quit, and it fits."""
    return (
        len(match.sides.all()) == 2
        and not has_quits(match)
        and len(describe_report(match)) <= LONGEST
    )


def has_quits(match: Match) -> bool:
    return any(part.quit for side in match.sides.all() for part in side.participants.all())


def by_place(match: Match) -> list[Side]:
    return sorted(match.sides.all(), key=lambda side: (side.place or 0, side.index))


def name_of(side: Side, *, with_players: bool) -> str:
    players = list_of(part.player.name for part in side.participants.all())
    if not side.roster:
        return players
    return f"{side.roster} ({players})" if with_players else side.roster.name
