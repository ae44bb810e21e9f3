"""The forms of other rules: what to try, and what to do with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.moments import Moment
from league.admin.core.reasons import ReasonField
from league.admin.seasons.seasons import MOMENT
from league.services.other_rules import candidates
from ratings.registry import KNOWN_SYSTEMS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from league.models import Season


@dataclass(frozen=True)
class SystemChoice:
    """A rating system of the form, and the boxes of the parameters to fit."""

    name: str
    label: str
    summary: str
    checked: bool
    is_own: bool
    fits: forms.BoundField

    @property
    def fitted(self) -> str:
        ticked = self.fits.value() or []
        return ", ".join(label for name, label in self.fits.field.choices if name in ticked)  # type: ignore[attr-defined] # of choices


class TryForm(forms.Form):
    """The systems and settings to try, the parameters to fit, and the matches to judge by."""

    split = Moment(
        label=gettext_lazy("Judge matches from"),
        help_text=gettext_lazy(
            "In the arena’s time zone. Earlier matches train the systems, and parameters are "
            "fitted to them. The default is the time of the middle match."
        ),
        widget=MOMENT,
    )
    systems = forms.MultipleChoiceField(
        label=gettext_lazy("Systems"),
        required=False,
        error_messages={
            "invalid_choice": gettext_lazy("“%(value)s” cannot rate the matches of this arena."),
        },
    )
    settings = forms.MultipleChoiceField(
        label=gettext_lazy("Settings"), required=False, widget=forms.CheckboxSelectMultiple
    )

    def __init__(self, *args: Any, season: Season, fits: bool, **options: Any) -> None:
        super().__init__(*args, **options)
        self.season = season
        able = candidates.systems_for(season.arena)
        self.fields["systems"].initial = candidates.suggest(season, fits=fits)
        self.fields["systems"].choices = [(name, name) for name in able]  # type: ignore[attr-defined] # of choices
        self.fields["settings"].choices = [  # type: ignore[attr-defined] # of choices
            (key, one.label) for key, one in candidates.list_settings(season).items()
        ]
        for name in able:
            system = candidates.start_of(season, name)
            known = candidates.list_fittable(system)
            self.fields[f"fit_{name}"] = forms.MultipleChoiceField(
                choices=[(each.name, each.label) for each in known],
                widget=forms.CheckboxSelectMultiple,
                initial=[each.name for each in known if fits and each.name in system.fitted],
                required=False,
                error_messages={
                    "invalid_choice": _("There is no parameter “%(value)s” that can be fitted.")
                },
            )

    def choose(self) -> list[candidates.Candidate]:
        """Return what to try. Raises ``Refused`` as ``candidates.choose``."""
        given = self.cleaned_data
        systems = {name: given[f"fit_{name}"] for name in given["systems"]}
        return candidates.choose(self.season, systems, given["settings"])

    def rows(self) -> Iterator[SystemChoice]:
        """Yield the systems with what is ticked, the season's own first."""
        own, ticked = self.season.rating_system, self["systems"].value() or []
        able = [name for name, _label in self.fields["systems"].choices]  # type: ignore[attr-defined] # of choices
        for name in sorted(able, key=lambda each: each != own):
            label, summary = _(KNOWN_SYSTEMS[name].label), _(KNOWN_SYSTEMS[name].summary)
            yield SystemChoice(
                name, label, summary, name in ticked, name == own, self[f"fit_{name}"]
            )


class DecideForm(forms.Form):
    """The decision about the candidates of a trial, with its reason."""

    seen = forms.CharField(widget=forms.HiddenInput, required=False)
    candidate = forms.ChoiceField(
        label=gettext_lazy("Rules"), required=False, widget=forms.RadioSelect
    )
    reason = ReasonField(
        max_length=1000,
        widget=forms.Textarea(attrs={"rows": 2, "cols": 60}),
        help_text=gettext_lazy("Everyone can read it, with the rules of the season."),
    )

    def __init__(self, *args: Any, choices: list[tuple[str, str]], **options: Any) -> None:
        super().__init__(*args, **options)
        field = self.fields["candidate"]
        field.choices = choices  # type: ignore[attr-defined] # of choices
        if len(choices) == 1:
            field.initial, field.widget = choices[0][0], forms.HiddenInput()
