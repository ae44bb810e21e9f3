"""Matches won, drawn and lost. Draws are left out where there can be none, and were none."""

from __future__ import annotations

from operator import attrgetter
from typing import TYPE_CHECKING, Any

from django import template
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterable

    from league.models import Arena

register = template.Library()


@register.simple_tag
def any_draws(arena: Arena, rows: Iterable[Any], path: str = "draws") -> bool:
    """Return whether records of an arena name draws, which each row counts at ``path``.

    They were drawn before the arena changed, or as a decision of staff, if it allows none.
    """
    return arena.draws_allowed or any(map(attrgetter(path), rows))


@register.simple_tag
def any_draws_in(records: Iterable[Any]) -> bool:
    """Return whether records of several seasons name draws."""
    return any(any_draws(one.season.arena, [one]) for one in records)


@register.simple_tag
def counts_of(record: Any, *, draws: bool) -> str:
    """Return the matches of a record: won, drawn if it names ``draws``, and lost."""
    if draws:
        return f"{record.wins} · {record.draws} · {record.losses}"
    return f"{record.wins} · {record.losses}"


@register.filter
def describe_record(record: Any, arena: Arena) -> str:
    """Return a record of an arena in words."""
    counts = {"wins": record.wins, "draws": record.draws, "losses": record.losses}
    if any_draws(arena, [record]):
        return _("%(wins)d won · %(draws)d drawn · %(losses)d lost") % counts
    return _("%(wins)d won · %(losses)d lost") % counts
