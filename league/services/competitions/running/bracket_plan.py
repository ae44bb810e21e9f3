"""The bracket that follows groups: its seeds, and its schedule before the groups are decided."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from django.utils.translation import gettext as _

from league.models import Competition, Entrant
from league.services.competitions.pairing.groups import groups_by_seed
from league.services.competitions.running import drawing
from league.services.competitions.standings.competition_tables import letter

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from datetime import datetime

    from league.models import Fixture, Round

Place = TypeVar("Place")


def in_order_of_seeds(tiers: Sequence[Mapping[int, Place]]) -> list[Place]:
    """Return those who qualify from groups, by their places there: winners first, then runners-up.

    Among those of a place, they are seeded so that group mates meet as late as possible.
    """
    order = iter(groups_by_seed([list(tier) for tier in tiers]))
    return [tier[next(order)] for tier in tiers for _group in tier]


def begins_at(rounds: Iterable[Round]) -> datetime:
    """Return when a bracket begins: when the last round of the groups ends."""
    return max(each.closes_at for each in rounds)


def begins_after(one: Competition, now: datetime) -> datetime:
    """Return when the bracket after groups that are decided begins, as planned unless that is past.

    A late one begins on the next evening, or at once where rounds last hours.
    """
    planned = begins_at(one.rounds.all())
    if planned > now:
        return planned
    short = one.ruled_by().dates.round_length < drawing.DAY.total_seconds()
    return now if short else drawing.evening_of(one, planned, now)


def plan(
    one: Competition, entrants: Sequence[Entrant], fixtures: int, rounds: Sequence[Round]
) -> tuple[list[Round], list[Fixture]]:
    """Return the bracket that follows the groups as they were drawn. Nothing of it is saved.

    Its first sides are named after their places in the groups.
    """
    sizes: dict[int, int] = {}
    for entrant in entrants:
        if entrant.group is not None and entrant.state == Entrant.State.PLAYING:
            sizes[entrant.group] = sizes.get(entrant.group, 0) + 1
    tiers = [
        {
            group: Entrant(competition=one, name=name_of(tier, group))
            for group in sorted(sizes)
            if sizes[group] > tier
        }
        for tier in range(one.ruled_by().play.qualify)
    ]
    seeded = in_order_of_seeds(tiers)
    if len(seeded) < 2:
        return [], []
    for number, each in enumerate(seeded, start=1):
        each.pk = -number  # stands for an entrant who is not known yet
    return drawing.plan_bracket(one, seeded, begins_at(rounds), after=fixtures)


def name_of(tier: int, group: int) -> str:
    """Return the name of a place in a group, such as “Winner of group A”."""
    names = {
        0: _("Winner of group %(letter)s"),
        1: _("Second of group %(letter)s"),
        2: _("Third of group %(letter)s"),
    }
    other = _("Number %(place)d of group %(letter)s")
    return names.get(tier, other) % {"letter": letter(group), "place": tier + 1}
