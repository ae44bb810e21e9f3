"""Accounts: their roles, and below them single permissions and groups of an admin's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import UserChangeForm
from django.contrib.auth.models import Group
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.core.base import NameSearch
from league.admin.core.concurrent import TellsOfChanges
from league.admin.core.deleting import CountsProtectedRows
from league.admin.core.exports import Exports
from league.admin.people.permissions import GivesPermissions
from league.admin.people.seeing import SeeingAs
from league.models import Arena, Player, User
from league.models.lists import list_of
from league.models.mail_addresses import validate_domain
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.people import roles
from league.services.people.role_table import BY_KEY, ROLES

if TYPE_CHECKING:
    from collections.abc import Iterable

    from django.db.models import QuerySet
    from django.http import HttpRequest

ADVANCED = ("is_staff", "groups", "user_permissions")
ROLE_FIELDS = ("roles", "arenas")


class AccountForm(UserChangeForm[User]):
    """An account with its roles. ``by`` is who fills the form in."""

    by: User

    roles = forms.MultipleChoiceField(
        label=gettext_lazy("Roles"), required=False, widget=forms.CheckboxSelectMultiple
    )
    arenas = forms.ModelMultipleChoiceField(
        Arena.objects.all(),
        label=gettext_lazy("Arenas"),
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("The arenas of an arena organiser. Other roles count everywhere."),
    )

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        if "groups" in self.fields:  # roles have their own field
            groups = cast("forms.ModelMultipleChoiceField[Group]", self.fields["groups"])
            groups.queryset = Group.objects.filter(role=None)
            self.initial["groups"] = list(self.instance.groups.filter(role=None))
        held = roles.roles_of(self.instance)
        offered = {*held, *roles.may_give(self.by)}
        choice = cast("forms.MultipleChoiceField", self.fields["roles"])
        choice.choices = [(r.key, f"{r.name}: {r.words}") for r in ROLES if r.key in offered]
        self.initial["roles"] = held
        self.initial["arenas"] = list(Arena.objects.filter(organisers__account=self.instance))
        if not self.by.has_perm(roles.PERMISSION):
            for name in ROLE_FIELDS:
                self.fields[name].disabled = True

    def clean_email(self) -> str:
        address: str = self.cleaned_data["email"]
        if address:
            validate_domain(address)
        return address

    def clean(self) -> dict[str, Any]:
        given: dict[str, Any] = super().clean() or self.cleaned_data
        try:
            if given.get("is_active") is False and self.instance.is_superuser:
                roles.check_another_owner(self.instance)
            if self.by.has_perm(roles.PERMISSION) and not self.errors:
                roles.check_roles(self.instance, given["roles"], given["arenas"], by=self.by)
        except Refused as refusal:
            self.add_error(refusal.field or None, refusal.message)
        return given


@admin.register(User)
class AccountAdmin(
    Exports,
    SeeingAs,
    GivesPermissions,
    TellsOfChanges,
    NameSearch,
    CountsProtectedRows,
    UserAdmin[User],
):
    """Only superusers grant single permissions, and nobody changes an account that may do more."""

    export_columns = (
        "id",
        "username",
        "player__name",
        "email",
        "first_name",
        "last_name",
        "is_active",
        "is_staff",
        "is_superuser",
        "date_joined",
        "last_login",
    )
    form = AccountForm
    recorded_elsewhere = ROLE_FIELDS
    list_display = ("username", "player_name", "email", "role_names", "is_active", "last_login")
    list_filter = ("is_staff", "is_active", "date_joined", "groups")
    list_select_related = ("player",)
    search_fields = ("username", "email", "first_name", "last_name", "player__search_name")
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "password", "is_active")}),
        (gettext_lazy("Person"), {"fields": ("first_name", "last_name", "email")}),
        (
            gettext_lazy("Roles"),
            {
                "fields": ROLE_FIELDS,
                "description": gettext_lazy(
                    "What this account may do. You can give the roles that may do no more than you."
                ),
            },
        ),
        (
            gettext_lazy("Advanced"),
            {
                "fields": ADVANCED,
                "classes": ("collapse",),
                "description": gettext_lazy(
                    "Single permissions and groups of your own, beside the roles. Only owners "
                    "change them."
                ),
            },
        ),
        (gettext_lazy("Important dates"), {"fields": ("last_login", "date_joined")}),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        return super().get_queryset(request).prefetch_related("groups__role")

    @admin.display(description=gettext_lazy("player"), ordering="player__sort_name")
    def player_name(self, user: User) -> Player | None:
        return getattr(user, "player", None)

    @admin.display(description=gettext_lazy("roles"))
    def role_names(self, user: User) -> str:
        held = {group.role.key for group in user.groups.all() if hasattr(group, "role")}
        return list_of(str(role.name) for key, role in BY_KEY.items() if key in held) or "–"

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"by": request.user}) if obj else form

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_readonly_fields(request, obj)
        return fields if request.user.is_superuser else (*fields, *ADVANCED)

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        account = form.instance
        held = list(account.groups.exclude(role=None))
        super().save_related(request, form, formsets, change)
        account.groups.add(*held)
        by = cast("User", request.user)
        if change and by.has_perm(roles.PERMISSION):
            roles.assign(
                account,
                form.cleaned_data["roles"],
                form.cleaned_data["arenas"],
                by=by,
                reason=request.POST.get("_reason", ""),
                now=database_now(),
            )

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_change_permission(request, obj) and not outranks_editor(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return super().has_delete_permission(request, obj) and not outranks_editor(request, obj)

    def get_deleted_objects(
        self, objs: QuerySet[Any] | Iterable[Any], request: HttpRequest
    ) -> tuple[list[str], dict[str, int], set[str], list[str]]:
        chosen = list(objs)
        names, counts, needed, protecting = super().get_deleted_objects(chosen, request)
        owners = set(User.objects.filter(is_superuser=True, is_active=True).values_list("pk"))
        if owners and owners <= {(one.pk,) for one in chosen}:
            protecting = [*protecting, _("the last owner of the league")]
        return names, counts, needed, protecting


def outranks_editor(request: HttpRequest, account: User | None) -> bool:
    """Return whether an account may do something that the requesting account may not."""
    return account is not None and roles.outranks(cast("User", request.user), account)


class GroupForm(forms.ModelForm[Group]):
    """A group, whose permissions only accounts give and take that hold them all."""

    by: User

    def clean_permissions(self) -> Any:
        chosen = self.cleaned_data["permissions"].select_related("content_type")
        concerned = {roles.permission_name(one) for one in chosen}
        if self.instance.pk:
            held = self.instance.permissions.select_related("content_type")
            concerned |= {roles.permission_name(one) for one in held}
        if roles.lacks(self.by, concerned):
            raise forms.ValidationError(_("You cannot give or take a permission that you lack."))
        return chosen


admin.site.unregister(Group)


@admin.register(Group)
class RoleGroupAdmin(Exports, GivesPermissions, TellsOfChanges, GroupAdmin):
    """Groups: those of the roles, which Laurel keeps, and those of an admin's own."""

    export_columns = (
        "id",
        "name",
    )
    form = GroupForm
    list_display = ("name", "words")
    list_select_related = ("role",)

    @admin.display(description=gettext_lazy("role"))
    def words(self, group: Group) -> str:
        role = BY_KEY.get(group.role.key) if hasattr(group, "role") else None
        return str(role.words) if role else "–"

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **options)
        return type(form.__name__, (form,), {"by": request.user})
