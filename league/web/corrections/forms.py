"""The form for correcting a rated result."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import StaffAction
from league.web.results.answer_forms import DecisionForm

if TYPE_CHECKING:
    from collections.abc import Collection

    from league.web.results.lineups import Lineup


class RejectionForm(forms.Form):
    """The rejection of an objection."""

    prefix = "rejection"

    reason = forms.CharField(
        label=gettext_lazy("Why the result stays as it is"),
        help_text=gettext_lazy("Both sides will read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give a reason. Both sides will read it.")},
    )


CHANGES = [
    (StaffAction.Kind.CORRECTED.value, gettext_lazy("Correct: as if it had ended like this")),
    (StaffAction.Kind.VOIDED.value, gettext_lazy("Void: as if it had never been played")),
]


class UndoForm(forms.Form):
    """The undo of a correction, with the fingerprint of its preview."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give a reason. Everyone can read it.")},
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    horizon = forms.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput
    )


class ErratumForm(forms.Form):
    """A note on a mistake in an archived season."""

    reason = forms.CharField(
        label=gettext_lazy("What is wrong, and what would be right"),
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Say what is wrong. Everyone can read it.")},
    )


class CorrectionForm(DecisionForm):
    """A correction of a rated result, with the fingerprint of its preview."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Everyone can read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give a reason. Everyone can read it.")},
    )
    digest = forms.CharField(required=False, max_length=64, widget=forms.HiddenInput)
    horizon = forms.IntegerField(
        required=False, min_value=0, max_value=2**63 - 1, widget=forms.HiddenInput
    )

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        del self.fields["leavers"]
        verdict = cast("forms.ChoiceField", self.fields["verdict"])
        verdict.label = _("Correction")
        verdict.choices = CHANGES

    def leave_only(self, allowed: Collection[str]) -> None:
        """Offer only the corrections that the reader may make. Chosen others are refused."""
        verdict = cast("forms.ChoiceField", self.fields["verdict"])
        verdict.choices = [choice for choice in CHANGES if choice[0] in allowed]
        if self.initial.get("verdict") not in allowed:
            self.initial["verdict"] = None
