"""New captains of rosters: what else depends on who leads a roster follows it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.dispatch import Signal

from league.models import Roster

if TYPE_CHECKING:
    from collections.abc import Iterable
    from datetime import datetime

    from league.models import Player

changing = Signal()
"""Sent with ``now`` and ``captains``, by the id of their roster, inside the transaction that
changes them and before it writes the rosters, so that receivers can lock first."""


def hold_rosters(rosters: Iterable[int]) -> dict[int, Roster]:
    """Return rosters by id as they are now, and keep their captains until the transaction ends."""
    # Tickets and sides refer to rosters, and can still be written.
    rows = Roster.objects.select_for_update(no_key=True).filter(pk__in=list(rosters))
    return {roster.pk: roster for roster in rows.order_by("pk")}


def announce(captains: Iterable[tuple[Roster, Player]], now: datetime) -> None:
    """Announce the players who are about to lead rosters. The caller then saves them.

    All rosters of a transaction are announced together, so that they and what depends on them are
    locked in one order.
    """
    known = {roster.pk: captain for roster, captain in captains if roster.pk}
    if known:
        hold_rosters(known)
        changing.send(sender=Roster, captains=known, now=now)
