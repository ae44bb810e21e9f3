"""Pages on which staff take one step, such as deciding a fixture, with a reason."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponseRedirect
from django.template.response import TemplateResponse

from league.admin.core.base import ReadOnly
from league.services.competitions.locking import PERMISSION
from league.services.core.errors import Forbidden, Refused

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from django import forms
    from django.db.models import Model
    from django.http import HttpRequest, HttpResponse

    from league.models import User


def check_permission(request: HttpRequest, row: Model) -> None:
    if not request.user.has_perm(PERMISSION, row):
        raise PermissionDenied


def step(
    request: HttpRequest,
    model_admin: admin.ModelAdmin[Any],
    form: forms.Form,
    *,
    title: str,
    explanation: str,
    button: str,
    done: str,
    back: str,
    take: Callable[[User, dict[str, Any]], object],
    also: Sequence[tuple[str, str]] = (),
) -> HttpResponse:
    """Show a form and take its step. A refusal is shown in the form.

    ``also`` has the addresses and labels of steps to take instead.
    """
    if form.is_valid():
        try:
            take(cast("User", request.user), form.cleaned_data)
        except Forbidden as refusal:
            raise PermissionDenied(refusal.message) from refusal
        except Refused as refusal:
            form.add_error(refusal.field if refusal.field in form.fields else None, refusal.message)
        else:
            model_admin.message_user(request, done, messages.SUCCESS)
            return HttpResponseRedirect(back)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": title,
        "opts": model_admin.opts,
        "form": form,
        "explanation": explanation,
        "also": also,
        "button": button,
        "back": back,
    }
    return TemplateResponse(request, "admin/league/competition/step.html", context)


class WithSteps(ReadOnly):
    """Read-only rows, with links to the steps that staff can take."""

    change_form_template = "admin/league/competition/row_form.html"

    def steps_of(self, row: Any) -> list[tuple[str, str]]:
        """Return the address and label of each step that is possible."""
        raise NotImplementedError

    def render_change_form(
        self, request: HttpRequest, context: Any, *args: Any, **options: Any
    ) -> HttpResponse:
        row = context["original"]
        if request.user.has_perm(PERMISSION, row):
            context["steps"] = self.steps_of(row)
        return super().render_change_form(request, context, *args, **options)
