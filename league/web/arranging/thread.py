"""What pages show of the messages about a date."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from league.models import User
from league.services.arranging import threads
from league.services.arranging.people import may_read
from league.web.arranging.forms import DateMessageForm
from league.web.people.acting import player_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.models import Arrangement


def thread_context(request: HttpRequest, one: Arrangement, now: datetime) -> dict[str, Any]:
    """Return the messages about a date, for readers who may see them."""
    user, me = request.user, player_of(request)
    if not isinstance(user, User) or not may_read(one, user, me):
        return {"reads_messages": False}
    return {
        "reads_messages": True,
        "date_messages": threads.messages_of(one),
        "may_write_message": threads.takes_messages(one, now),
        "date_message_form": DateMessageForm(),
    }
