"""The field for why staff do something."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

LONGEST = 2000


class ReasonField(forms.CharField):
    """A reason in a few lines. The help text says who reads it."""

    def __init__(self, **options: Any) -> None:
        usual = {
            "label": gettext_lazy("Reason"),
            "max_length": LONGEST,
            "widget": forms.Textarea(attrs={"rows": 3, "class": "vLargeTextField"}),
            "error_messages": {"required": gettext_lazy("Give a reason.")},
        }
        super().__init__(**{**usual, **options})
