"""Actions that open a case about selected rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar

from django.contrib import admin, messages
from django.http import HttpResponseRedirect
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

if TYPE_CHECKING:
    from django.db.models import QuerySet
    from django.http import HttpRequest, HttpResponse

MOST_AT_ONCE = 100


class OpensCases(admin.ModelAdmin[Any]):
    """A list and pages from which moderators open cases."""

    change_form_template: ClassVar[Any] = "admin/league/moderation/opens_cases.html"
    actions = ["open_case"]
    case_parameter = ""
    """The name of these rows on the page of a new case."""

    def has_case_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("league.add_case")

    @admin.action(description=gettext_lazy("Open a case about the selected"), permissions=["case"])
    def open_case(self, request: HttpRequest, chosen: QuerySet[Any]) -> HttpResponse | None:
        ids = list(chosen.values_list("pk", flat=True)[: MOST_AT_ONCE + 1])
        if len(ids) > MOST_AT_ONCE:
            text = _("Select at most %(count)d rows.") % {"count": MOST_AT_ONCE}
            self.message_user(request, text, messages.ERROR)
            return None
        return HttpResponseRedirect(self.new_case(*ids))

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        row = context.get("original")
        if row is not None and self.has_case_permission(request):
            context["new_case"] = self.new_case(row.pk)
        return super().render_change_form(request, context, *args, **options)

    def new_case(self, *ids: int) -> str:
        """Return the page of a new case about these rows."""
        query = urlencode([(self.case_parameter, pk) for pk in ids])
        return f"{reverse('admin:league_case_add')}?{query}"
