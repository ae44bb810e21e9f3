"""Lists of the admin."""

from __future__ import annotations

from functools import cached_property
from typing import Any, cast
from urllib.parse import quote as quoted

from django.contrib import admin, messages
from django.contrib.admin.utils import quote
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _

MOST_COUNTED = 100_000
"""Rows of a list are counted up to this number: counting a million takes a fifth of a second."""


class UpToMost(Paginator[Any]):
    """The pages of a list. What is beyond ``MOST_COUNTED`` is found by filters and search."""

    @cached_property
    def counted(self) -> int:
        rows = cast("QuerySet[Any]", self.object_list).order_by()
        return rows.values("pk")[: MOST_COUNTED + 1].count()

    @cached_property
    def count(self) -> int:
        return min(self.counted, MOST_COUNTED)

    @property
    def has_more(self) -> bool:
        return self.counted > MOST_COUNTED


class Rows(ChangeList):
    """A list that sorts names as readers expect, and looks up its address once for all rows."""

    def get_ordering_field(self, field_name: Any) -> Any:
        found = super().get_ordering_field(field_name)
        return "sort_name" if found == "name" and hasattr(self.model, "sort_name") else found

    @cached_property
    def address(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")

    def url_for_result(self, result: Any) -> str:
        key = quote(getattr(result, self.pk_attname))
        return f"{self.address}{quoted(str(key))}/change/"


class ListsRows(admin.ModelAdmin[Any]):
    """Pages with a list. The admin site adds this to the pages of every model."""

    paginator = UpToMost

    def get_changelist(self, *_args: Any, **_options: Any) -> type[ChangeList]:
        return Rows

    def response_action(self, request: HttpRequest, queryset: QuerySet[Any]) -> HttpResponse | None:
        """Refuse an action on all rows of a list that is too long to tell how many these are."""
        asks_for_all = request.POST.get("select_across", "0") not in {"", "0"}
        if asks_for_all and UpToMost(queryset, 1).has_more:
            text = _("The list is too long to act on all its rows. Filter it first.")
            self.message_user(request, text, messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
        return super().response_action(request, queryset)
