"""Days and times that people enter, on the clocks of their own time zone."""

from __future__ import annotations

from datetime import UTC
from typing import TYPE_CHECKING, Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _

if TYPE_CHECKING:
    from datetime import datetime

LOCAL_TIME = "%Y-%m-%dT%H:%M"


class LocalTime(forms.DateTimeField):
    """A day and time in the active time zone.

    When clocks go back, an hour occurs twice. It then means the first one. When they go forward, an
    hour is missing, and its times are refused.
    """

    widget = forms.DateTimeInput(attrs={"type": "datetime-local"}, format=LOCAL_TIME)

    def to_python(self, value: Any) -> datetime | None:
        try:
            return super().to_python(value)
        except ValidationError as error:
            if error.code != "ambiguous_timezone":
                raise
            naive = (error.params or {})["datetime"]
        moment: datetime = timezone.make_aware(naive)
        if timezone.make_naive(moment.astimezone(UTC)) != naive:
            raise ValidationError(
                _("The clocks in %(zone)s skip this time. Choose another one.")
                % {"zone": timezone.get_current_timezone_name()},
                code="skipped",
            )
        return moment
