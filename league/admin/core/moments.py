"""A field for a date with a time that every reader can be shown, whatever their time zone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.admin.widgets import AdminSplitDateTime
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

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


class DateAndTime(AdminSplitDateTime):
    """An input for the date and one for the time, which screen readers tell apart.

    Django writes “Date:” and “Time:” beside them, which label nothing.
    """

    def __init__(self, attrs: dict[str, Any] | None = None) -> None:
        super().__init__(attrs)
        names = (gettext_lazy("Date"), gettext_lazy("Time"))
        for widget, name in zip(self.widgets, names, strict=True):
            widget.attrs["aria-label"] = name


class NamesTimes(admin.ModelAdmin[Any]):
    """Part of each class of the admin: its dates with a time have inputs with names."""

    formfield_overrides = {models.DateTimeField: {"widget": DateAndTime}}
