"""The form of the mail settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

from league.models import MAILED, MailPreference

if TYPE_CHECKING:
    from django.http import QueryDict


class MailForm(forms.Form):
    """When and about what a player gets mail."""

    pace = forms.ChoiceField(
        label=gettext_lazy("When"),
        choices=MailPreference.Pace.choices,
        help_text=gettext_lazy("Mails are only about what you have not seen on the site."),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("About"),
        choices=[(kind.value, kind.label) for kind in MAILED],
        required=False,
        widget=forms.CheckboxSelectMultiple,
    )

    @classmethod
    def of(cls, preference: MailPreference, data: QueryDict | None) -> MailForm:
        """Return the form with a player's preference."""
        kinds = [kind.value for kind in MAILED if kind not in preference.muted]
        return cls(data, initial={"pace": preference.pace, "kinds": kinds})
