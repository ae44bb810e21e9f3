"""A field for a date with a time that every reader can be shown, whatever their time zone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

from league.models.season import EARLIEST, LATEST

if TYPE_CHECKING:
    from datetime import datetime


def check_year(moment: datetime) -> None:
    """Raise ``ValidationError`` for years that have no time in some time zones, and other typos."""
    if not EARLIEST <= moment < LATEST:
        raise ValidationError(_("The year must be from 1000 to 2999."))


class Moment(forms.DateTimeField):
    """A date with a time, in the years that every page can show."""

    default_validators = [check_year]
