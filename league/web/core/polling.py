"""Polls of browsers that wait, answered cheaply while nothing has changed.

Thousands may wait at once, each polling every other second. Their pages change rarely, so a poll
carries a signed pass that names its ticket, and one short statement checks that it still waits:
neither a session nor a player is loaded.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.signing import BadSignature, Signer

from league.services.queue.queueing import seconds_waiting

if TYPE_CHECKING:
    from django.http import HttpRequest

    from league.models import Ticket

FIGURES_EVERY = 10
"""Seconds after which a ticket's poll is answered with new figures."""

_signer = Signer(salt="queue poll")


def pass_of(ticket: Ticket) -> str:
    """Return a signed pass with which a browser can ask whether this ticket still waits."""
    return _signer.sign(str(ticket.pk))


def has_news(request: HttpRequest, every: int, figures_every: int = FIGURES_EVERY) -> bool:
    """Return whether a poll, sent ``every`` so many seconds, may have to update its page.

    Without a valid pass it always may. With one, it may if the ticket no longer waits, and once in
    ``figures_every`` seconds.
    """
    try:
        ticket = int(_signer.unsign(request.GET.get("pass", "")))
    except (BadSignature, ValueError):
        return True
    waited = seconds_waiting(ticket)
    return waited is None or waited % figures_every < every
