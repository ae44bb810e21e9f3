"""The answers of forms to dates and times that they cannot read: how to write them."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

DATE = _("Enter a day such as 1.10.2026, 1/10/2026 (the day first), 1 Oct 2026 or 2026-10-01.")
TIME = _("Enter a time such as 20:30.")
MOMENT = _("Enter a day and a time such as 1.10.2026 20:30 or 2026-10-01 20:30.")


def name_formats() -> None:
    """Have all forms name the formats that they read."""
    for field, errors in (
        (forms.DateField, {"invalid": DATE}),
        (forms.TimeField, {"invalid": TIME}),
        (forms.DateTimeField, {"invalid": MOMENT}),
        (forms.SplitDateTimeField, {"invalid_date": DATE, "invalid_time": TIME}),
    ):
        field.default_error_messages = {**field.default_error_messages, **errors}
