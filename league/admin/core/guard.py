"""Rows of libraries that belong to an account, such as second factors and API tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.core.exceptions import PermissionDenied

from league.models import User
from league.services.people import roles

if TYPE_CHECKING:
    from django.db.models import Model
    from django.http import HttpRequest


def is_of_accounts(model: type[Model]) -> bool:
    """Return whether a library's rows belong to accounts, and could let somebody into one."""
    options = model._meta  # noqa: SLF001 - Django's documented name
    if options.app_label == "league":
        return False
    return any(field.name == "user" and field.related_model is User for field in options.fields)


class OfAccounts(admin.ModelAdmin[Any]):
    """Pages on which nobody touches what belongs to an account that may do more than they."""

    def is_above(self, request: HttpRequest, row: Any) -> bool:
        account = getattr(row, "user", None) if row is not None else None
        return account is not None and roles.outranks(cast("User", request.user), account)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not self.is_above(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not self.is_above(request, obj)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> Any:
        row = super().save_form(request, form, change)
        if self.is_above(request, row):
            raise PermissionDenied
        return row
