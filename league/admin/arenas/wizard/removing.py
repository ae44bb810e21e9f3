"""Delete an arena without rated results, with a preview of what goes with it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from django.contrib import admin, messages
from django.contrib.admin.utils import unquote
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse

from league.admin.core.audit import reason_in
from league.models import Arena
from league.services.arenas import deleting
from league.services.core.clock import database_now
from league.services.core.errors import Refused
from league.services.core.isolation import gettext as _

if TYPE_CHECKING:
    from django.http import HttpRequest, HttpResponse

    from league.models import User


class RemovesArenas(admin.ModelAdmin[Any]):
    """Arenas are deleted one by one, with what belongs to them, if nothing was rated there."""

    def get_actions(self, request: HttpRequest) -> Any:
        """Leave out the deletion of several arenas at once: it would say nothing of their parts."""
        actions = super().get_actions(request)
        actions.pop("delete_selected", None)
        return actions

    def delete_view(
        self, request: HttpRequest, object_id: str, extra_context: Any = None
    ) -> HttpResponse:
        """Say what goes with the arena, or why it has to stay; on POST delete it."""
        del extra_context
        arena: Arena | None = self.get_object(request, unquote(object_id))
        if not self.has_delete_permission(request, arena):
            raise PermissionDenied
        if arena is None:
            raise Http404
        if request.method == "POST":
            try:
                name = deleting.delete(
                    arena.pk,
                    by=cast("User", request.user),
                    reason=reason_in(request),
                    now=database_now(),
                )
            except Refused as refusal:
                messages.error(request, refusal.message)
            else:
                messages.success(request, _("“%(name)s” was deleted.") % {"name": name})
                return HttpResponseRedirect(reverse("admin:league_arena_changelist"))
        going = deleting.preview(arena)
        context = {
            **self.admin_site.each_context(request),
            "title": _("Delete an arena"),
            "subtitle": str(arena),
            "opts": self.opts,
            "arena": arena,
            "going": going,
        }
        return TemplateResponse(request, "admin/league/arena/delete.html", context)
