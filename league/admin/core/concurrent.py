"""Forms that two people edit at once: the second to save learns what the first changed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import flatten_fieldsets, unquote
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import ValidationError
from django.db import router, transaction
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy

from league.admin.core.comparing import Loaded, Merge, list_changed_fields, stored_values
from league.admin.core.sections import never_valid
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import datetime

    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

    from league.models import StaffAction, User

LOADED = "_loaded"
"""The hidden field with what the page showed when it was opened."""
TAKEN = "_theirs"
"""The checkboxes of the fields for which the sender takes what is stored."""
SEEN = "changed_meanwhile"
"""The attribute of a request with what others changed."""
UNSAVED = gettext_lazy(
    "Somebody else saved this page while you were editing it, so nothing of yours is saved yet. "
    "Check what they changed, then save again."
)


@dataclass(frozen=True)
class Saved:
    """The last change that the admin's own log does not know: by whom, and when."""

    user: User
    action_time: datetime

    @classmethod
    def last(cls, actions: QuerySet[StaffAction]) -> Saved | None:
        """Return the last of some actions, ``None`` if nobody did any."""
        action = actions.select_related("actor").order_by("-pk").first()
        return cls(action.actor, action.at) if action and action.actor else None


class TellsOfChanges(admin.ModelAdmin[Any]):
    """A change form that never reverts what somebody else saved while it was open."""

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        again = super().changeform_view
        loaded = Loaded.unseal(request.POST.get(LOADED, "")) if object_id else None
        if object_id is None or loaded is None or not self.has_change_permission(request):
            return again(request, object_id, form_url, extra_context)
        with transaction.atomic(using=router.db_for_write(self.model)):
            if not self.locks(object_id):
                return self.report_deleted(request, loaded)
            obj = self.get_object(request, unquote(object_id))
            if obj is not None and self.has_change_permission(request, obj):
                self.merge(request, obj, loaded)
            return again(request, object_id, form_url, extra_context)

    def locks(self, object_id: str) -> bool:
        """Lock the row until the end of the transaction. Returns whether there is one."""
        # Rows that refer to it, such as matches of an arena, can still be written meanwhile.
        rows = self.model._base_manager.select_for_update(no_key=True)  # noqa: SLF001 - Django's documented name
        try:
            return rows.filter(pk=unquote(object_id)).values_list("pk").first() is not None
        except (ValueError, ValidationError):
            return False

    def merge(self, request: HttpRequest, obj: Any, loaded: Loaded) -> None:
        """Put into the request what others saved, and note it there if it was anything."""
        names = flatten_fieldsets(self.get_fieldsets(request, obj))
        form = self.get_form(request, obj, change=True, fields=names)
        data = request.POST.copy()
        merge = Merge(data, loaded, set(data.getlist(TAKEN)))
        current = form(instance=obj)
        if merge.taken or stored_values(current) != loaded.values:
            merge.form(current, form(request.POST, instance=obj), loaded.values)
        for formset in self.stored_formsets(request, obj):
            merge.rows(formset)
        request.POST = data  # type: ignore[assignment] # it is a copy of the same kind
        if merge.changes:
            setattr(request, SEEN, merge.changes)

    def stored_formsets(self, request: HttpRequest, obj: Any) -> Iterator[Any]:
        """Yield the formsets that can be edited, about what is stored."""
        prefixes: dict[str, int] = {}
        for formset, inline in self.get_formsets_with_inlines(request, obj):
            prefix = formset.get_default_prefix()
            prefixes[prefix] = prefixes.get(prefix, 0) + 1
            if prefixes[prefix] != 1:
                prefix = f"{prefix}-{prefixes[prefix]}"
            if inline.has_change_permission(request, obj):
                yield formset(instance=obj, prefix=prefix, queryset=inline.get_queryset(request))

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change=change, **options)
        if not hasattr(request, SEEN):
            return form
        return never_valid(form, UNSAVED)

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        obj = context.get("original")
        if obj is not None and self.has_change_permission(request, obj):
            formsets = [
                one.formset for one in context["inline_admin_formsets"] if one.has_change_permission
            ]
            context["loaded"] = Loaded.of(context["adminform"].form, formsets).seal()
        if changes := getattr(request, SEEN, None):
            context["meanwhile"] = changes
            context["last_saved"] = last_saved(obj)
        return super().render_change_form(request, context, *args, **options)

    def report_deleted(self, request: HttpRequest, loaded: Loaded) -> HttpResponse:
        """Say that the row was deleted, with what the sender wrote about it."""
        typed = self.get_form(request, None, change=False)(request.POST)
        name = self.opts.verbose_name
        context = {
            **self.admin_site.each_context(request),
            "title": _("This %(name)s was deleted") % {"name": name},
            "opts": self.opts,
            "wrote": list_changed_fields(typed, loaded.values),
        }
        return TemplateResponse(request, "admin/league/gone.html", context, status=410)


def last_saved(obj: Any) -> LogEntry | None:
    """Return who last saved a row in the admin, and when."""
    kind = ContentType.objects.get_for_model(obj)
    entries = LogEntry.objects.filter(content_type=kind, object_id=str(obj.pk))
    return entries.select_related("user").order_by("-action_time").first()
