"""The step of the arena wizard about matches that begin on the site: maps, and the queue."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.admin.arenas.forms import ArenaForm
from league.admin.queue.forms import QueueForm
from league.models import Arena, ArenaQueue

OF_THE_ARENA = ("maps", "map_choice", "veto_turn")
OF_THE_QUEUE = ("ready_window", "bars_timeouts", "pools", "fills_seats")


class QueueStepForm(forms.ModelForm[ArenaQueue]):
    """The settings of a queue that its players notice first. Its own page has all of them."""

    preset = forms.ChoiceField(
        required=False,
        label=gettext_lazy("Rules of the queue"),
        choices=[
            ("", gettext_lazy("Keep them as they are")),
            *QueueForm.base_fields["preset"].choices[1:],  # type: ignore[attr-defined] # a ChoiceField
        ],
        help_text=gettext_lazy(
            "A preset for the number of players who are online at the same time. You can change "
            "each rule on the queue’s own page."
        ),
    )
    ready_window = QueueForm.base_fields["ready_window"]

    class Meta:
        model = ArenaQueue
        fields = OF_THE_QUEUE

    field_order = ("preset", *OF_THE_QUEUE)

    def clean(self) -> dict[str, Any]:
        super().clean()
        if preset := self.cleaned_data.get("preset"):
            self.instance.start_from(preset)
        return self.cleaned_data


class MatchesForm(forms.ModelForm[Arena]):
    """An arena's maps, and its queue if it has one."""

    veto_turn = ArenaForm.base_fields["veto_turn"]

    class Meta:
        model = Arena
        fields = OF_THE_ARENA
        widgets = {"maps": forms.TextInput(attrs={"class": "vLargeTextField"})}

    def __init__(self, data: Any = None, *, instance: Arena, **options: Any) -> None:
        super().__init__(data, instance=instance, **options)
        queue = ArenaQueue.objects.filter(arena=instance).first()
        self.of_queue = QueueStepForm(data, instance=queue) if queue else None

    def is_valid(self) -> bool:
        fits = super().is_valid()
        return (self.of_queue is None or self.of_queue.is_valid()) and fits

    def save(self, commit: bool = True) -> Arena:
        """Save the arena and its queue."""
        if self.of_queue:
            self.of_queue.save(commit)
        return super().save(commit)
