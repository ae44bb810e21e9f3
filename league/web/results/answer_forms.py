"""Forms for answers to a report: counter-reports, disputes, objections and decisions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import StaffAction
from league.models.answer import LONGEST_LINK, LONGEST_MESSAGE
from league.models.evidence import LONGEST_DESCRIPTION
from league.web.results.forms import PlacingsForm

if TYPE_CHECKING:
    from league.services.core.errors import Refused
    from league.web.results.lineups import Lineup


class CounterForm(PlacingsForm):
    """The result of a reported match according to another side."""

    revision = forms.IntegerField(widget=forms.HiddenInput, min_value=1)

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        if not lineup.mode:
            self.ask_for_mode(lineup.arena, required=False)
        self.fields["comment"] = forms.CharField(
            label=_("Comment"),
            help_text=_("The other side and staff will read it."),
            required=False,
            max_length=LONGEST_MESSAGE,
            widget=forms.Textarea(attrs={"rows": 3}),
        )

    def placings(self) -> list[tuple[int, float | None]]:
        return list(zip(self.places(), self.scores(), strict=True))


class MessageForm(forms.Form):
    """A message about a dispute, or for ``everyone`` who played about an objection."""

    text = forms.CharField(
        label=gettext_lazy("Message"),
        help_text=gettext_lazy("The captains of the sides and staff can read it."),
        max_length=LONGEST_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Write a message.")},
    )
    link = forms.CharField(
        label=gettext_lazy("Link to evidence"),
        help_text=gettext_lazy("A screenshot or replay, such as https://example.com/replay/1."),
        required=False,
        max_length=LONGEST_LINK,
        widget=forms.URLInput,
    )
    image = forms.FileField(
        label=gettext_lazy("Image"),
        help_text=gettext_lazy(
            "A screenshot or photo: PNG, JPEG or WebP. Location data is removed."
        ),
        required=False,
        widget=forms.FileInput(attrs={"accept": "image/png, image/jpeg, image/webp"}),
        error_messages={"empty": gettext_lazy("This file is empty. Choose another one.")},
    )
    description = forms.CharField(
        label=gettext_lazy("What the image shows"),
        help_text=gettext_lazy(
            "For people who cannot see the image. For example: “Final score 3:1”."
        ),
        required=False,
        max_length=LONGEST_DESCRIPTION,
    )

    def refuse(self, refusal: Refused) -> None:
        """Add a service's refusal to the field that it names, or else to the form."""
        field = refusal.field if refusal.field in self.fields else None
        self.add_error(field, refusal.message)

    def ask_for_image_again(self) -> None:
        """Say that the image has to be chosen again, because browsers forget it."""
        if self.files.get("image") and not self.has_error("image"):
            self.add_error("image", _("Choose your image again."))

    def __init__(self, *args: Any, everyone: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if everyone:
            self.fields["text"].help_text = _("Everyone who played and staff can read it.")


class DisputeForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("What is wrong with the report?"),
        help_text=gettext_lazy(
            "Both sides and staff will read this. Describe what really happened."
        ),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Describe what is wrong with the report.")},
    )


class ObjectionForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("What is wrong with the result?"),
        help_text=gettext_lazy("Everyone can read it. Describe what really happened."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Describe what is wrong with the result.")},
    )


class ReopenForm(forms.Form):
    """The reason of staff to undo the void of a match."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Both sides will read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give a reason. Both sides will read it.")},
    )


class DecisionForm(PlacingsForm):
    """A staff decision: the reported result, another one, or none."""

    verdict = forms.ChoiceField(
        label=gettext_lazy("Decision"),
        choices=[
            (StaffAction.Kind.UPHELD, gettext_lazy("Uphold: the result counts as reported")),
            (StaffAction.Kind.CORRECTED, gettext_lazy("Correct: the result below counts")),
            (StaffAction.Kind.VOIDED, gettext_lazy("Void: no result counts")),
        ],
        widget=forms.RadioSelect,
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        help_text=gettext_lazy("Both sides will read it, and it stays in the record."),
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 3}),
        error_messages={"required": gettext_lazy("Give a reason. Both sides will read it.")},
    )

    def __init__(self, lineup: Lineup, *args: Any, **kwargs: Any) -> None:
        super().__init__(lineup, *args, **kwargs)
        self.ask_for_mode(lineup.arena, required=False)
        self.fields["leavers"] = forms.TypedMultipleChoiceField(
            label=_("Players who left before the end"),
            choices=[(player.pk, player.name) for side in lineup.sides for player in side.players],
            coerce=int,
            required=False,
            widget=forms.CheckboxSelectMultiple,
        )

    def asks_result(self) -> bool:
        """Return whether the decision is another result."""
        return self.data.get("verdict") == StaffAction.Kind.CORRECTED

    def placings(self) -> list[tuple[int, float | None]] | None:
        """Return the place and score of each side for a correction."""
        if self.cleaned_data["verdict"] != StaffAction.Kind.CORRECTED:
            return None
        return list(zip(self.places(), self.scores(), strict=True))

    def leavers(self) -> set[int] | None:
        """Return the ids of the players who left before the end, for a correction."""
        corrects = self.cleaned_data["verdict"] == StaffAction.Kind.CORRECTED
        return set(self.cleaned_data["leavers"]) if corrects else None
