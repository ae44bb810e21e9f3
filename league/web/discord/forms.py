"""The form of direct messages."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

from league.models import NoticeKind
from league.services.discord.preferences import OFFERED

if TYPE_CHECKING:
    from django.http import QueryDict

    from league.models import DiscordPreference


class DirectMessagesForm(forms.Form):
    """Whether a player gets direct messages, and about what."""

    is_on = forms.BooleanField(
        label=gettext_lazy("Send me direct messages on Discord"),
        required=False,
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("About"),
        choices=[(kind.value, kind.label) for kind in OFFERED],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def of(
        cls, preference: DiscordPreference, data: QueryDict | None, *, is_staff: bool
    ) -> DirectMessagesForm:
        """Return the form with a player's choice. Only staff can choose webhooks."""
        form = cls(data, initial={"is_on": preference.is_on, "kinds": preference.kinds})
        form.fields["kinds"].choices = [  # type: ignore[attr-defined] # of its kind of field
            (kind.value, kind.label) for kind in OFFERED if is_staff or kind != NoticeKind.WEBHOOK
        ]
        return form
