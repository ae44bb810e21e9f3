"""Download an arena's settings as XML, from which another arena can start."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.views.decorators.http import require_safe

from league.models import Arena
from league.services.transfer.configuration.configuration_exports import (
    CannotExport,
    export_configuration,
)

if TYPE_CHECKING:
    from django.http import HttpRequest
    from django.urls import URLPattern


def urls() -> list[URLPattern]:
    view = admin.site.admin_view(settings_file)
    return [path("<int:arena_id>/settings.xml", view, name="league_arena_settings_file")]


@require_safe
def settings_file(request: HttpRequest, arena_id: int) -> HttpResponse:
    """Send all settings of an arena as a file that the arena wizard reads."""
    arena = get_object_or_404(Arena, pk=arena_id)
    if not admin.site.get_model_admin(Arena).has_change_permission(request, arena):
        raise PermissionDenied
    try:
        text = export_configuration([arena])
    except CannotExport as error:
        messages.error(request, str(error))
        return HttpResponseRedirect(reverse("admin:league_arena_change", args=[arena.pk]))
    disposition = f'attachment; filename="{arena.slug}.xml"'
    return HttpResponse(
        text,
        content_type="application/xml; charset=utf-8",
        headers={"Content-Disposition": disposition},
    )
