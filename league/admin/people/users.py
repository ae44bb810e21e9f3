"""Accounts and their permissions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.utils.translation import gettext_lazy

from league.admin.core.base import CountsProtectedRows, NameSearch
from league.models import Player, User

if TYPE_CHECKING:
    from django.http import HttpRequest

PERMISSION_FIELDS = ("is_staff", "is_superuser", "groups", "user_permissions")


@admin.register(User)
class AccountAdmin(NameSearch, CountsProtectedRows, UserAdmin[User]):
    """Only superusers grant permissions or change the accounts of superusers."""

    list_display = ("username", "player_name", "email", "is_staff", "is_active", "last_login")
    list_filter = ("is_staff", "is_superuser", "is_active")
    list_select_related = ("player",)
    search_fields = ("username", "email", "first_name", "last_name", "player__search_name")
    show_full_result_count = False

    @admin.display(description=gettext_lazy("player"), ordering="player__name")
    def player_name(self, user: User) -> Player | None:
        return getattr(user, "player", None)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *PERMISSION_FIELDS)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not outranked(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not outranked(request, obj)


def outranked(request: HttpRequest, account: User | None) -> bool:
    """Return whether ``account`` is a superuser and the requesting account is not."""
    return account is not None and account.is_superuser and not request.user.is_superuser
