"""Lists in the admin show drafts only to staff who may change arenas, filters to nobody."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin
from django.db.models import Q

from league.models import Arena
from league.models.reach import in_arenas
from league.services.arenas.pages import CHANGE

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest

    from league.models import User


class HidesDrafts(admin.ModelAdmin[Any]):
    """Rows of drafts are missing for staff who may not change arenas."""

    draft = "is_draft"
    """The lookup from a row to whether it is a draft."""

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        rows = super().get_queryset(request)
        arenas = cast("User", request.user).arenas_with(CHANGE)
        if arenas is None:
            return rows
        return rows.filter(Q(**{self.draft: False}) | in_arenas(self.model, arenas))


class PublishedArenas(admin.RelatedFieldListFilter):
    """A filter by arena. Drafts are no choice: they have no rows but their queue."""

    def field_choices(self, field: Any, request: HttpRequest, model_admin: Any) -> Any:
        return field.get_choices(
            include_blank=False,
            ordering=self.field_admin_ordering(field, request, model_admin),
            limit_choices_to={"is_draft": False},
        )


admin.FieldListFilter.register(
    lambda field: field.related_model is Arena,
    PublishedArenas,
    take_priority=True,
)
