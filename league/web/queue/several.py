"""A ticket in several arenas: those in a form, and what it wants in each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext as _

from league.models import Arena
from league.services.core.errors import Refused

if TYPE_CHECKING:
    from league.models import ArenaQueue, Ticket

MOST_NAMED = 100
"""The most arenas that are read from a form. More than the allowed ones are refused."""


def takes_lone_players(its_queue: ArenaQueue) -> bool:
    return its_queue.matching().queue.roster_min <= 1


def modes_here(its_queue: ArenaQueue, ticket: Ticket) -> list[str]:
    """Return the game modes that a ticket wants in this arena."""
    if ticket.arena_id == its_queue.arena_id:
        return ticket.modes
    return ticket.also.get(arena=its_queue.arena).modes


def named_arenas(slugs: list[str]) -> list[Arena]:
    """Return the arenas with these addresses.

    Raises:
        Refused: there is no such arena.
    """
    wanted = set(slugs[:MOST_NAMED])
    found = list(Arena.objects.published().filter(slug__in=wanted)) if wanted else []
    if len(found) < len(wanted):
        raise Refused("no_arena", _("One of these arenas does not exist."), field="also")
    return found
