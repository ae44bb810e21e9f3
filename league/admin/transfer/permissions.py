"""Permission to import files into an arena."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from league.models import Arena, FileImport
from league.services.transfer.files.file_imports import may_bring

if TYPE_CHECKING:
    from django.http import HttpRequest


def may_import(request: HttpRequest, arena: Arena, what: str | None = None) -> bool:
    """Return whether the reader may import files of a kind, or of any kind, into an arena."""
    if not admin.site.get_model_admin(Arena).has_change_permission(request, arena):
        return False
    kinds = FileImport.What if what is None else [what]
    return any(may_bring(request.user, arena, kind) for kind in kinds)
