"""The messages about a date, as pages show them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.urls import reverse
from django.utils.translation import gettext_lazy

from league.models import Arrangement, Challenge, User
from league.models.arrangement_parts import LONGEST_DATE_MESSAGE
from league.services.dates import threads
from league.services.dates.people import may_read
from league.web.core.acting import player_of

if TYPE_CHECKING:
    from datetime import datetime

    from django.http import HttpRequest

    from league.services.dates.people import Meeting


class DateMessageForm(forms.Form):
    """A message about a date."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        help_text=gettext_lazy("Players of both sides and staff can read it."),
        max_length=LONGEST_DATE_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Write a message.")},
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data, auto_id="message_%s")


def thread_context(
    request: HttpRequest, one: Meeting, now: datetime, *earlier: Meeting
) -> dict[str, Any]:
    """Return the messages about a match, for readers who may see them.

    ``earlier`` are steps that led to it, such as a challenge: their messages are shown, too.
    """
    user, me = request.user, player_of(request)
    if not isinstance(user, User) or not may_read(one, user, me):
        return {"reads_messages": False}
    return {
        "reads_messages": True,
        "date_messages": threads.messages_of(one, *earlier),
        "may_write_message": threads.takes_messages(one, now),
        "date_message_form": DateMessageForm(),
        "write_address": write_address(one),
    }


def write_address(one: Meeting) -> str:
    """Return where the form of a message is sent."""
    if isinstance(one, Arrangement):
        return reverse("date_write", args=[one.arena.slug, one.pk])
    return reverse("challenge_write" if isinstance(one, Challenge) else "match_talk", args=[one.pk])
