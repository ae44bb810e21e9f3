"""A second button of a form, which tries what was typed and saves nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.admin.utils import unquote
from django.utils.translation import gettext as _

from league.services.core.errors import Refused

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

BUTTON = "_try"


class TriesForm(admin.ModelAdmin[Any]):
    """Start a trial of the values typed in the form of a row.

    If it is not tried, the form comes back with what was typed and an error, which also keeps it
    from being saved.
    """

    def try_typed(self, request: HttpRequest, typed: Any) -> HttpResponse:
        """Start a trial of a row as typed, and lead to it. Raises ``Refused`` if there is none."""
        raise NotImplementedError

    def changeform_view(
        self,
        request: HttpRequest,
        object_id: str | None = None,
        form_url: str = "",
        extra_context: Any = None,
    ) -> Any:
        if request.method == "POST" and BUTTON in request.POST:
            row = self.get_object(request, unquote(object_id)) if object_id else None
            if row is None or not self.has_change_permission(request, row):
                self.refuse(request, _("Save this first. Then you can try other rules."))
            elif answer := self.try_form(request, row):
                return answer
        return super().changeform_view(request, object_id, form_url, extra_context)

    def try_form(self, request: HttpRequest, row: Any) -> HttpResponse | None:
        """Start a trial if the form is valid; if not, note why there is none."""
        form = self.get_form(request, row, change=True)(request.POST, request.FILES, instance=row)
        if not form.is_valid():
            self.refuse(request, _("These rules were not tried. Correct the errors first."))
            return None
        try:
            return self.try_typed(request, form.instance)
        except Refused as refusal:
            self.refuse(request, refusal.message)
            return None

    def refuse(self, request: HttpRequest, message: str) -> None:
        """Let the form show why its rules were not tried."""
        request.not_tried = message  # type: ignore[attr-defined] # for get_form, below

    def get_form(
        self, request: HttpRequest, obj: Any = None, change: bool = False, **options: Any
    ) -> Any:
        form = super().get_form(request, obj, change, **options)
        message = getattr(request, "not_tried", "")
        return showing(form, message) if message else form


def showing(form: Any, message: str) -> Any:
    """Return a form class that is never valid and shows this message."""

    def clean(self: Any) -> Any:
        given = form.clean(self)
        self.add_error(None, message)
        return given

    return type(form.__name__, (form,), {"clean": clean})
