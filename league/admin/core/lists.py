"""Lists of the admin."""

from __future__ import annotations

from functools import cached_property
from typing import Any
from urllib.parse import quote as quoted

from django.contrib import admin
from django.contrib.admin.utils import quote
from django.contrib.admin.views.main import ChangeList
from django.urls import reverse


class Rows(ChangeList):
    """A list that looks up the address of its rows once, and not for each."""

    @cached_property
    def address(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def url_for_result(self, result: Any) -> str:
        key = quote(getattr(result, self.pk_attname))
        return f"{self.address}{quoted(str(key))}/change/"


class ListsRows(admin.ModelAdmin[Any]):
    """Pages with a list. The admin site adds this to the pages of every model."""

    def get_changelist(self, *_args: Any, **_options: Any) -> type[ChangeList]:
        return Rows
