"""The form of the mail settings."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.utils.translation import gettext_lazy

from league.models import MAILED, MailPreference, NoticeKind
from league.services.discord import linking

if TYPE_CHECKING:
    from collections.abc import Sequence

    from django.http import QueryDict


class MailForm(forms.Form):
    """The mails that a player wants, and when."""

    unasked: Sequence[str] = ()
    """Kinds that are no choice of theirs, which stay wanted."""

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
    def of(
        cls, preference: MailPreference, data: QueryDict | None, *, is_staff: bool = False
    ) -> MailForm:
        """Return the form with a player's preference.

        Only staff can choose webhooks, and Discord is left out if it is not set up.
        """
        kinds = [kind.value for kind in MAILED if kind not in preference.muted]
        form = cls(data, initial={"pace": preference.pace, "kinds": kinds})
        form.unasked = [
            *([] if is_staff else [NoticeKind.WEBHOOK.value]),
            *([] if linking.is_offered() else [NoticeKind.DISCORD.value]),
        ]
        form.fields["kinds"].choices = [  # type: ignore[attr-defined] # of its kind of field
            (kind.value, kind.label) for kind in MAILED if kind not in form.unasked
        ]
        return form

    def clean_kinds(self) -> list[str]:
        return [*self.cleaned_data["kinds"], *self.unasked]
